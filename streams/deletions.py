"""Deletions that the cache may not know yet: the results of these pages are not to be believed."""

from typing import Final

from winnow.streams.cache.results import CacheKey, ResultCache

# at most: a Redis that is gone must not fill memory
MAX_DELETIONS: Final = 10_000


class Deletions:
    """Keeps deletions from the time they are seen until the cache has confirmed them.

    Both tables hold the record that asked, the oldest first: a page may be deleted again before
    the cache confirms the first deletion.
    """

    def __init__(self, cache: ResultCache) -> None:
        """Begin with none; the caller closes the cache."""
        self._cache = cache
        self._seen: dict[CacheKey, str] = {}
        self._published: dict[CacheKey, str] = {}

    def __contains__(self, key: CacheKey) -> bool:
        """Return whether the cache may still hold a result of a deleted page."""
        return key in self._seen

    def see(self, key: CacheKey, source: str) -> None:
        """Note that the record at `source` deletes a page."""
        _remember(self._seen, key, source)

    def publish(self, key: CacheKey, source: str) -> None:
        """Note that the tombstones are published, so that the cache has to forget the page."""
        _remember(self._published, key, source)

    async def forget(self) -> None:
        """Have the cache forget; what it does not confirm is tried again the next time."""
        if self._published and await self._cache.forget_many(list(self._published)):
            for key, source in self._published.items():
                if self._seen.get(key) == source:
                    del self._seen[key]
            self._published.clear()


def _remember(deletions: dict[CacheKey, str], key: CacheKey, source: str) -> None:
    """Add one as the newest; the oldest goes when there are too many."""
    deletions.pop(key, None)
    deletions[key] = source
    if len(deletions) > MAX_DELETIONS:
        del deletions[next(iter(deletions))]
