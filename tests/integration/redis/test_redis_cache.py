"""The Redis cache against real servers: security, sentinels, cluster, round trips."""

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis

from tests.cached import opened
from tests.services.certificates import Secrets
from tests.services.processes import free_port
from tests.services.proxy import Proxy
from tests.services.redis_servers import RedisServer
from winnow.streams.cache.redis_cache import KEY_PREFIX, CacheEvent, RedisCache, RedisCacheLimits
from winnow.streams.cache.redis_client import open_client, parse_address
from winnow.streams.cache.results import CachedResult, cache_key
from winnow.streams.cache.values import ValueAuthentication
from winnow.streams.errors import DamagedValue

PATIENT = RedisCacheLimits(timeout_s=10.0)
KEYS = [cache_key("fingerprint", f"https://example.org/{number}") for number in range(50)]


def a_result(text: bytes = b"document") -> CachedResult:
    return CachedResult("ab" * 32, document=text, stats=b"stats")


def a_cache(
    url: str,
    events: list[CacheEvent],
    password_file: Path | None = None,
    limits: RedisCacheLimits = PATIENT,
) -> RedisCache:
    client = open_client(parse_address(url), password_file, limits.timeout_s)
    return RedisCache(client, limits, time.monotonic, events.append)


NAME = ValueAuthentication(b"secret").name.encode()


def a_signed_cache(url: str, events: list[CacheEvent], secret: bytes) -> RedisCache:
    client = open_client(parse_address(url), None, PATIENT.timeout_s)
    signed = ValueAuthentication(secret)
    return RedisCache(client, PATIENT, time.monotonic, events.append, authentication=signed)


async def test_values_live_as_long_as_the_time_to_live(redis_url: str, unique_name: str) -> None:
    key = cache_key(unique_name, "https://example.org/")
    events: list[CacheEvent] = []
    cache = a_cache(redis_url, events, limits=RedisCacheLimits(ttl_s=90.0, timeout_s=10.0))

    await cache.put_many({key: a_result()})

    with Redis.from_url(redis_url) as client:
        assert 60_000 < client.pttl(KEY_PREFIX + key) <= 90_000
    await cache.close()
    assert events == []


