"""The agent lets go of a record only when all it gives is stored."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from aiokafka.errors import BrokerResponseError
from faust.types.tuples import TP

from tests.unit.streams.agent_host import Counting, FakeHost, Start, a_page
from winnow.streams.cache.results import CacheKey, MemoryCache
from winnow.streams.deadletters import DeadLetterLimits
from winnow.streams.errors import DeliveryError, TooManyDeadLetters
from winnow.streams.health import Phase
from winnow.streams.kafka.batches import Marker
from winnow.streams.outcomes import Outcome


async def test_agent_acks_and_commits_only_after_everything_is_stored(start: Start) -> None:
    running = start()
    running.put(a_page(1, b"one"), a_page(2, b"bad"))
    await running.until(lambda: running.host.sent == 3)
    assert running.host.happened == ["take 1", "take 2"]

    running.host.stored.set()
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened == [
        "take 1",
        "take 2",
        "documents 1",
        "stats 1",
        "dead 2",
        "done 1",
        "done 2",
        "commit",
    ]


async def test_agent_cleans_the_next_batch_and_no_more_while_one_is_being_stored(
    start: Start,
) -> None:
    running = start()

    running.put(*(a_page(offset, b"page") for offset in range(6)))
    async with asyncio.timeout(5):
        while running.host.sent < 4 or running.state.phase is not Phase.HANDING_OVER:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)

    assert running.host.happened == ["take 0", "take 1", "take 2", "take 3"]
    running.host.stored.set()
    await running.until(lambda: running.host.happened.count("commit") == 3)
    done = [each for each in running.host.happened if each.startswith("done")]
    assert done == [f"done {offset}" for offset in range(6)]
    assert running.observer.taken == [(2, True), (2, True), (2, False)]


async def test_agent_says_how_long_each_stage_of_a_batch_took(start: Start) -> None:
    running = start()
    running.host.stored.set()
    began = time.perf_counter()

    running.put(a_page(1, b"page"))
    await running.until(lambda: bool(running.observer.results))

    seconds = running.observer.seconds
    assert set(seconds) == {"decode", "cache", "clean", "publish", "commit"}
    assert min(seconds.values()) >= 0
    assert sum(seconds.values()) <= time.perf_counter() - began


async def test_agent_publishes_a_page_from_the_cache_when_it_comes_again(start: Start) -> None:
    running = start()
    running.host.stored.set()

    running.put(a_page(1, b"page"))
    await running.until(lambda: len(running.observer.results) == 1)
    running.put(a_page(1, b"page"))
    await running.until(lambda: len(running.observer.results) == 2)

    outcomes = [each.outcome for each in running.observer.results]
    assert outcomes == [Outcome.DOCUMENT, Outcome.CACHED]


async def test_agent_commits_a_deletion_only_after_the_cache_was_updated(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start()
    running.host.stored.set()
    forget_many = MemoryCache.forget_many

    async def noted(cache: MemoryCache, keys: Sequence[CacheKey]) -> bool:
        running.host.note(f"forget {len(keys)}")
        return await forget_many(cache, keys)

    monkeypatch.setattr(MemoryCache, "forget_many", noted)

    running.put(a_page(1, None))
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened[-3:] == ["forget 1", "done 1", "commit"]


async def test_agent_ignores_records_fetched_before_a_rebalance(
    start: Start,
) -> None:
    running = start()
    running.host.stored.set()

    running.put(a_page(1, b"old", generation=0), a_page(2, b"new"))
    await running.until(lambda: "commit" in running.host.happened)

    assert "take 1" not in running.host.happened
    assert "done 1" not in running.host.happened


async def test_agent_skips_markers_without_making_a_batch(
    start: Start,
) -> None:
    running = start()
    running.host.stored.set()

    for generation in (0, 1):
        running.queue.put_nowait(Marker(TP("winnow.pages", 0), 7, generation))
    await running.until(lambda: bool(running.host.happened))
    running.put(a_page(7, b"page"))
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened[:2] == ["pass over 7", "take 7"]
    assert "pass over 7" not in running.host.happened[1:]
    assert running.observer.taken == [(1, False)]


async def test_agent_publishes_nothing_more_when_a_commit_shows_that_its_generation_has_ended(
    start: Start,
) -> None:
    running = start(FakeHost(next_generation=-1))

    running.put(*(a_page(offset, b"page") for offset in range(4)))
    await running.until(lambda: "take 3" in running.host.happened)
    running.host.stored.set()
    await running.until(lambda: "release 3" in running.host.happened)

    stored = [each for each in running.host.happened if each.startswith("documents")]
    assert stored == ["documents 0", "documents 1"]
    assert running.host.happened[-3:] == ["commit", "release 2", "release 3"]


async def test_agent_goes_on_with_records_of_the_generation_that_follows(
    start: Start, cleaner: Counting
) -> None:
    running = start(FakeHost(next_generation=2))
    running.host.stored.set()

    running.put(*(a_page(offset, b"page") for offset in range(4)))
    await running.until(lambda: "release 3" in running.host.happened)
    running.put(*(a_page(offset, b"page", generation=2) for offset in (2, 3)))
    await running.until(lambda: running.host.happened.count("commit") == 2)

    done = [each for each in running.host.happened if each.startswith("done")]
    assert done == ["done 0", "done 1", "done 2", "done 3"]
    assert running.observer.dropped == [2]
    assert cleaner.batches == [2, 2]  # what was dropped is not cleaned again


async def test_agent_fails_and_acks_nothing_when_the_brokers_refuse_for_good(
    start: Start,
) -> None:
    running = start(FakeHost(failure=BrokerResponseError()))
    running.host.stored.set()

    running.put(a_page(1, b"one"))

    with pytest.raises(DeliveryError, match="BrokerResponseError"):
        await running.task
    assert running.host.happened == ["take 1"]
    assert running.state.phase is Phase.ENDED


async def test_agent_fails_with_an_exception_that_faust_handles_for_any_error(
    start: Start,
) -> None:
    class Panic(BaseException):
        pass

    running = start(FakeHost(failure=Panic("in native code")))
    running.host.stored.set()

    running.put(a_page(1, b"one"))

    with pytest.raises(RuntimeError, match="in native code"):
        await running.task


async def test_agent_stops_and_publishes_nothing_of_the_batch_when_too_many_pages_are_dead(
    start: Start,
) -> None:
    running = start(limits=DeadLetterLimits(consecutive=2))
    running.host.stored.set()

    running.put(a_page(1, b"bad"), a_page(2, b"bad"))

    with pytest.raises(TooManyDeadLetters, match="2 dead letters in a row"):
        await running.task
    assert running.host.happened == ["take 1", "take 2"]


async def test_agent_continues_with_any_number_of_deleted_or_skipped_pages(start: Start) -> None:
    running = start(limits=DeadLetterLimits(consecutive=2))
    running.host.stored.set()

    skipped = (("status", b"503"),)
    running.put(*(a_page(offset, None) for offset in range(4)))
    running.put(*(a_page(offset, b"x", headers=skipped) for offset in range(4, 8)))
    await running.until(lambda: running.host.happened.count("commit") == 4)

    done = [each for each in running.host.happened if each.startswith("done")]
    assert done == [f"done {offset}" for offset in range(8)]


async def test_deletions_between_dead_letters_do_not_hide_them(start: Start) -> None:
    running = start(limits=DeadLetterLimits(consecutive=2))
    running.host.stored.set()

    running.put(a_page(1, b"bad"), a_page(2, None), a_page(3, None))
    running.put(a_page(4, b"bad"))

    with pytest.raises(TooManyDeadLetters, match="2 dead letters in a row"):
        await running.task
