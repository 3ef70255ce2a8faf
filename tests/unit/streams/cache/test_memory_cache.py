"""The bounds of the cache in memory: entries, bytes, time."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clocks import ManualClock
from winnow.streams.cache.results import (
    CachedResult,
    CacheKey,
    MemoryCache,
    MemoryCacheLimits,
    cache_key,
    page_digest,
)

A, B, C, D = CacheKey("a"), CacheKey("b"), CacheKey("c"), CacheKey("d")


def a_result(size: int = 10) -> CachedResult:
    return CachedResult("00" * 32, document=b"d" * size, stats=b"")


def a_cache(
    clock: ManualClock, entries: int = 100, total_bytes: int = 1 << 20, ttl_s: float = 60.0
) -> MemoryCache:
    return MemoryCache(MemoryCacheLimits(entries, total_bytes, ttl_s), clock)


async def test_get_misses_when_the_time_to_live_has_passed() -> None:
    clock = ManualClock()
    cache = a_cache(clock, ttl_s=60.0)
    await cache.put_many({A: a_result()})

    clock.advance(59.9)
    before = await cache.get_many([A])
    clock.advance(0.1)
    after = await cache.get_many([A])

    assert (before, after) == ([a_result()], [None])
    assert len(cache) == 0


async def test_the_result_stored_longest_ago_is_forgotten_when_entries_are_too_many() -> None:
    cache = a_cache(ManualClock(), entries=2)
    await cache.put_many({A: a_result(), B: a_result()})
    await cache.put_many({A: a_result()})

    await cache.put_many({C: a_result()})

    assert await cache.get_many([A, B, C]) == [a_result(), None, a_result()]


async def test_results_are_forgotten_when_bytes_are_too_many() -> None:
    cache = a_cache(ManualClock(), total_bytes=250)

    await cache.put_many({A: a_result(100), B: a_result(100), C: a_result(100)})

    assert await cache.get_many([A, B, C]) == [None, a_result(100), a_result(100)]


@given(st.lists(st.tuples(st.sampled_from([A, B, C, D]), st.binary(max_size=40)), max_size=60))
async def test_a_result_is_the_last_stored_one_or_none_for_any_sequence(
    stored: list[tuple[CacheKey, bytes]],
) -> None:
    cache, last = a_cache(ManualClock(), total_bytes=64), {}
    for key, text in stored:
        result = CachedResult(text.hex(), text[: len(text) // 2], text[len(text) // 2 :])
        await cache.put_many({key: result})
        last[key] = result

        found = await cache.get_many(list(last))

        assert [each for each in found if each] == [
            last[each] for each, hit in zip(last, found, strict=True) if hit
        ]
        assert await cache.get_many([key]) == [result]
        assert sum(len(each.document + each.stats) for each in found if each) <= 64


async def test_an_empty_result_does_not_hide_overwritten_results() -> None:
    cache = a_cache(ManualClock(), total_bytes=64)
    await cache.put_many({A: a_result(0)})
    await cache.put_many({B: a_result(33)})

    await cache.put_many({C: a_result(32)})

    assert await cache.get_many([A, B, C]) == [None, None, a_result(32)]


async def test_a_result_is_a_copy_that_does_not_share_memory_between_pages() -> None:
    cache = a_cache(ManualClock())
    result = a_result(5000)
    before = sys.getrefcount(result), sys.getrefcount(result.document)

    await cache.put_many({A: result})

    assert (sys.getrefcount(result), sys.getrefcount(result.document)) == before


async def test_a_result_larger_than_the_cache_is_not_stored_and_evicts_nothing() -> None:
    cache = a_cache(ManualClock(), total_bytes=2000)
    await cache.put_many({A: a_result()})

    await cache.put_many({B: a_result(5000)})

    assert await cache.get_many([A, B]) == [a_result(), None]


async def test_the_old_result_is_gone_when_its_replacement_is_too_large() -> None:
    cache = a_cache(ManualClock(), total_bytes=2000)
    await cache.put_many({A: a_result()})

    await cache.put_many({A: a_result(5000)})

    assert await cache.get_many([A]) == [None]


async def test_close_forgets_everything() -> None:
    cache = a_cache(ManualClock())
    await cache.put_many({A: a_result()})

    await cache.close()

    assert len(cache) == 0


@pytest.mark.parametrize("limits", [(0, 1, 1.0), (1, 0, 1.0), (1, 1, 0.0), (1, -5, 1.0)])
def test_limits_are_refused_when_one_is_not_above_zero(limits: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        MemoryCacheLimits(*limits)


def test_keys_differ_when_fingerprint_or_url_differs() -> None:
    keys = {
        cache_key(fingerprint, url)
        for fingerprint in ("one", "two")
        for url in ("https://example.org/", "https://example.org/a", "\ud800")
    }

    assert len(keys) == 6


def test_pages_differ_when_content_or_content_type_differs() -> None:
    digests = {
        page_digest(content, content_type)
        for content in ("0" * 64, "1" * 64)
        for content_type in ("", "a", "text/html; charset=utf-8", "\ud800")
    }

    assert len(digests) == 8


def test_pages_differ_when_the_wishes_of_headers_differ() -> None:
    digests = {
        page_digest("0" * 64, "text/html", "noindex"),
        page_digest("0" * 64, "text/html", "noai"),
        page_digest("0" * 64, "text/htmlnoai"),
        page_digest("0" * 64, "text/html"),
    }

    assert len(digests) == 4