async def test_a_batch_takes_one_round_trip_to_read_and_one_to_write(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    events: list[CacheEvent] = []
    async with Proxy("127.0.0.1", server.port) as proxy:
        cache = a_cache(f"redis://127.0.0.1:{proxy.port}", events)
        await opened(cache, KEYS[:1])  # connect
        requests_before = proxy.chunks_to_server

        await cache.put_many(dict.fromkeys(KEYS, a_result()))
        requests_to_write = proxy.chunks_to_server - requests_before
        found = await opened(cache, KEYS)
        requests_to_read = proxy.chunks_to_server - requests_before - requests_to_write
        await cache.close()

    assert found == [a_result()] * len(KEYS)
    assert (requests_to_write, requests_to_read) == (1, 1)
    assert events == []


async def test_a_foreign_value_is_a_miss_and_is_counted(redis_url: str) -> None:
    key = cache_key("fingerprint", "https://example.org/foreign")
    events: list[CacheEvent] = []
    with Redis.from_url(redis_url) as client:
        client.set(KEY_PREFIX + key, b"not ours", ex=60)
    cache = a_cache(redis_url, events)

    found = await opened(cache, [key])

    await cache.close()
    assert found == [None]
    assert events == [CacheEvent.DAMAGED]


async def test_reads_from_redis_are_bounded_by_the_batch(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    ours = a_result(b"ours")
    events: list[CacheEvent] = []
    limits = RedisCacheLimits(timeout_s=10.0, batch_bytes=1 << 20)
    cache = a_cache(server.url, events, limits=limits)
    await cache.put_many({KEYS[0]: ours})
    with Redis(port=server.port) as client:
        packed = client.get(KEY_PREFIX + KEYS[0])
        for key in KEYS[1:]:
            client.set(KEY_PREFIX + key, bytes(4 << 20))
        client.config_resetstat()

        tracemalloc.start()
        try:
            found = await opened(cache, KEYS)
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        sent_bytes = client.info("stats")["total_net_output_bytes"]

    await cache.close()
    assert isinstance(packed, bytes)
    assert found == [ours] + [None] * 49
    assert events == [CacheEvent.DAMAGED] * 49
    assert sent_bytes < 2 * limits.batch_bytes
    assert peak_bytes < 4 * limits.batch_bytes


async def test_a_signed_value_is_a_hit_only_with_its_secret(
    redis_url: str, unique_name: str
) -> None:
    key = cache_key(unique_name, "https://example.org/")
    events: list[CacheEvent] = []
    one, same, other = (a_signed_cache(redis_url, events, secret) for secret in (b"1", b"1", b"2"))
    plain = a_cache(redis_url, events)

    await one.put_many({key: a_result()})

    assert await opened(same, [key]) == [a_result()]
    assert await opened(other, [key]) == [None]
    assert await opened(plain, [key]) == [None]
    for cache in (one, same, other, plain):
        await cache.close()
    assert events == []


async def test_a_signed_value_is_damaged_under_another_key_or_when_it_was_changed(
    redis_url: str, unique_name: str
) -> None:
    keys = [cache_key(unique_name, f"https://example.org/{number}") for number in range(3)]
    cache = a_signed_cache(redis_url, [], b"secret")
    await cache.put_many(dict.fromkeys(keys[:2], a_result()))
    with Redis.from_url(redis_url) as client:
        first, second, third = (b"winnow:2:%s:%s" % (NAME, key.encode()) for key in keys)
        value = client.get(first)
        assert isinstance(value, bytes)
        client.set(second, bytes([value[0] ^ 1]) + value[1:], ex=60)
        client.set(third, value, ex=60)

    right, changed, moved = await cache.get_many(keys)

    await cache.close()
    assert right
    assert right.open() == a_result()
    for damaged in (changed, moved):
        assert damaged
        with pytest.raises(DamagedValue, match="not signed"):
            damaged.open()


async def test_a_wrong_type_under_a_key_is_a_miss_only_for_that_key(
    redis_url: str, unique_name: str
) -> None:
    right, wrong = (cache_key(unique_name, url) for url in ("https://a/", "https://b/"))
    events: list[CacheEvent] = []
    cache = a_cache(redis_url, events)
    await cache.put_many({right: a_result()})
    with Redis.from_url(redis_url) as client:
        client.lpush(KEY_PREFIX + wrong, b"a list")

    found = await opened(cache, [wrong, right])

    await cache.close()
    assert found == [None, a_result()]
    assert events == [CacheEvent.REFUSED]
    assert not cache.is_bypassed


async def test_tls_and_access_list_let_the_user_in(
    secured_redis: RedisServer, secret_files: Secrets
) -> None:
    events: list[CacheEvent] = []
    url = secured_redis.secured_url(secret_files)
    cache = a_cache(url, events, secret_files.password_file)

    await cache.put_many({KEYS[0]: a_result()})
    found = await opened(cache, KEYS[:1])

    await cache.close()
    assert found == [a_result()]
    assert events == []


async def test_a_wrong_password_is_a_miss_and_stays_out_of_sight(
    start_redis: Callable[..., RedisServer],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = start_redis("requirepass right")
    (tmp_path / "password").write_text("hunter2")
    events: list[CacheEvent] = []
    cache = a_cache(server.url, events, tmp_path / "password")

    found = await opened(cache, KEYS[:1])

    await cache.close()
    assert found == [None]
    assert events == [CacheEvent.REFUSED]
    captured = capfd.readouterr()
    assert "hunter2" not in captured.out + captured.err + caplog.text


async def test_a_certificate_of_another_authority_is_refused(
    secured_redis: RedisServer, secret_files: Secrets
) -> None:
    events: list[CacheEvent] = []
    url = f"rediss://{secret_files.username}@127.0.0.1:{secured_redis.port}"
    cache = a_cache(url, events, secret_files.password_file)

    found = await opened(cache, KEYS[:1])

    await cache.close()
    assert found == [None]
    assert events == [CacheEvent.UNREACHABLE]


async def test_a_new_password_is_used_after_the_server_dropped_the_connection(
    start_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    server = start_redis("requirepass first")
    file = tmp_path / "password"
    file.write_text("first\n")
    events: list[CacheEvent] = []
    cache = a_cache(server.url, events, file)
    await cache.put_many({KEYS[0]: a_result()})

    file.write_text("second\n")
    with Redis(port=server.port, password="first") as admin:
        admin.config_set("requirepass", "second")
        admin.client_kill_filter(_type="normal", skipme=True)
    found = await opened(cache, KEYS[:1])

    await cache.close()
    assert found == [a_result()]
    assert events == []


async def test_a_cluster_is_found_through_any_of_its_nodes(
    start_redis: Callable[..., RedisServer],
) -> None:
    nodes = _form_cluster(start_redis)
    events: list[CacheEvent] = []
    hosts = f"127.0.0.1:{nodes[2].port},127.0.0.1:{nodes[0].port}"
    cache = a_cache(f"redis+cluster://{hosts}", events)

    await cache.put_many({key: a_result(key.encode()) for key in KEYS})
    found = await opened(cache, KEYS)

    await cache.close()
    assert found == [a_result(key.encode()) for key in KEYS]
    assert events == []
    with Redis(port=nodes[1].port) as client:
        assert client.dbsize() > 0


async def test_a_cluster_answers_from_the_other_nodes_when_one_is_gone(
    start_redis: Callable[..., RedisServer],
) -> None:
    nodes = _form_cluster(start_redis, "cluster-require-full-coverage no")
    events: list[CacheEvent] = []
    cache = a_cache(f"redis+cluster://127.0.0.1:{nodes[0].port}", events)
    await cache.put_many(dict.fromkeys(KEYS, a_result()))
    with Redis(port=nodes[2].port) as client:
        lost: int = client.dbsize()

    nodes[2].process.kill()
    found = await opened(cache, KEYS)

    await cache.close()
    assert found.count(a_result()) == len(KEYS) - lost
    assert events == [CacheEvent.UNREACHABLE]
    assert not cache.is_bypassed


async def test_sentinels_lead_to_the_new_master_when_the_old_one_is_gone(
    start_redis: Callable[..., RedisServer],
) -> None:
    master = start_redis()
    replica = start_redis(f"replicaof 127.0.0.1 {master.port}")
    sentinel = start_redis(
        f"sentinel monitor winnow 127.0.0.1 {master.port} 1",
        "sentinel down-after-milliseconds winnow 200",
    )
    events: list[CacheEvent] = []
    cache = a_cache(f"redis+sentinel://127.0.0.1:{sentinel.port}/winnow", events)
    await cache.put_many({KEYS[0]: a_result()})
    master.process.wait_for_output("Synchronization with replica", 20.0)

    master.process.kill()
    sentinel.process.wait_for_output("+switch-master", 30.0)
    await opened(cache, KEYS[:1])  # may find the connection broken
    await cache.put_many({KEYS[1]: a_result(b"on the new master")})
    found = await opened(cache, KEYS[:2])

    await cache.close()
    assert found == [a_result(), a_result(b"on the new master")]
    assert set(events) <= {CacheEvent.UNREACHABLE}
    with Redis(port=replica.port) as client:
        assert client.dbsize() == 2


def _form_cluster(start_redis: Callable[..., RedisServer], *lines: str) -> list[RedisServer]:
    """Start three nodes, give each its share of the 16384 slots, and wait until all know.

    Each gets a port for its bus: the default one may be in use by an outgoing connection.
    """
    buses = [free_port() for _ in range(3)]
    nodes = [start_redis("cluster-enabled yes", f"cluster-port {bus}", *lines) for bus in buses]
    clients = [Redis(port=node.port) for node in nodes]
    share = 16384 // len(nodes) + 1
    for number, client in enumerate(clients):
        last = min((number + 1) * share, 16384) - 1
        client.cluster("ADDSLOTSRANGE", number * share, last)
        client.cluster("MEET", "127.0.0.1", nodes[0].port, buses[0])
    for node in nodes:
        node.process.wait_for_output("Cluster state changed: ok", 20.0)
    for client in clients:
        client.close()
    return nodes
