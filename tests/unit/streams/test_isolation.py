"""A page that ended processes is cleaned alone, then given up; others are not held up."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from winnow.models.errors import Reason
from winnow.streams.cache.results import (
    CachedResult,
    CacheKey,
    MemoryCache,
    MemoryCacheLimits,
    ResultCache,
)
from winnow.streams.cleaning import BatchCleaner, Options
from winnow.streams.isolation import Crashes, PageCleaner, identity
from winnow.streams.messages import encode
from winnow.streams.outcomes import DeadPage, Outcome
from winnow.streams.pages import arrival_from
from winnow.streams.records import Incoming
from winnow.streams.topics import TopicNames

RecordBuilder = Callable[..., Incoming]


class Notes:
    """Holds what a test says against pages, and what was in flight together."""

    def __init__(self, held: dict[str, Crashes]) -> None:
        self._held = held
        self.hands: list[list[str]] = []
        self.is_held = False

    def crashes(self, page: str) -> Crashes | None:
        return self._held.get(page)

    @contextmanager
    def in_flight(self, pages: Sequence[str]) -> Iterator[None]:
        self.hands.append(list(pages))
        self.is_held = True
        yield
        self.is_held = False


def batch_cleaner(
    cleaner: PageCleaner, notes: Notes, cache: ResultCache | None = None
) -> BatchCleaner:
    options = Options(TopicNames(), notes=notes)
    return BatchCleaner(
        cleaner,
        MemoryCache(MemoryCacheLimits(), lambda: 0.0) if cache is None else cache,
        ThreadPoolExecutor(1),
        options,
        lambda source, error: None,
    )


async def test_records_without_crashes_are_in_flight_together(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(offset=offset) for offset in range(3)]
    notes = Notes({})

    batch = await batch_cleaner(cleaner, notes).clean(records)

    assert len(batch.results) == 3
    assert notes.hands == [[identity(each) for each in records]]


async def test_a_page_that_crashed_is_in_flight_alone_and_the_order_stays(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(b"page %d" % offset, offset=offset) for offset in range(4)]
    names = [identity(each) for each in records]
    notes = Notes({names[1]: Crashes(1), names[2]: Crashes(2)})

    batch = await batch_cleaner(cleaner, notes).clean(records)

    assert [each.record for each in batch.results] == records
    assert {each.outcome for each in batch.results} == {Outcome.DOCUMENT}
    assert notes.hands == [[names[0], names[3]], [names[1]], [names[2]]]


async def test_a_page_is_a_dead_letter_after_three_crashes_with_their_causes(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(offset=offset) for offset in range(2)]
    hung, killed = (identity(each) for each in records)
    notes = Notes({hung: Crashes(3, hung=True), killed: Crashes(3)})

    batch = await batch_cleaner(cleaner, notes).clean(records)

    assert [each.error.reason for each in batch.results if isinstance(each, DeadPage)] == [
        Reason.TIMEOUT,
        Reason.BUG,
    ]
    assert notes.hands == []


async def test_records_are_in_flight_from_decoding_to_encoding(
    cleaner: PageCleaner, record: RecordBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = Notes({})
    held: dict[str, bool] = {}

    def watched(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watch(*given: object) -> object:
            held[step] = notes.is_held
            return function(*given)

        return watch

    class Cache(MemoryCache):
        async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
            held["cache"] = notes.is_held
            return await super().get_many(keys)

    for step, function in (("decode", arrival_from), ("encode", encode)):
        name = function.__name__
        monkeypatch.setattr(f"winnow.streams.cleaning.{name}", watched(step, function))

    await batch_cleaner(cleaner, notes, Cache(MemoryCacheLimits(), lambda: 0.0)).clean(
        [record(b"page")]
    )

    assert held == {"decode": True, "cache": True, "encode": True}
    assert not notes.is_held


def test_a_page_of_another_cluster_at_the_same_place_is_not_held_guilty(
    record: RecordBuilder,
) -> None:
    assert identity(record(key=b"https://a.example/")) != identity(
        record(key=b"https://b.example/")
    )
    assert identity(record(b"short")) != identity(record(b"longer"))
