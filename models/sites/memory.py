"""Which blocks were seen on how many pages of a host, in memory of a fixed size."""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from models.errors import OptionsError

Digests = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]

# Slots of a bucket: their digests fill one cache line.
WAYS: Final = 8
MAX_PAGES: Final = 16
MAX_BLOCKS: Final = 1 << 20
MAX_HOSTS: Final = 1 << 20
DIGEST_BYTES: Final = 8
MIN_KEY_BYTES: Final = 16
MAX_KEY_BYTES: Final = blake2b.MAX_KEY_SIZE
_NO_PAGE: Final = np.uint32(0)
_TAKEN: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """How much is remembered, and for how long.

    Attributes:
        pages: other pages of the host that show a block before it counts as seen, 1 to 16.
        hosts: hosts remembered; the one without a page for longest is forgotten.
        blocks: blocks remembered of each host, a multiple of 8; those on fewest pages, and among
            them the oldest, are forgotten.
        forget_after: pages of the host without a block after which it counts as forgotten.

    Raises:
        OptionsError: a number is out of its range.
    """

    pages: int = 2
    hosts: int = 1024
    blocks: int = 1024
    forget_after: int = 500

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not 1 <= self.pages <= MAX_PAGES:
            raise OptionsError(f"a block is seen on 1 to {MAX_PAGES} other pages, not {self.pages}")
        if not 1 <= self.hosts <= MAX_HOSTS:
            raise OptionsError(f"1 to {MAX_HOSTS} hosts are remembered, not {self.hosts}")
        if not WAYS <= self.blocks <= MAX_BLOCKS or self.blocks % WAYS:
            raise OptionsError(f"{self.blocks} blocks a host are no multiple of {WAYS} in range")
        if self.forget_after < 1:
            raise OptionsError(
                f"blocks are forgotten after 1 page or more, not {self.forget_after}"
            )


class _Host:
    """The table of one host: buckets of slots, each a block and the pages that showed it."""

    __slots__ = ("blocks", "clock", "last_seen", "pages")

    def __init__(self, options: SiteOptions) -> None:
        shape = (options.blocks // WAYS, WAYS)
        self.blocks: Final = np.zeros(shape, np.uint64)
        self.pages: Final = np.zeros((*shape, options.pages), np.uint32)
        self.last_seen: Final = np.zeros(
            shape, np.uint32
        )  # number of the host's page, 0: a free slot
        self.clock = 0


class SiteMemory:
    """Remembers blocks by host. Threads may share it; their pages then come in any order.

    What is remembered of a block is the set of pages that showed it, up to the number that makes
    it seen: meeting a page again changes nothing. Blocks and pages are known by digests under a
    secret key, so nobody can write a text that passes for another.
    """

    def __init__(self, key: bytes, options: SiteOptions | None = None) -> None:
        """Start with nothing; the table of a host is made with its first page.

        Args:
            key: random bytes, 16 to 64, that no writer of pages knows.
            options: how much is remembered.

        Raises:
            OptionsError: the key is of another length.
        """
        if not MIN_KEY_BYTES <= len(key) <= MAX_KEY_BYTES:
            raise OptionsError(
                f"the option seen needs a site_key of {MIN_KEY_BYTES} to {MAX_KEY_BYTES} random "
                f"bytes, not of {len(key)}"
            )
        self.options: Final = options or SiteOptions()
        self._key: Final = key
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many hosts are remembered."""
        return len(self._hosts)

    def digest(self, content: bytes | memoryview) -> int:
        """Return 64 bits that stand for a block or a URL in this memory alone."""
        digest = blake2b(content, digest_size=DIGEST_BYTES, key=self._key)
        return int.from_bytes(digest.digest(), "little")

    def meet(self, host: str, page: int, blocks: Digests) -> npt.NDArray[np.bool_]:
        """Return which blocks were seen on enough other pages, and remember that this has them.

        Args:
            host: names the table.
            page: the digest of the page's URL; its low 32 bits count.
            blocks: the digest of each block; equal ones count once.
        """
        number = np.uint32(page % 0xFFFF_FFFF + 1)
        distinct, positions = np.unique(blocks, return_inverse=True)
        with self._lock:
            found = self._meet(self._host(host), number, distinct)
        return found[positions]

    def _host(self, name: str) -> _Host:
        host = self._hosts.pop(name, None) or _Host(self.options)
        self._hosts[name] = host
        if len(self._hosts) > self.options.hosts:
            self._hosts.popitem(last=False)
        return host

    def _meet(self, host: _Host, page: np.uint32, blocks: Digests) -> npt.NDArray[np.bool_]:
        host.clock += 1
        buckets = _buckets(host, blocks)
        hits = (host.blocks[buckets] == blocks[:, None]) & self._live(host, buckets)
        known = hits.any(axis=1)
        slots = hits.argmax(axis=1)
        seen = np.zeros(len(blocks), bool)
        seen[known] = _add(host, page, buckets[known], slots[known])
        self._insert(host, page, blocks[~known])
        return seen

    def _live(self, host: _Host, buckets: Numbers) -> npt.NDArray[np.bool_]:
        """Return which slots of these buckets hold a block that is not forgotten."""
        last_seen = host.last_seen[buckets].astype(np.int64)
        return (last_seen > 0) & (host.clock - last_seen <= self.options.forget_after)

    def _insert(self, host: _Host, page: np.uint32, blocks: Digests) -> None:
        """Give new blocks a slot each: the emptiest of their bucket, of equal ones the oldest.

        Slots that this page has filled already are left alone; blocks without one are dropped.
        """
        blocks = blocks[np.argsort(_buckets(host, blocks), kind="stable")]
        buckets = _buckets(host, blocks)
        live, last_seen = self._live(host, buckets), host.last_seen[buckets].astype(np.int64)
        filled = (host.pages[buckets] != _NO_PAGE).sum(axis=2)
        worth = np.where(live, (filled << 32) + last_seen, 0)
        worth[last_seen == host.clock] = _TAKEN
        order = worth.argsort(axis=1, kind="stable")
        rows = np.arange(len(blocks))
        # the n-th new block of a bucket takes its n-th best slot
        rank = rows - np.searchsorted(buckets, buckets)
        slots = order[rows, np.minimum(rank, WAYS - 1)]
        fits = (rank < WAYS) & (worth[rows, slots] != _TAKEN)
        buckets, slots = buckets[fits], slots[fits]
        host.blocks[buckets, slots] = blocks[fits]
        host.pages[buckets, slots] = _NO_PAGE
        host.pages[buckets, slots, 0] = page
        host.last_seen[buckets, slots] = host.clock


def _buckets(host: _Host, blocks: Digests) -> Numbers:
    return (blocks % np.uint64(len(host.blocks))).astype(np.uint32)


def _add(
    host: _Host, page: np.uint32, buckets: Numbers, slots: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Note a page in the slots of its blocks; return which were full without it."""
    pages = host.pages[buckets, slots]
    is_new = ~(pages == page).any(axis=1)
    seen: npt.NDArray[np.bool_] = is_new & (pages != _NO_PAGE).all(axis=1)
    rows = np.flatnonzero(is_new & ~seen)
    pages[rows, (pages[rows] == _NO_PAGE).argmax(axis=1)] = page
    host.pages[buckets, slots] = pages
    host.last_seen[buckets, slots] = host.clock
    return seen
