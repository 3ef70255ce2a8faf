"""Redis killed, frozen, full, cut off, hostile and back again: misses, never an error."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest
from redis import Redis

from tests.cached import opened
from tests.clocks import ManualClock
from tests.services.processes import free_port
from tests.services.proxy import Proxy
from tests.services.redis_servers import RedisServer
from winnow.streams.cache.breaker import BreakerLimits
from winnow.streams.cache.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from winnow.streams.cache.redis_client import open_client, parse_address
from winnow.streams.cache.results import CachedResult, cache_key

LIMITS = RedisCacheLimits(timeout_s=0.5, breaker=BreakerLimits(failures=2, first_wait_s=1.0))
KEYS = [cache_key("fingerprint", f"https://example.org/{number}") for number in range(50)]
RESULTS = {key: CachedResult("ab" * 32, key.encode(), b"stats") for key in KEYS}


class Bench:
    """A cache on the table: its clock and what it said."""

    def __init__(self, port: int, limits: RedisCacheLimits = LIMITS, scheme: str = "redis") -> None:
        self.events: list[CacheEvent] = []
        self.clock = ManualClock()
        address = parse_address(f"{scheme}://127.0.0.1:{port}")
        client = open_client(address, None, limits.timeout_s)
        self.cache = RedisCache(client, limits, self.clock, self.events.append)

    async def misses(self, batches: int) -> list[CacheEvent]:
        """Read some batches, all of them misses; return the events."""
        before = len(self.events)
        for _ in range(batches):
            assert await opened(self.cache, KEYS) == [None] * len(KEYS)
        return self.events[before:]

    async def hits_after_the_wait(self) -> bool:
        """Let the breaker's wait pass, then write and read."""
        self.clock.advance(100.0)
        await self.cache.put_many(RESULTS)
        return await opened(self.cache, KEYS) == list(RESULTS.values())


