"""Remember what cleaning a URL gave last time, so that an unchanged page is not cleaned again."""

import mmap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NewType, Protocol, Self

CacheKey = NewType("CacheKey", str)


@dataclass(frozen=True, slots=True)
class CachedResult:
    """The outcome of cleaning one page, as it went out.

    Attributes:
        page_digest: `page_digest` of the page; another one means that it has changed.
        document: value of the message on the documents topic.
        stats: value of the message on the stats topic.
    """

    page_digest: str
    document: bytes
    stats: bytes

    def open(self) -> Self:
        """Return this result: it is a `StoredResult` that was never packed."""
        return self


class StoredResult(Protocol):
    """A result as its cache holds it: unpacked only if it is opened, and not checked before."""

    @property
    def page_digest(self) -> str:
        """That of the page that it claims to be of."""
        ...

    def open(self) -> CachedResult:
        """Unpack; for one thread at a time in each cache.

        Raises:
            DamagedValue: it holds no result.
        """
        ...


class ResultCache(Protocol):
    """Cleaned results by key: an aid to speed, never the record of what was delivered.

    No method raises because the store is slow, full or gone: `get_many` then misses and
    `put_many` stores nothing. Not safe for use from more than one event loop.
    """

    async def get_many(self, keys: Sequence[CacheKey]) -> Sequence[StoredResult | None]:
        """Return one result a key in the order of `keys`, None where there is none."""
        ...

    def count_damaged(self) -> None:
        """Count a result that turned out to be none of ours; from any thread."""
        ...

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results, each for the time to live of the cache."""
        ...

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        """Hold nothing under these keys; return whether that is sure."""
        ...

    async def close(self) -> None:
        """Release connections; the cache is not used afterwards."""
        ...


def cache_key(fingerprint: str, url: str) -> CacheKey:
    """Return the key of a page: what cleaned it, and which page it is, however it comes.

    Args:
        fingerprint: digest of the version, the model and all options that change the result.
        url: as the crawler gave it.
    """
    return CacheKey(f"{fingerprint}:{sha256(url.encode(errors='surrogatepass')).hexdigest()}")


def page_digest(content_digest: str, content_type: str, robots_tag: str = "") -> str:
    """Return the hex SHA-256 of what a page came as.

    Args:
        content_digest: the digest of its bytes.
        content_type: equal bytes of another charset are another text.
        robots_tag: what the headers ask for stands in the result, and may empty it.
    """
    page = f"{content_digest}{len(content_type)} {content_type}{robots_tag}"
    return sha256(page.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class MemoryCacheLimits:
    """Bounds of a cache in memory.

    Attributes:
        entries: results kept at most; each costs half a kilobyte beside its own bytes.
        total_bytes: bytes of all results.
        ttl_s: seconds for which a result is given out.
    """

    entries: int = 10_000
    total_bytes: int = 64 << 20
    ttl_s: float = 7 * 24 * 3600.0

    def __post_init__(self) -> None:
        """Refuse bounds that are no bounds.

        Raises:
            ValueError: a limit is not above zero.
        """
        if min(self.entries, self.total_bytes, self.ttl_s) <= 0:
            raise ValueError(f"every limit of the cache must be above zero: {self}")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a result stands: the document from `start` to `middle`, the statistics to `end`."""

    start: int
    middle: int
    end: int
    page_digest: str
    expires_at: float


class MemoryCache:
    """A `ResultCache` of this process alone: forgets what was stored longest ago.

    Results stand in one piece of memory that is written round and round. As objects of their own
    they would lie between pages that come and go, and keep them from using that memory again.
    """

    def __init__(self, limits: MemoryCacheLimits, clock: Callable[[], float]) -> None:
        """Start empty; memory is taken as it is written to.

        Args:
            limits: bounds in entries, bytes and time.
            clock: seconds that never run backwards, `time.monotonic` outside tests.
        """
        self._limits = limits
        self._clock = clock
        self._places: dict[CacheKey, _Place] = {}  # in the order in which they were written
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._ring = mmap.mmap(-1, limits.total_bytes, flags=flags)
        self._next = 0

    def __len__(self) -> int:
        """Return how many results are held, outlived ones that nobody asked for included."""
        return len(self._places)

    async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
        """Return one result a key in the order of `keys`, None where there is none."""
        return [self._get(key) for key in keys]

    def count_damaged(self) -> None:
        """Count nothing: what this process has stored itself is damaged by a bug alone."""

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results; one that is larger than the whole cache is not stored."""
        expires_at = self._clock() + self._limits.ttl_s
        for key, result in items.items():
            self._places.pop(key, None)
            size = len(result.document) + len(result.stats)
            if size <= self._limits.total_bytes:
                start = self._room(size)
                middle, end = start + len(result.document), start + size
                self._ring[start:middle] = result.document
                self._ring[middle:end] = result.stats
                self._places[key] = _Place(start, middle, end, result.page_digest, expires_at)
        while len(self._places) > self._limits.entries:
            self._forget_oldest()

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        """Hold nothing under these keys; that is always sure."""
        for key in keys:
            self._places.pop(key, None)
        return True

    async def close(self) -> None:
        """Forget everything."""
        self._places.clear()
        self._ring.close()

    def _get(self, key: CacheKey) -> CachedResult | None:
        place = self._places.get(key)
        if place is None:
            return None
        if self._clock() >= place.expires_at:
            del self._places[key]
            return None
        document, stats = (
            self._ring[place.start : place.middle],
            self._ring[place.middle : place.end],
        )
        return CachedResult(place.page_digest, document, stats)

    def _room(self, size: int) -> int:
        """Return where so many bytes may be written next; what stands there is forgotten."""
        if self._next + size > self._limits.total_bytes:
            self._clear(self._next, self._limits.total_bytes)
            self._next = 0
        start, self._next = self._next, self._next + size
        self._clear(start, self._next)
        return start

    def _clear(self, start: int, end: int) -> None:
        """Forget what stands in a part of the ring; what comes next in it is always the oldest."""
        while self._places:
            oldest = next(iter(self._places.values()))
            if not start <= oldest.start < end:
                return
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        del self._places[next(iter(self._places))]
