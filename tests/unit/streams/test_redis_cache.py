"""What redis-py raises, whatever its class, is a miss and an event, never an error."""

from typing import Any

import pytest
from redis.exceptions import RedisClusterException, RedisError, SlotNotCoveredError

from streams.cache import CachedResult, cache_key
from streams.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from streams.redis_client import RedisClient
from tests.clocks import ManualClock

KEY = cache_key("fingerprint", "https://example.org/")


class LostClient:
    """Raises the same whatever is asked of it."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def pipeline(self, *, transaction: bool) -> None:
        raise self._error

    async def aclose(self) -> None:
        raise self._error


@pytest.mark.parametrize(
    "error",
    [
        RedisError("lost"),
        RedisClusterException("no node answers"),
        SlotNotCoveredError("no node has it"),
    ],
)
async def test_an_error_of_the_client_is_a_miss_and_an_event(error: Exception) -> None:
    events: list[CacheEvent] = []
    commands: Any = LostClient(error)
    limits = RedisCacheLimits()
    cache = RedisCache(RedisClient(commands), limits, ManualClock(), events.append)

    found = await cache.get_many([KEY])
    await cache.put_many({KEY: CachedResult("ab" * 32, b"document", b"stats")})
    await cache.close()

    assert found == [None]
    assert events == [CacheEvent.UNREACHABLE] * 3
