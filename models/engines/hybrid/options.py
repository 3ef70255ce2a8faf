"""What the hybrid engine can be told, and the types of page that it tells apart."""

from dataclasses import dataclass
from enum import StrEnum

from winnow.models.errors import OptionsError


class PageType(StrEnum):
    """What a page is for, in WCXB's terms; `winnow.models._kernel.PAGE_TYPES` has the order."""

    ARTICLE = "article"
    FORUM = "forum"
    PRODUCT = "product"
    COLLECTION = "collection"
    LISTING = "listing"
    DOCUMENTATION = "documentation"
    SERVICE = "service"


class Convention(StrEnum):
    """Whether something beside the main text belongs to the content."""

    AUTO = "auto"  # as the labelled pages do that are built alike
    KEEP = "keep"
    DROP = "drop"


class Training(StrEnum):
    """Which pages the parameters come from."""

    MIXED = "mixed"  # all development sets
    OPEN = "open"  # WCXB alone, which has an open licence; it knows no readers' comments


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """How probabilities become verdicts.

    Attributes:
        comments: what becomes of readers' comments; by default they are kept on forums and dropped
            under articles.
        title, bylines, captions: what becomes of these; rules tell them, in any training.
        threshold: probability above which a block is kept, 0 to 1; without it each page has its
            own, the one that promises the best F1.

    Raises:
        OptionsError: the threshold is out of its range.
    """

    comments: Convention = Convention.AUTO
    title: Convention = Convention.AUTO
    bylines: Convention = Convention.AUTO
    captions: Convention = Convention.AUTO
    threshold: float | None = None

    def __post_init__(self) -> None:
        """Check the range."""
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise OptionsError(f"threshold {self.threshold} is not a probability")
