"""Any exception of redis-py is a miss and an event, never an error."""

import gc
import weakref
from copy import copy
from typing import Any, Self

import pytest
from redis.exceptions import (
    AuthenticationError,
    OutOfMemoryError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from tests.clocks import ManualClock
from winnow.streams.cache.redis_cache import (
    REPORTED_AFTER_S,
    CacheEvent,
    RedisCache,
    RedisCacheLimits,
)
from winnow.streams.cache.redis_client import RedisClient
from winnow.streams.cache.results import CachedResult, cache_key

KEY = cache_key("fingerprint", "https://example.org/")
RESULT = CachedResult("ab" * 32, b"document", b"stats")


class LostClient:
    """Raises an equal error for every command."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def pipeline(self, *, transaction: bool) -> None:
        raise copy(self._error)

    async def aclose(self) -> None:
        raise self._error


class FlakyClient:
    """Answers every command with None, or raises the given error."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self._commands = 0

    def pipeline(self, *, transaction: bool) -> Self:
        self._commands = 0
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def execute_command(self, *_: object) -> None:
        self._commands += 1

    async def execute(self, *, raise_on_error: bool) -> list[None]:
        if self.error:
            raise copy(self.error)
        return [None] * self._commands


class FlakyBench:
    """A cache whose Redis fails and comes back, and a second passes with each batch."""

    def __init__(self) -> None:
        self.client = FlakyClient()
        self.clock = ManualClock()
        self.events: list[CacheEvent] = []
        self.outages: list[CacheEvent | None] = []
        commands: Any = self.client
        on_event, on_outage = self.events.append, self.outages.append
        self.cache = RedisCache(
            RedisClient(commands), RedisCacheLimits(), self.clock, on_event, on_outage
        )

    async def batches(self, seconds: int, error: Exception | None = None) -> None:
        self.client.error = error
        for _ in range(seconds):
            await self.cache.get_many([KEY])
            await self.cache.put_many({KEY: RESULT})
            self.clock.advance(1.0)


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
        # what redis-py makes of replies that no Redis gives: a proxy, or another server
        (TypeError("object of type 'int' has no len()"), CacheEvent.UNREACHABLE),
        (KeyError(0), CacheEvent.UNREACHABLE),
        (IndexError("list index out of range"), CacheEvent.UNREACHABLE),
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


async def test_a_failure_does_not_keep_results_in_memory() -> None:
    class Watched(CachedResult):
        """A result that can be referred to weakly."""

    result = Watched(RESULT.page_digest, RESULT.document, RESULT.stats)
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


async def test_an_outage_is_logged_once_when_it_begins_and_once_when_it_ends() -> None:
    bench = FlakyBench()

    await bench.batches(5)
    await bench.batches(600, RedisTimeoutError("late"))
    assert bench.outages == [CacheEvent.SLOW]
    await bench.batches(600)

    assert bench.outages == [CacheEvent.SLOW, None]


async def test_a_single_failure_is_not_reported() -> None:
    bench = FlakyBench()

    await bench.batches(1, RedisError("lost"))
    await bench.batches(600)

    assert bench.outages == []


async def test_failures_in_a_row_are_reported_once() -> None:
    bench = FlakyBench()

    for _ in range(100):
        await bench.batches(2, RedisError("lost"))
        await bench.batches(3)

    assert bench.outages == [CacheEvent.UNREACHABLE]
    await bench.batches(int(REPORTED_AFTER_S))
    assert bench.outages == [CacheEvent.UNREACHABLE, None]


async def test_a_server_that_refuses_writes_is_not_used_again() -> None:
    bench = FlakyBench()
    await bench.batches(2, OutOfMemoryError("full"))

    bench.client.error = None
    for _ in range(600):
        await bench.cache.get_many([KEY])
        bench.clock.advance(1.0)

    assert bench.outages == [CacheEvent.REFUSED]


@pytest.mark.parametrize(
    ("error", "event"),
    [(RedisError("lost"), CacheEvent.UNREACHABLE), (RedisTimeoutError("late"), CacheEvent.SLOW)],
)
async def test_a_redis_that_does_not_answer_is_reported_at_the_start(
    error: Exception, event: CacheEvent
) -> None:
    bench = FlakyBench()
    bench.client.error = error

    await bench.cache.ask()

    assert bench.outages == [event]
    assert bench.cache.is_bypassed


async def test_a_redis_that_answers_is_not_reported_at_the_start() -> None:
    bench = FlakyBench()

    await bench.cache.ask()

    assert (bench.outages, bench.events, bench.cache.is_bypassed) == ([], [], False)
