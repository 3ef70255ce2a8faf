"""Cache the result of cleaning by URL, so that an unchanged page is not cleaned again."""

import mmap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NewType, Protocol, Self

CacheKey = NewType("CacheKey", str)


@dataclass(frozen=True, slots=True)
class CachedResult:
    """The result of cleaning one page, as it was published.

    Attributes:
        page_digest: `page_digest` of the page; a different digest means that the page has changed.
        document: value of the message on the documents topic.
        stats: value of the message on the stats topic.
    """

    page_digest: str
    document: bytes
    stats: bytes

    def open(self) -> Self:
        """Return this result: it is a `StoredResult` that is not packed."""
        return self


class StoredResult(Protocol):
    """A packed result from a cache: unpacked and checked only when it is opened."""

    @property
    def page_digest(self) -> str:
        """Digest of the page that the value claims to belong to."""
        ...

    def open(self) -> CachedResult:
        """Unpack; per cache, only one thread may do so at a time.

        Raises:
            DamagedValue: the value is not a valid result.
        """
        ...


class ResultCache(Protocol):
    """Cleaned results by key: for speed only, never a record of what was delivered.

    No method raises if the store is slow, full or down: `get_many` then misses and `put_many`
    stores nothing. Use it from one event loop only.
    """

    async def get_many(self, keys: Sequence[CacheKey]) -> Sequence[StoredResult | None]:
        """Return one result per key in the order of `keys`, None for a miss."""
        ...

    def count_damaged(self) -> None:
        """Count a cached value rejected as damaged. Thread-safe."""
        ...

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results, each for the cache's time to live."""
        ...

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        """Delete these keys; return for each whether the deletion is certain."""
        ...

    async def close(self) -> None:
        """Release connections; the cache is not used afterwards."""
        ...


def cache_key(fingerprint: str, url: str) -> CacheKey:
    """Return the key of a page, from the cleaner's fingerprint and the URL.

    Args:
        fingerprint: digest of the version, the model and all options that change the result.
        url: unchanged, as the crawler gave it.
    """
    return CacheKey(f"{fingerprint}:{sha256(url.encode(errors='surrogatepass')).hexdigest()}")


def page_digest(content_digest: str, content_type: str, robots_tag: str = "") -> str:
    """Return the hex SHA-256 of everything in a page that changes its result.

    Args:
        content_digest: the digest of its bytes.
        content_type: equal bytes with another charset are another text.
        robots_tag: its rules are part of the result, and may empty it.
    """
    page = f"{content_digest}{len(content_type)} {content_type}{robots_tag}"
    return sha256(page.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class MemoryCacheLimits:
    """Limits of a cache in memory.

    Attributes:
        entries: most results kept; each costs half a kilobyte in addition to its own bytes.
        total_bytes: limit of the bytes of all results.
        ttl_s: seconds before a result expires.
    """

    entries: int = 10_000
    total_bytes: int = 64 << 20
    ttl_s: float = 7 * 24 * 3600.0

    def __post_init__(self) -> None:
        """Validate the limits.

        Raises:
            ValueError: a limit is not above zero.
        """
        if min(self.entries, self.total_bytes, self.ttl_s) <= 0:
            raise ValueError(f"every limit of the cache must be above zero: {self}")


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of a result: the document from `start` to `middle`, the statistics to `end`."""

    start: int
    middle: int
    end: int
    page_digest: str
    expires_at: float


class MemoryCache:
    """A `ResultCache` of this process alone; it removes the oldest entries first.

    Results are kept in one ring buffer. As separate objects they would lie between short-lived
    pages and fragment the memory.
    """

    def __init__(self, limits: MemoryCacheLimits, clock: Callable[[], float]) -> None:
        """Start empty; memory is allocated as it is written.

        Args:
            limits: limits of entries, bytes and time.
            clock: seconds that never run backwards, `time.monotonic` outside tests.
        """
        self._limits = limits
        self._clock = clock
        self._places: dict[CacheKey, _Place] = {}  # in write order
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._ring = mmap.mmap(-1, limits.total_bytes, flags=flags)
        self._next = 0

    def __len__(self) -> int:
        """Return how many results are held, expired ones that were not read since included."""
        return len(self._places)

    async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
        """Return one result per key in the order of `keys`, None for a miss."""
        return [self._get(key) for key in keys]

    def count_damaged(self) -> None:
        """Count nothing: only a bug can damage a value that this process stored itself."""

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results; a result larger than the whole cache is skipped."""
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
        """Delete these keys; this is always certain."""
        for key in keys:
            self._places.pop(key, None)
        return True

    async def close(self) -> None:
        """Delete everything."""
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
        """Return where to write this many bytes next; the entries there are removed."""
        if self._next + size > self._limits.total_bytes:
            self._clear(self._next, self._limits.total_bytes)
            self._next = 0
        start, self._next = self._next, self._next + size
        self._clear(start, self._next)
        return start

    def _clear(self, start: int, end: int) -> None:
        """Remove the entries in a part of the ring, whose next entry is always the oldest."""
        while self._places:
            oldest = next(iter(self._places.values()))
            if not start <= oldest.start < end:
                return
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        del self._places[next(iter(self._places))]
