"""Limits of one page; beyond them it is refused with a reason."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a page's cost. All but the bytes are checked during parsing.

    Attributes:
        page_bytes: bytes of the body. Common crawls cut pages at 1 to 5 MB.
        depth: elements open at once. Browsers flatten beyond 512.
        nodes: elements, texts and comments of the tree, including elements that the parser reopens;
            1 MB of text without any white space in its markup has 250,000.
        steps: open elements and formatting elements that the parser compares with a tag, one after
            another, to find the matching one: the only part that could take more than linear time.
    """

    page_bytes: int = 8 * 1024 * 1024
    depth: int = 512
    nodes: int = 1_000_000
    steps: int = 64_000_000

    def __post_init__(self) -> None:
        """Validate the limits; offsets in the kernel have 32 bits.

        Raises:
            ValueError: a limit is not positive, or `page_bytes` is above 1 GiB.
        """
        for bound in fields(self):
            if getattr(self, bound.name) <= 0:
                raise ValueError(f"{bound.name} must be positive")
        if self.page_bytes > 1 << 30:
            raise ValueError("page_bytes must be at most 1 GiB")


DEFAULT_LIMITS = Limits()
