"""On how many pages of a host each block was seen, in memory of a fixed size."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from winnow.models import _kernel
from winnow.models._kernel import JudgedPage
from winnow.models.errors import OptionsError

# Slots of a bucket: their digests fill one cache line.
WAYS: Final = 8
MAX_PAGES: Final = 16
MAX_BLOCKS: Final = 1 << 20
MAX_HOSTS: Final = 1 << 20
MAX_FORGET_AFTER: Final = (1 << 32) - 1
MIN_KEY_BYTES: Final = 16
MAX_KEY_BYTES: Final = blake2b.MAX_KEY_SIZE
_KERNEL_KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """Size and duration of the memory.

    Attributes:
        pages: other pages of the host that must show a block before it counts as seen, 1 to 16.
        hosts: hosts remembered; the one without new pages for longest is removed.
        blocks: blocks remembered per host, a multiple of 8; those on the fewest pages, then
            the oldest, are removed.
        forget_after: pages of the host without a block after which it is forgotten.

    Raises:
        OptionsError: a number is out of range.
    """

    pages: int = 2
    hosts: int = 1024
    blocks: int = 1024
    forget_after: int = 500

    def __post_init__(self) -> None:
        """Validate the ranges."""
        if not 1 <= self.pages <= MAX_PAGES:
            raise OptionsError(f"pages of a seen block must be 1 to {MAX_PAGES}, not {self.pages}")
        if not 1 <= self.hosts <= MAX_HOSTS:
            raise OptionsError(f"hosts must be 1 to {MAX_HOSTS}, not {self.hosts}")
        if not WAYS <= self.blocks <= MAX_BLOCKS or self.blocks % WAYS:
            raise OptionsError(
                f"{self.blocks} blocks per host: must be a multiple of {WAYS} in range"
            )
        if not 1 <= self.forget_after <= MAX_FORGET_AFTER:
            raise OptionsError(
                f"forget_after must be 1 to {MAX_FORGET_AFTER} pages, not {self.forget_after}"
            )


class SiteMemory:
    """Remembers blocks per host. Thread-safe; pages of threads then arrive in any order.

    For each block it remembers the set of pages that showed it, up to the number that makes it
    seen, so seeing a page again changes nothing. Blocks and pages are identified by 64 bits of
    SipHash-2-4 (Aumasson and Bernstein, 2012) under a secret key, so nobody can construct a
    colliding text.
    """

    def __init__(self, key: bytes, options: SiteOptions | None = None) -> None:
        """Start empty; the table of a host is created with its first page.

        Args:
            key: 16 to 64 random bytes that authors of pages do not know.
            options: size and duration of the memory.

        Raises:
            OptionsError: the length of the key is wrong.
        """
        if not MIN_KEY_BYTES <= len(key) <= MAX_KEY_BYTES:
            raise OptionsError(
                f"the option seen needs a site_key of {MIN_KEY_BYTES} to {MAX_KEY_BYTES} random "
                f"bytes, not of {len(key)}"
            )
        self.options: Final = options or SiteOptions()
        self.kernel: Final = _kernel.SiteMemory(
            blake2b(key=key, digest_size=_KERNEL_KEY_BYTES).digest(),
            self.options.pages,
            self.options.hosts,
            self.options.blocks,
            self.options.forget_after,
        )

    def __len__(self) -> int:
        """Return how many hosts are remembered."""
        return len(self.kernel)

    def without_seen(self, url: str, judged: JudgedPage) -> JudgedPage:
        """Remember the blocks of a page, and return it with seen blocks dropped.

        Args:
            url: a page without a host in its URL is neither remembered nor changed.
            judged: an engine's result for the page.
        """
        host = host_of(url)
        return self.kernel.without_seen(host, _text(url), judged) if host else judged

    def meet(self, host: str, url: str, blocks: Sequence[str]) -> list[bool]:
        """Return which blocks were seen on enough other pages, and remember these blocks.

        Args:
            host: the host whose memory is used.
            url: of the page.
            blocks: the text of each block; equal ones count once.
        """
        return self.kernel.meet(host, _text(url), blocks)


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty if it has none."""
    try:
        return _text(urlsplit(url).hostname or "")
    except ValueError:  # a bracket that belongs to no IPv6 address
        return ""


def _text(url: str) -> str:
    """Return the URL with lone surrogates replaced (the kernel requires valid UTF-8)."""
    return url if url.isascii() else url.encode("utf-8", "replace").decode()