async def test_a_killed_server_is_bypassed_after_two_batches_and_used_when_it_is_back(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    bench = Bench(server.port)
    await bench.cache.put_many(RESULTS)

    server.process.kill()
    said = await bench.misses(batches=5)
    server.restart()

    assert said == [CacheEvent.UNREACHABLE] * 2 + [CacheEvent.BYPASSED] * 3
    assert await bench.hits_after_the_wait()
    assert not bench.cache.is_bypassed
    await bench.cache.close()


@pytest.mark.alone
async def test_a_frozen_server_costs_two_time_limits_and_then_nothing(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    bench = Bench(server.port)
    await bench.cache.put_many(RESULTS)

    server.process.freeze()
    started = time.monotonic()
    said = await bench.misses(batches=1000)
    waited_s = time.monotonic() - started
    server.process.thaw()

    assert said == [CacheEvent.SLOW] * 2 + [CacheEvent.BYPASSED] * 998
    assert waited_s < 3 * LIMITS.timeout_s
    assert await bench.hits_after_the_wait()
    await bench.cache.close()


async def test_answers_are_matched_to_requests_after_timeouts(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    patient = Bench(server.port, RedisCacheLimits(timeout_s=10.0))
    await patient.cache.put_many(RESULTS)
    never_open = BreakerLimits(failures=10**6)
    bench = Bench(server.port, RedisCacheLimits(timeout_s=0.05, breaker=never_open))
    await opened(bench.cache, KEYS[:1])

    wrong = []
    for first in range(0, 40, 4):
        server.process.freeze()
        await opened(bench.cache, KEYS[first : first + 3])
        server.process.thaw()
        await opened(patient.cache, KEYS[:1])  # the server is awake and has answered all
        found = await opened(bench.cache, KEYS[first + 3 : first + 4])
        wrong += [result for result in found if result not in {None, RESULTS[KEYS[first + 3]]}]

    assert wrong == []
    assert CacheEvent.SLOW in bench.events
    await bench.cache.close()
    await patient.cache.close()


async def test_a_full_server_is_read_while_writes_are_bypassed(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis("maxmemory-policy noeviction")
    bench = Bench(server.port)
    await bench.cache.put_many(RESULTS)
    with Redis(port=server.port) as admin:
        admin.config_set("maxmemory", "1")

    for _ in range(4):
        await bench.cache.put_many(RESULTS)
    found = await opened(bench.cache, KEYS)

    assert bench.events == [CacheEvent.REFUSED] * 2 + [CacheEvent.BYPASSED] * 2
    assert found == list(RESULTS.values())
    with Redis(port=server.port) as admin:
        admin.config_set("maxmemory", "0")
    assert await bench.hits_after_the_wait()
    await bench.cache.close()


@pytest.mark.integration
async def test_a_cluster_without_an_answering_node_is_a_miss() -> None:
    bench = Bench(free_port(), scheme="redis+cluster")

    said = await bench.misses(batches=3)
    await bench.cache.put_many(RESULTS)
    await bench.cache.close()

    assert said == [CacheEvent.UNREACHABLE] * 2 + [CacheEvent.BYPASSED]
    assert bench.events[3:] == [CacheEvent.UNREACHABLE]


async def test_a_cut_network_is_a_miss_until_it_is_back(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    async with Proxy("127.0.0.1", server.port) as proxy:
        bench = Bench(proxy.port)
        await bench.cache.put_many(RESULTS)

        proxy.cut()
        said = await bench.misses(batches=3)
        proxy.mend()

        assert said == [CacheEvent.UNREACHABLE] * 2 + [CacheEvent.BYPASSED]
        assert await bench.hits_after_the_wait()
        await bench.cache.close()


@pytest.mark.alone
async def test_a_slow_network_is_a_miss_within_the_time_limit(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    async with Proxy("127.0.0.1", server.port) as proxy:
        bench = Bench(proxy.port)
        proxy.delay_s = 30.0

        started = time.monotonic()
        said = await bench.misses(batches=1)

        assert said == [CacheEvent.SLOW]
        assert time.monotonic() - started < 3 * LIMITS.timeout_s
        await bench.cache.close()


async def test_a_cancelled_probe_does_not_block_the_next(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    bench = Bench(server.port, RedisCacheLimits(timeout_s=60.0, breaker=BreakerLimits(failures=1)))
    server.process.freeze()

    request = asyncio.ensure_future(bench.cache.get_many(KEYS))
    await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    server.process.thaw()

    assert bench.cache.is_bypassed
    assert await bench.hits_after_the_wait()
    await bench.cache.close()


ANSWERS = [
    b"",
    b"\x00" * 100,
    b"HTTP/1.1 400 Bad Request\r\n\r\n",
    b"$-5\r\n",
    b"$99999999999999999999\r\nx",
    b"*100000\r\n",
    b"*-3\r\n",
    b":not a number\r\n",
    b"-\xff\xfe nothing that is text\r\n",
    b"-MOVED 1 nowhere\r\n",
    b"-LOADING still\r\n" * 100,
    b"+OK\r\n" * 100,
    b":7\r\n" * 100,
    b"*2\r\n$1\r\na\r\n*0\r\n" * 50,
    b"$3\r\nabc\r\n" * 100,
    b">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n" * 50,
    b"%1\r\n+a\r\n_\r\n#t\r\n,1.5\r\n(1\r\n=5\r\ntxt:a\r\n" * 20,
    *(random.Random(seed).randbytes(400) for seed in range(10)),
    *(bytes(random.Random(seed).choices(b"$*+-:0123456789\r\n", k=400)) for seed in range(20)),
]


@pytest.mark.integration
@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
@pytest.mark.parametrize("scheme", ["redis", "redis+cluster"])
async def test_a_server_that_answers_nonsense_is_a_miss(scheme: str, answer: bytes) -> None:
    async def talk_nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1 << 16)
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(talk_nonsense, "127.0.0.1", 0)
    bench = Bench(server.sockets[0].getsockname()[1], scheme=scheme)
    async with server:
        await bench.misses(batches=1)
        await bench.cache.put_many(RESULTS)
        await bench.cache.close()

    assert bench.events
