"""What is taken from aiokafka's buffers, and to which generation of the group it belongs."""

import asyncio
import itertools
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiokafka.client import ConnectionGroup
from aiokafka.errors import ConsumerStoppedError, KafkaError
from faust.types.tuples import TP

from winnow.streams.kafka.fetching import (
    POLL_BYTES,
    ConsumerThread,
    CoordinationLostError,
    Fetched,
    Intake,
    NameWatch,
)
from winnow.streams.records import Headers

PARTITION = TP("pages", 0)
LONG_S = 60.0


class FakeFetcher:
    """Holds records as aiokafka's fetcher does, and wakes those who wait for some."""

    def __init__(self) -> None:
        self._closed = False
        self._records: dict[TP, Any] = {}
        self._held: list[Any] = []
        self._waiters: list[asyncio.Future[None]] = []
        self.is_waited_for = asyncio.Event()

    async def fetched_records(
        self, partitions: Collection[TP], wait_s: float, max_records: int
    ) -> dict[TP, list[Any]]:
        assert PARTITION in partitions
        assert wait_s == 0
        taken, self._held = self._held[:max_records], self._held[max_records:]
        return {PARTITION: taken} if taken else {}

    def _create_fetch_waiter(self) -> asyncio.Future[None]:
        self.is_waited_for.set()
        self._waiters.append(asyncio.get_running_loop().create_future())
        return self._waiters[-1]

    def arrive(self, *values: bytes, headers: Headers = ()) -> None:
        place = {"topic": "pages", "partition": 0, "offset": 0, "key": None, "headers": headers}
        self._held += [SimpleNamespace(**place, value=value) for value in values]
        for waiter in self._waiters:
            waiter.set_result(None)


class Member:
    """A member of a group; its `consumer` is as much of aiokafka's as is asked for."""

    def __init__(self) -> None:
        self.fetcher = FakeFetcher()
        self.is_flowing = True
        self.state = SimpleNamespace(has_valid_position=True, position=0)
        self.subscription = SimpleNamespace(
            reassignment_in_progress=False,
            fetch_context=nullcontext,
            subscription=SimpleNamespace(assignment=SimpleNamespace(state_value=self._state_of)),
        )
        self.coordinator = SimpleNamespace(generation=1)
        self.consumer: Any = SimpleNamespace(
            _closed=False,
            _fetcher=self.fetcher,
            _subscription=self.subscription,
            _coordinator=self.coordinator,
        )
        self.intake = Intake(lambda: self.is_flowing)

    def _state_of(self, partition: TP) -> SimpleNamespace | None:
        return self.state if partition == PARTITION else None

    async def fetch(self, wait_s: float = LONG_S) -> tuple[int, list[bytes]]:
        fetched = await self.intake.fetch(self.consumer, frozenset([PARTITION]), wait_s)
        arrived = fetched.records.get(PARTITION, [])
        return fetched.generation, [each.record.value or b"" for each in arrived]


async def test_records_that_have_arrived_are_taken_at_once() -> None:
    member = Member()
    member.fetcher.arrive(b"one", b"two")

    assert await member.fetch() == (1, [b"one", b"two"])


async def test_a_fetch_that_outlasts_a_rebalance_belongs_to_the_new_generation() -> None:
    member = Member()
    waiting = asyncio.create_task(member.fetch())
    await member.fetcher.is_waited_for.wait()

    member.coordinator.generation = 2
    member.fetcher.arrive(b"one")

    assert await waiting == (2, [b"one"])


@pytest.mark.parametrize("cause", ["rebalance", "seek to come"])
async def test_nothing_is_taken_while_no_records_may_flow(cause: str) -> None:
    member = Member()
    waiting = asyncio.create_task(member.fetch())
    await member.fetcher.is_waited_for.wait()
    member.is_flowing = cause == "rebalance"
    member.subscription.reassignment_in_progress = cause == "rebalance"
    member.fetcher.arrive(b"one")

    assert await waiting == (1, [])

    member.is_flowing = True
    member.subscription.reassignment_in_progress = False
    assert await member.fetch() == (1, [b"one"])


async def test_a_fetch_ends_when_nothing_arrives() -> None:
    assert await Member().fetch(wait_s=0) == (1, [])


async def test_an_empty_fetch_returns_the_positions_at_its_end() -> None:
    member = Member()
    asked = frozenset([PARTITION, TP("pages", 1)])
    waiting = asyncio.create_task(member.intake.fetch(member.consumer, asked, 0))
    member.state.position = 7
    await member.fetcher.is_waited_for.wait()

    member.coordinator.generation = 2  # in a whole rebalance
    member.state.position = 5

    assert await waiting == Fetched(2, {}, {PARTITION: 5})


