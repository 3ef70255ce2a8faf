"""What redis-py raises, whatever its class, is a miss and an event, never an error."""

import gc
import weakref
from copy import copy
from typing import Any

import pytest
from redis.exceptions import (
    AuthenticationError,
    OutOfMemoryError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from streams.cache import CachedResult, cache_key
from streams.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from streams.redis_client import RedisClient
from tests.clocks import ManualClock

KEY = cache_key("fingerprint", "https://example.org/")
RESULT = CachedResult("ab" * 32, b"document", b"stats")


class LostClient:
    """Raises an equal error whatever is asked of it."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def pipeline(self, *, transaction: bool) -> None:
        raise copy(self._error)

    async def aclose(self) -> None:
        raise self._error


def a_cache(error: Exception, events: list[CacheEvent], value_bytes: int = 100) -> RedisCache:
    commands: Any = LostClient(error)
    limits = RedisCacheLimits(value_bytes=value_bytes)
    return RedisCache(RedisClient(commands), limits, ManualClock(), events.append)


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (RedisError("lost"), CacheEvent.UNREACHABLE),
        (RedisClusterException("no node answers"), CacheEvent.UNREACHABLE),
        (SlotNotCoveredError("no node has it"), CacheEvent.UNREACHABLE),
        (RedisTimeoutError("late"), CacheEvent.SLOW),
        (OutOfMemoryError("full"), CacheEvent.REFUSED),
        (AuthenticationError("who"), CacheEvent.REFUSED),
    ],
)
async def test_an_error_of_the_client_is_a_miss_and_an_event(
    error: Exception, event: CacheEvent
) -> None:
    events: list[CacheEvent] = []
    cache = a_cache(error, events)

    found = await cache.get_many([KEY])
    await cache.put_many({KEY: RESULT})
    await cache.close()

    assert found == [None]
    assert events == [event] * 3


async def test_a_failure_keeps_no_result_in_memory() -> None:
    class Watched(CachedResult):
        """A result that can be referred to weakly."""

    result = Watched(RESULT.content_digest, RESULT.document, RESULT.stats)
    is_held = weakref.ref(result)
    cache = a_cache(RedisError("lost"), [])

    gc.disable()
    try:
        await cache.put_many({KEY: result})
        del result
        assert not is_held()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("value_bytes", "event"), [(13, CacheEvent.UNREACHABLE), (12, CacheEvent.OVERSIZED)]
)
async def test_a_result_that_is_too_large_is_not_stored(
    value_bytes: int, event: CacheEvent
) -> None:
    events: list[CacheEvent] = []

    await a_cache(RedisError("asked"), events, value_bytes).put_many({KEY: RESULT})

    assert events == [event]
