"""What every `ResultCache` does: the same tests for the cache in memory and for Redis."""

import os
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.cached import opened
from tests.services.fixtures import INTEGRATION_TIMEOUT_S
from winnow.streams.cache.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from winnow.streams.cache.redis_client import open_client, parse_address
from winnow.streams.cache.results import (
    CachedResult,
    CacheKey,
    MemoryCache,
    MemoryCacheLimits,
    ResultCache,
    cache_key,
)

REDIS = pytest.param(
    "redis", marks=[pytest.mark.integration, pytest.mark.timeout(INTEGRATION_TIMEOUT_S)]
)
# long enough for a busy machine: these tests are about results, not about time
PATIENT = RedisCacheLimits(timeout_s=10.0, value_bytes=16 << 20)


@pytest_asyncio.fixture(params=["memory", REDIS])
async def cache(request: pytest.FixtureRequest) -> AsyncIterator[ResultCache]:
    events: list[CacheEvent] = []
    if request.param == "memory":
        made: ResultCache = MemoryCache(MemoryCacheLimits(), time.monotonic)
    else:
        url = request.getfixturevalue("redis_url")
        client = open_client(parse_address(url), password_file=None, timeout_s=PATIENT.timeout_s)
        made = RedisCache(client, PATIENT, time.monotonic, events.append)
    yield made
    await made.close()
    assert events == []


@pytest.fixture
def keys(unique_name: str) -> list[CacheKey]:
    """Twenty keys that no other test uses."""
    return [cache_key(unique_name, f"https://example.org/{number}") for number in range(20)]


def a_result(text: bytes = b'{"text":"Grain."}', digest: str = "ab" * 32) -> CachedResult:
    return CachedResult(page_digest=digest, document=text, stats=b'{"tokens":2}')


async def test_get_misses_when_nothing_was_put(cache: ResultCache, keys: list[CacheKey]) -> None:
    found = await opened(cache, keys[:2])

    assert found == [None, None]


async def test_get_returns_results_in_key_order_and_none_for_misses(
    cache: ResultCache, keys: list[CacheKey]
) -> None:
    first, third = a_result(b"first"), a_result(b"third")
    await cache.put_many({keys[2]: third, keys[0]: first})

    found = await opened(cache, [keys[0], keys[1], keys[2], keys[0]])

    assert found == [first, None, third, first]


async def test_forget_drops_only_the_named_results(
    cache: ResultCache, keys: list[CacheKey]
) -> None:
    await cache.put_many({key: a_result() for key in keys[:3]})

    assert await cache.forget_many([keys[0], keys[2], keys[9]])

    assert await opened(cache, keys[:3]) == [None, a_result(), None]
    assert await cache.forget_many([])


async def test_put_replaces_when_the_page_has_changed(
    cache: ResultCache, keys: list[CacheKey]
) -> None:
    await cache.put_many({keys[0]: a_result(b"old", digest="00" * 32)})

    await cache.put_many({keys[0]: a_result(b"new", digest="11" * 32)})

    assert await opened(cache, keys[:1]) == [a_result(b"new", digest="11" * 32)]


async def test_an_empty_batch_reads_and_stores_nothing(
    cache: ResultCache,
) -> None:
    await cache.put_many({})

    assert await opened(cache, []) == []


async def test_another_fingerprint_misses_when_the_url_is_the_same(
    cache: ResultCache, unique_name: str
) -> None:
    url = "https://example.org/"
    await cache.put_many({cache_key(f"{unique_name}-a", url): a_result()})

    found = await opened(cache, [cache_key(f"{unique_name}-b", url)])

    assert found == [None]


@pytest.mark.parametrize(
    "document",
    [b"", b"\x00\xff" * 10, "zboże i plewy".encode(), os.urandom(5 << 20)],
    ids=["empty", "binary", "utf8", "five-megabytes"],
)
async def test_a_result_comes_back_byte_for_byte(
    cache: ResultCache, keys: list[CacheKey], document: bytes
) -> None:
    stored = CachedResult("cd" * 32, document, stats=document[:7])

    await cache.put_many({keys[0]: stored})

    assert await opened(cache, keys[:1]) == [stored]


async def test_a_batch_of_a_thousand_results_comes_back(
    cache: ResultCache, unique_name: str
) -> None:
    batch = {
        cache_key(unique_name, f"https://example.org/{number}"): a_result(b"%d" % number)
        for number in range(1000)
    }

    await cache.put_many(batch)

    assert await opened(cache, list(batch)) == list(batch.values())