async def test_records_are_bounded_in_bytes() -> None:
    member = Member()
    record = bytes(POLL_BYTES // 4)
    member.fetcher.arrive(*[record] * 40)

    _, first = await member.fetch()
    _, second = await member.fetch()

    assert len(first) <= 4 + 8  # the first guess of a size may be wrong
    assert len(second) == 4


async def test_records_are_bounded_in_bytes_of_their_headers() -> None:
    member = Member()
    member.fetcher.arrive(*[b""] * 40, headers=(("large", bytes(POLL_BYTES // 4)),))

    await member.fetch()
    _, second = await member.fetch()

    assert len(second) == 4


async def test_a_closed_consumer_gives_no_records() -> None:
    member = Member()
    member.fetcher.arrive(b"one")
    member.consumer._closed = True

    with pytest.raises(ConsumerStoppedError):
        await member.fetch()


class Membership:
    """As much of a consumer thread as is asked whether it still is a member."""

    def __init__(self, *, stops_meanwhile: bool) -> None:
        self.should_stop = False
        self._stops_meanwhile = stops_meanwhile
        self._coordinator: Any = SimpleNamespace(_pending_exception=None, member_id="winnow-1")
        self._name_watch = NameWatch(None, lambda: 0.0)
        self.tasks = [self.task(has_ended=False) for _ in range(3)]

    def task(self, *, has_ended: bool) -> SimpleNamespace:
        return SimpleNamespace(
            done=lambda: has_ended and self._end(self._stops_meanwhile),
            cancelled=lambda: False,
            exception=OSError,
        )

    def end(self, which: int) -> "Membership":
        self.tasks[which] = self.task(has_ended=True)
        return self

    def _endless_tasks(self) -> list[SimpleNamespace]:
        return self.tasks

    def _end(self, stops_meanwhile: bool) -> bool:
        self.should_stop = stops_meanwhile
        return True


def test_membership_lasts_while_all_tasks_of_the_client_do() -> None:
    assert ConsumerThread.coordination_error(cast("Any", Membership(stops_meanwhile=False))) is None


@pytest.mark.parametrize("which", range(3))
def test_membership_that_ends_is_an_error_with_its_cause(which: int) -> None:
    membership = Membership(stops_meanwhile=False).end(which)

    error = ConsumerThread.coordination_error(cast("Any", membership))

    assert isinstance(error, CoordinationLostError)
    assert "OSError" in str(error)


def test_a_member_that_is_fenced_while_it_joins_names_the_shared_name() -> None:
    membership = Membership(stops_meanwhile=False).end(0)
    membership._name_watch = NameWatch("pod-0", lambda: 0.0)
    membership._coordinator._pending_exception = KafkaError("FencedInstanceId()")

    error = ConsumerThread.coordination_error(cast("Any", membership))

    assert "the static member pod-0 too" in str(error)


def test_a_member_whose_group_is_full_names_the_setting_of_the_brokers() -> None:
    membership = Membership(stops_meanwhile=False).end(0)
    membership._coordinator._pending_exception = KafkaError("GroupMaxSizeReached()")

    error = ConsumerThread.coordination_error(cast("Any", membership))

    assert "the group is full: raise group.max.size" in str(error)


def watched(name: str | None, ids: Sequence[str], seconds: float) -> list[str]:
    """Return the log lines about a member with these ids, at intervals of some seconds."""
    now = itertools.count(0, seconds)
    watch = NameWatch(name, lambda: next(now))
    return [str(error) for error in map(watch.error, ids) if error]


def test_a_static_member_that_is_fenced_repeatedly_names_the_shared_name() -> None:
    ids = [f"pod-0-{number}" for number in range(6) for _ in range(3)]

    said = watched("pod-0", ids, 1)

    assert said
    assert "the static member pod-0 too" in said[0]
    assert "WINNOW_GROUP_INSTANCE" in said[0]


@pytest.mark.parametrize(
    ("name", "ids", "seconds"),
    [
        (None, [f"m-{number}" for number in range(20)], 1),  # no static member
        ("pod-0", ["pod-0-1"] * 20, 1),  # never ousted
        ("pod-0", ["", "pod-0-1", "", "pod-0-1"] * 5, 1),  # joins, and keeps its id
        ("pod-0", [f"pod-0-{number}" for number in range(20)], 20),  # frozen from time to time
        ("pod-0", [f"pod-0-{number}" for number in range(5)], 1),  # too few to tell
    ],
)
def test_a_name_is_not_taken_because_of(name: str | None, ids: list[str], seconds: float) -> None:
    assert watched(name, ids, seconds) == []


def test_a_connecting_consumer_has_no_lost_membership_and_no_generation() -> None:
    starting: Any = SimpleNamespace(_coordinator=None, should_stop=False)

    assert ConsumerThread.coordination_error(starting) is None
    assert ConsumerThread.generation.fget(starting) == -1  # type: ignore[attr-defined]


def test_membership_given_up_between_two_looks_is_not_an_error() -> None:
    membership = Membership(stops_meanwhile=True).end(0)

    assert ConsumerThread.coordination_error(cast("Any", membership)) is None


@pytest.mark.parametrize("generation", [-1, 3], ids=["first", "again"])
async def test_a_member_that_leaves_cancels_its_join(generation: int) -> None:
    connection = Connection()
    joining = asyncio.create_task(asyncio.Event().wait())
    coordinator = SimpleNamespace(
        _coordination_task=joining,
        _stop_heartbeat_task=lambda: asyncio.sleep(0),
        _client=SimpleNamespace(_conns={(7, ConnectionGroup.COORDINATION): connection}),
        coordinator_id=7,
        member_id="winnow-1",
        generation=generation,
    )

    await ConsumerThread._end_coordination(cast("Any", SimpleNamespace(_coordinator=coordinator)))

    assert joining.cancelled()
    assert connection.is_closed
    assert coordinator.generation == max(1, generation)  # aiokafka asks for one before it leaves


class Connection:
    """Waits for an answer."""

    def __init__(self) -> None:
        self._requests = ["join"]
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True
