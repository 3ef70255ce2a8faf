"""Bounds of one page: past them it is refused with a reason, before it is parsed."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page may cost; `Prepared.census` says what one does cost.

    Attributes:
        page_bytes: bytes of the body. Common crawls cut pages at 1 to 5 MB.
        depth: elements open at once. Browsers flatten beyond 512.
        nodes: elements, texts and comments of the tree, elements that the parser opens again by
            itself included; 1 MB of text without any white space in its markup has 250,000.
        attributes: attributes of one tag; the parser compares each with all before it.
        names: distinct names of attributes, and of elements that HTML does not know. Pages with
            broken quotes make words into names, over a thousand of them.
        steps: open elements summed over all tags, and names known summed over all attributes:
            these the parser searches from the start, so they are what bounds its time.
        moved: bytes of texts that the parser moves because it adds more to them, which it does
            where tags or comments between two texts are ignored or stand elsewhere. It frees
            none of them before the page is done, so they bound its memory.
    """

    page_bytes: int = 8 * 1024 * 1024
    depth: int = 512
    nodes: int = 1_000_000
    attributes: int = 512
    names: int = 8192
    steps: int = 64_000_000
    moved: int = 16 * 1024 * 1024

    def __post_init__(self) -> None:
        """Refuse bounds that admit nothing, or more than the kernel's 32-bit offsets can say.

        Raises:
            ValueError: a bound is not positive, or `page_bytes` is above 1 GiB.
        """
        for bound in fields(self):
            if getattr(self, bound.name) <= 0:
                raise ValueError(f"{bound.name} must be positive")
        if self.page_bytes > 1 << 30:
            raise ValueError("page_bytes must be at most 1 GiB")


DEFAULT_LIMITS = Limits()
