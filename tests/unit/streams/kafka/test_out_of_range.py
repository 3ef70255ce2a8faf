"""A position that a broker calls out of range is given up only when its leader says so too."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, Final

import pytest
from aiokafka import TopicPartition
from aiokafka.consumer import fetcher as aiokafka_fetcher
from aiokafka.consumer.subscription_state import (  # type: ignore[import-untyped]
    SubscriptionState,
)
from aiokafka.errors import NotLeaderForPartitionError, OffsetOutOfRangeError

from winnow.streams.kafka import positions
from winnow.streams.kafka.positions import MOST_DENIALS, CarefulFetcher

PAGES: Final = TopicPartition("pages", 0)
OTHERS: Final = TopicPartition("pages", 1)
POSITION: Final = 500
LEADER, STALE = 1, 2
FIRST = aiokafka_fetcher.OffsetResetStrategy.EARLIEST
LAYOUT_OF_FETCHES: Final = 11
LAYOUT_OF_OFFSETS: Final = 3
Span = tuple[int, int]


class Brokers:
    """Answers fetches by out of range, and tells the ends of logs as a test says."""

    def __init__(self, spans: Callable[[], Span | None]) -> None:
        self.asked: list[int] = []
        self.knows_leader = True
        self.cluster = SimpleNamespace(leader_for_partition=lambda _: self.leader)
        self.leader: int | None = STALE
        self._spans = spans

    async def force_metadata_update(self) -> bool:
        self.leader = LEADER
        return self.knows_leader

    async def send(self, node: int, request: Any) -> SimpleNamespace:  # noqa: ANN401 - aiokafka's
        if not hasattr(request, "_isolation_level"):
            error = OffsetOutOfRangeError.errno
            parts = [(number, error, 0, 0, 0, (), -1, b"") for number, *_ in request.topics[0][1]]
            return SimpleNamespace(API_VERSION=LAYOUT_OF_FETCHES, topics=[("pages", parts)])
        self.asked.append(node)
        ((_, wanted),) = request._topics
        span = self._spans() if node == LEADER else None
        error = 0 if span else NotLeaderForPartitionError.errno
        found = span or (-1, -1)
        ends = [(n, error, -1, found[0 if which == FIRST else 1]) for n, which in wanted]
        return SimpleNamespace(API_VERSION=LAYOUT_OF_OFFSETS, topics=[("pages", ends)])


class Reader:
    """A consumer at `POSITION` of two partitions."""

    def __init__(self, brokers: Brokers) -> None:
        self.brokers = brokers
        self.subscription = SubscriptionState()
        self.subscription.subscribe({"pages"})
        self.subscription.assign_from_subscribed({PAGES, OTHERS})
        self.assignment: Any = self.subscription.subscription.assignment
        self.fetcher: Any = CarefulFetcher.__new__(CarefulFetcher)
        vars(self.fetcher).update(
            _doubts={},
            _client=brokers,
            _subscriptions=self.subscription,
            _records=OrderedDict(),
            _preferred_read_replica={},
            _client_rack=None,
            _rack_warning_logged=False,
            _default_reset_strategy=FIRST,
            _isolation_level=aiokafka_fetcher.READ_COMMITTED,
            _retry_backoff=0,
        )
        for tp in (PAGES, OTHERS):
            self.assignment.state_value(tp).seek(POSITION)

    async def fetch(self, *tps: TopicPartition) -> None:
        wanted = [
            (number, self.assignment.state_value((topic, number)).position, 1)
            for topic, number in tps
        ]
        asked = SimpleNamespace(topics=[("pages", wanted)])
        await self.fetcher._proc_fetch_request(self.assignment, STALE, asked)

    async def look(self, times: int, tps: Iterable[TopicPartition] = (PAGES,)) -> None:
        """Have the fetcher look for positions as often as it would."""
        for _ in range(times):
            missing = [tp for tp in tps if not self.assignment.state_value(tp).has_valid_position]
            if missing:
                await self.fetcher._update_fetch_positions(self.assignment, LEADER, missing)

    def position(self, tp: TopicPartition = PAGES) -> int | None:
        state = self.assignment.state_value(tp)
        return int(state.position) if state.has_valid_position else None


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "ASK_AGAIN_S", 0.0)


@pytest.mark.parametrize("span", [(0, 900), (POSITION, 900), (0, POSITION), (POSITION, POSITION)])
async def test_reading_goes_on_where_the_leader_has_the_position(
    span: Span, caplog: pytest.LogCaptureFixture
) -> None:
    reader = Reader(Brokers(lambda: span))
    await reader.fetch(PAGES)
    assert reader.position() is None

    await reader.look(1)

    assert reader.position() == POSITION
    assert set(reader.brokers.asked) == {LEADER}  # as fresh metadata has it
    assert "is in the log of its leader" in caplog.text


async def test_reading_restarts_at_once_after_retention_passed_the_position(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reader = Reader(Brokers(lambda: (700, 900)))
    await reader.fetch(PAGES)

    await reader.look(2)

    assert reader.position() == 700
    assert "is out of range, its leader has 700 to 900: begins again" in caplog.text


async def test_reading_restarts_when_the_log_stays_shorter() -> None:
    reader = Reader(Brokers(lambda: (10, 20)))
    await reader.fetch(PAGES)

    await reader.look(MOST_DENIALS - 1)
    assert reader.position() is None
    await reader.look(2)

    assert reader.position() == 10


async def test_reading_continues_while_a_new_leader_learns_its_high_watermark() -> None:
    spans = iter([(0, 0), (0, 499), (0, 500)])
    reader = Reader(Brokers(lambda: next(spans_each)))
    spans_each = (span for span in spans for _ in range(2))  # asked for both of its ends
    await reader.fetch(PAGES)

    await reader.look(3)

    assert reader.position() == POSITION


async def test_records_are_kept_while_no_leader_answers() -> None:
    reader = Reader(Brokers(lambda: None))
    await reader.fetch(PAGES)

    await reader.look(3 * MOST_DENIALS)

    assert reader.position() is None
    assert reader.fetcher._doubts[PAGES].denials == 0


async def test_records_are_kept_while_there_is_no_metadata() -> None:
    brokers = Brokers(lambda: (0, 0))
    brokers.knows_leader = False
    reader = Reader(brokers)
    await reader.fetch(PAGES)

    await reader.look(3 * MOST_DENIALS)

    assert (reader.position(), brokers.asked) == (None, [])


@pytest.mark.parametrize("leader", [None, -1])
async def test_records_are_kept_while_there_is_no_leader(leader: int | None) -> None:
    brokers = Brokers(lambda: (0, 0))
    reader = Reader(brokers)
    brokers.cluster.leader_for_partition = lambda _: leader
    await reader.fetch(PAGES)

    await reader.look(3 * MOST_DENIALS)

    assert (reader.position(), brokers.asked) == (None, [])


async def test_partitions_in_doubt_are_settled_together() -> None:
    reader = Reader(Brokers(lambda: (0, 900)))
    await reader.fetch(PAGES, OTHERS)

    await reader.look(1, (PAGES, OTHERS))

    assert (reader.position(PAGES), reader.position(OTHERS)) == (POSITION, POSITION)
    assert len(reader.brokers.asked) == 2


async def test_a_seek_resets_a_position_in_doubt() -> None:
    reader = Reader(Brokers(lambda: (0, 900)))
    await reader.fetch(PAGES)
    reader.assignment.state_value(PAGES).seek(800)

    await reader.look(1)
    assert reader.position() == 800
    await reader.fetch(PAGES)
    await reader.look(1)

    assert reader.position() == 800


async def test_a_partition_without_a_committed_offset_begins_at_the_first_record() -> None:
    reader = Reader(Brokers(lambda: (30, 900)))
    reader.assignment.state_value(PAGES).await_reset(FIRST)

    await reader.look(1)

    assert reader.position() == 30


async def test_a_fetch_of_an_ended_assignment_raises_no_doubt() -> None:
    reader = Reader(Brokers(lambda: (0, 900)))
    fetching = asyncio.ensure_future(reader.fetch(PAGES))
    reader.subscription.begin_reassignment()
    reader.subscription.assign_from_subscribed({PAGES})

    await fetching

    assert reader.fetcher._doubts == {}


async def test_a_cancelled_settling_ends_without_an_error() -> None:
    reader = Reader(Brokers(lambda: (0, 900)))
    await reader.fetch(PAGES)
    reader.brokers.force_metadata_update = asyncio.Event().wait  # type: ignore[method-assign]
    settling = asyncio.ensure_future(reader.look(1))
    await asyncio.sleep(0)

    settling.cancel()
    await settling

    assert reader.position() is None


@pytest.fixture(autouse=True)
def _all_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
