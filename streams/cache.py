"""Remember what cleaning a URL gave last time, so that an unchanged page is not cleaned again."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NewType, Protocol

# What a stored result costs beside its own bytes: objects, dictionary slot, key (measured with
# tracemalloc over 10,000 results, rounded up).
ENTRY_OVERHEAD_BYTES: Final = 700

CacheKey = NewType("CacheKey", str)


@dataclass(frozen=True, slots=True)
class CachedResult:
    """The outcome of cleaning one page, as it went out.

    Attributes:
        content_digest: hex SHA-256 of the page body; another digest means that the page changed.
        document: value of the message on the documents topic.
        stats: value of the message on the stats topic.
    """

    content_digest: str
    document: bytes
    stats: bytes


class ResultCache(Protocol):
    """Cleaned results by key: an aid to speed, never the record of what was delivered.

    No method raises because the store is slow, full or gone: `get_many` then misses and
    `put_many` stores nothing. Not safe for use from more than one event loop.
    """

    async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
        """Return one result a key in the order of `keys`, None where there is none."""
        ...

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results, each for the time to live of the cache."""
        ...

    async def close(self) -> None:
        """Release connections; the cache is not used afterwards."""
        ...


def cache_key(fingerprint: str, url: str, content_type: str = "") -> CacheKey:
    """Return the key of a page: what cleaned it, which page it is, and how it is to be read.

    Args:
        fingerprint: digest of the version, the model and all options that change the result.
        url: as the crawler gave it.
        content_type: equal bytes of another charset are another text.
    """
    page = f"{len(url)} {url}{content_type}"
    return CacheKey(f"{fingerprint}:{sha256(page.encode(errors='surrogatepass')).hexdigest()}")


@dataclass(frozen=True, slots=True)
class MemoryCacheLimits:
    """Bounds of a cache in memory.

    Attributes:
        entries: results kept at most.
        total_bytes: bytes of all results with their overhead.
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


class MemoryCache:
    """A `ResultCache` of this process alone: forgets what was used longest ago."""

    def __init__(self, limits: MemoryCacheLimits, clock: Callable[[], float]) -> None:
        """Start empty.

        Args:
            limits: bounds in entries, bytes and time.
            clock: seconds that never run backwards, `time.monotonic` outside tests.
        """
        self._limits = limits
        self._clock = clock
        self._entries: OrderedDict[CacheKey, tuple[float, CachedResult]] = OrderedDict()
        self._total_bytes = 0

    @property
    def total_bytes(self) -> int:
        """Bytes that count against the bound."""
        return self._total_bytes

    def __len__(self) -> int:
        """Return how many results are held, outlived ones that nobody asked for included."""
        return len(self._entries)

    async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
        """Return one result a key in the order of `keys`, None where there is none."""
        return [self._get(key) for key in keys]

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results; one that is larger than the whole cache is not stored."""
        expires_at = self._clock() + self._limits.ttl_s
        for key, result in items.items():
            self._forget(key)
            if _cost(result) <= self._limits.total_bytes:
                self._entries[key] = (expires_at, result)
                self._total_bytes += _cost(result)
        while self._is_over():
            self._forget(next(iter(self._entries)))

    async def close(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._total_bytes = 0

    def _get(self, key: CacheKey) -> CachedResult | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        expires_at, result = entry
        if self._clock() >= expires_at:
            self._forget(key)
            return None
        self._entries.move_to_end(key)
        return result

    def _forget(self, key: CacheKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._total_bytes -= _cost(entry[1])

    def _is_over(self) -> bool:
        return (
            len(self._entries) > self._limits.entries
            or self._total_bytes > self._limits.total_bytes
        )


def _cost(result: CachedResult) -> int:
    return len(result.document) + len(result.stats) + ENTRY_OVERHEAD_BYTES
