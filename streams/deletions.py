"""Deletions that the cache has not confirmed: its results of these pages are invalid."""

from typing import Final

from winnow.streams.cache.results import CacheKey, ResultCache

# upper limit, so that memory stays small while Redis is down
MAX_DELETIONS: Final = 10_000


class Deletions:
    """Keeps deletions from the time they are seen until the cache has confirmed them.

    Both tables map to the record that asked for the deletion, oldest first: a page may be deleted
    again before the cache confirms the first deletion.
    """

    def __init__(self, cache: ResultCache) -> None:
        """Start empty; the caller closes the cache."""
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
        """Note that the tombstones are published, so the cache must forget the page."""
        _remember(self._published, key, source)

    async def forget(self) -> None:
        """Delete the pages from the cache; unconfirmed deletions are retried next time."""
        if self._published and await self._cache.forget_many(list(self._published)):
            for key, source in self._published.items():
                if self._seen.get(key) == source:
                    del self._seen[key]
            self._published.clear()


def _remember(deletions: dict[CacheKey, str], key: CacheKey, source: str) -> None:
    """Add an entry as the newest; remove the oldest if there are too many."""
    deletions.pop(key, None)
    deletions[key] = source
    if len(deletions) > MAX_DELETIONS:
        del deletions[next(iter(deletions))]
