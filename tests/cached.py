"""Open what a cache has found."""

from collections.abc import Sequence

from winnow.streams.cache.results import CachedResult, CacheKey, ResultCache


async def opened(cache: ResultCache, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
    """Return the results under the keys, all unpacked."""
    return [each.open() if each else None for each in await cache.get_many(keys)]
