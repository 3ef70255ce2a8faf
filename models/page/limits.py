"""Bounds of one page: past them it is refused with a reason."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page may cost. All but the bytes are counted while the page is parsed.

    Attributes:
        page_bytes: bytes of the body. Common crawls cut pages at 1 to 5 MB.
        depth: elements open at once. Browsers flatten beyond 512.
        nodes: elements, texts and comments of the tree, elements that the parser opens again by
            itself included; 1 MB of text without any white space in its markup has 250,000.
        steps: open elements and formatting elements that the parser looks at, one after the other,
            to find the one that a tag is about: they are what could take more than linear time.
    """

    page_bytes: int = 8 * 1024 * 1024
    depth: int = 512
    nodes: int = 1_000_000
    steps: int = 64_000_000

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
