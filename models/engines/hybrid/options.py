"""The options of the hybrid engine, and its page types."""

from dataclasses import dataclass
from enum import StrEnum

from winnow.models.errors import OptionsError


class PageType(StrEnum):
    """The purpose of a page, in WCXB's terms; order as in `winnow.models._kernel.PAGE_TYPES`."""

    ARTICLE = "article"
    FORUM = "forum"
    PRODUCT = "product"
    COLLECTION = "collection"
    LISTING = "listing"
    DOCUMENTATION = "documentation"
    SERVICE = "service"


class Convention(StrEnum):
    """Whether text outside the main text counts as content."""

    AUTO = "auto"  # as in the labelled pages of the same kind
    KEEP = "keep"
    DROP = "drop"


class Training(StrEnum):
    """The training data of the parameters."""

    MIXED = "mixed"  # all development sets
    OPEN = "open"  # only WCXB, which has an open licence; it has no readers' comments


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """How probabilities become verdicts.

    Attributes:
        comments: readers' comments; by default they are kept on forums and dropped
            under articles.
        title, bylines, captions, standfirst: whether these are kept; rules recognise them, with
            any training.
        threshold: probability above which a block is kept, 0 to 1; by default each page has its
            own, with the best expected F1.

    Raises:
        OptionsError: the threshold is out of range.
    """

    comments: Convention = Convention.AUTO
    title: Convention = Convention.AUTO
    bylines: Convention = Convention.AUTO
    captions: Convention = Convention.AUTO
    standfirst: Convention = Convention.AUTO
    threshold: float | None = None

    def __post_init__(self) -> None:
        """Validate the threshold."""
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise OptionsError(f"threshold {self.threshold}: must be a probability, 0 to 1")
