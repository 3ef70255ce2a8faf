"""Offsets that give no record are committed too, but never before the records below them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from faust.types.tuples import TP
from hypothesis import given
from hypothesis import strategies as st

from tests.clocks import ManualClock
from tests.unit.streams.agent_host import Observer
from tests.unit.streams.member import PARTITION, Member, a_member
from winnow.streams.agents import AgentOptions, PageAgent
from winnow.streams.health import StreamState
from winnow.streams.kafka.batches import Arrived, BatchLimits

LIMITS = BatchLimits(pages=3)


class ReadyProducer:
    """Has nothing under way."""

    def __init__(self) -> None:
        self.buffer = SimpleNamespace(wait_until_ebb=self.flush)

    async def flush(self) -> None:
        pass


class Worker:
    """A member with its queue and its agent; a test is the brokers and the cleaner."""

    def __init__(self, member: Member) -> None:
        self.committed: int | None = None
        self.in_flight: list[Arrived] = []
        self._member = member
        self._app = member.app
        self._consumer = member.consumer
        self._consumer._thread.commit_offsets = self._commit
        self._app._producer = ReadyProducer()
        self.queue = member.queue
        cleaner: Any = None  # nothing is cleaned
        options = AgentOptions("dead", LIMITS)
        state = StreamState(1.0, ManualClock())
        self._agent = PageAgent(self._app, cleaner, options, Observer(), state)

    async def _commit(self, offsets: dict[TP, int]) -> dict[TP, int]:
        self.committed = offsets[PARTITION]
        return offsets

    async def begin_rebalance(self) -> None:
        await self._consumer.on_partitions_revoked({PARTITION})

    async def end_rebalance(self) -> None:
        """Become a member of the next generation, which reads from what is committed."""
        generation = (self._app.consumer_generation_id or 0) + 1
        coordinator = SimpleNamespace(generation=generation)
        self._consumer._thread._consumer = SimpleNamespace(_coordinator=coordinator)
        await self._member.join(generation)
        await self._app.topics.on_partitions_assigned({PARTITION})
        self._consumer.resume_partitions({PARTITION})
        await self._member.seek(self.committed)
        self._app.flow_control.resume()
        self._consumer.resume_flow()

    async def fetch(self, *offsets: int, position: int | None, generation: int = 0) -> None:
        """Let records arrive, and the position after them unless more will come."""
        of = generation or self._app.consumer_generation_id
        await self._member.fetch(of, *offsets, position=position)

    def take(self) -> list[int]:
        """Take a batch as the agent does; return its offsets."""
        taken = self.queue.take_waiting(LIMITS, self._agent._accept)
        self.in_flight += taken
        return [arrived.record.offset for arrived in taken]

    def finish(self, place: int = 0) -> int:
        """Have all stored that a page in flight gives; return its offset."""
        arrived = self.in_flight.pop(place)
        self._consumer.done(arrived)
        return arrived.record.offset

    async def commit(self) -> int | None:
        """Commit as Faust does every second; return what the brokers have."""
        await self._consumer.commit()
        return self.committed


@asynccontextmanager
async def a_worker(committed: int | None = None) -> AsyncIterator[Worker]:
    with a_member(drain_s=0) as member:
        worker = Worker(member)
        worker.committed = committed
        await worker.end_rebalance()
        yield worker


async def test_a_mark_is_committed_though_no_page_follows() -> None:
    async with a_worker() as worker:
        await worker.fetch(0, 1, position=3)
        assert worker.take() == [0, 1]
        worker.finish()
        assert await worker.commit() == 1
        worker.finish()

        assert await worker.commit() == 3


async def test_a_mark_waits_for_the_pages_below_it() -> None:
    async with a_worker() as worker:
        await worker.fetch(0, 1, position=3)
        worker.take()
        worker.finish(1)
        assert await worker.commit() is None

        worker.finish()

        assert await worker.commit() == 3


async def test_a_mark_waits_for_pages_of_its_partition_that_are_not_taken_yet() -> None:
    async with a_worker() as worker:
        await worker.fetch(0, 1, 2, 3, position=5)
        assert worker.take() == [0, 1, 2]
        for _ in range(3):
            worker.finish()

        assert await worker.commit() == 3


async def test_markers_are_committed_in_a_topic_without_pages() -> None:
    async with a_worker() as worker:
        await worker.fetch(position=4)
        assert worker.take() == []

        assert await worker.commit() == 4


async def test_a_partition_without_records_commits_nothing() -> None:
    async with a_worker() as worker:
        await worker.fetch(position=0)

        assert worker.take() == []
        assert await worker.commit() is None


async def test_a_position_is_handed_over_once_and_wakes_the_agent() -> None:
    async with a_worker(committed=5) as worker:
        for position in (5, 6, 6):
            await worker.fetch(position=position)

        assert worker.queue.qsize() == 1
        await worker.queue.wait_for_records()
        assert worker.take() == []
        assert await worker.commit() == 6


async def test_a_position_of_another_generation_is_not_handed_over() -> None:
    async with a_worker(committed=5) as worker:
        await worker.fetch(position=8, generation=7)

        assert worker.queue.empty()


async def test_a_mark_dropped_by_a_rebalance_comes_again() -> None:
    async with a_worker(committed=5) as worker:
        await worker.fetch(5, position=7)
        await worker.begin_rebalance()
        assert worker.queue.empty()
        await worker.end_rebalance()
        assert worker.take() == []
        assert await worker.commit() == 5

        await worker.fetch(5, position=7)
        worker.take()
        worker.finish()

        assert await worker.commit() == 7


async def test_a_mark_of_a_generation_that_has_ended_commits_nothing() -> None:
    async with a_worker(committed=5) as worker:
        await worker.fetch(position=7)
        worker._app.consumer_generation_id += 1  # before the queue is cleared

        assert worker.take() == []
        assert worker.queue.empty()
        assert await worker.commit() == 5


async def test_a_topic_that_was_made_again_goes_back_with_its_first_page() -> None:
    async with a_worker(committed=2539) as worker:
        await worker.fetch(position=2)
        assert worker.take() == []
        assert await worker.commit() == 2539

        await worker.fetch(2, position=4)
        assert worker.take() == [2]
        assert await worker.commit() == 2539
        worker.finish()

        assert await worker.commit() == 4


async def test_offsets_deleted_by_retention_are_skipped_after_the_pages_before_them() -> None:
    async with a_worker(committed=5) as worker:
        await worker.fetch(5, position=6)
        assert worker.take() == [5]
        await worker.fetch(position=500)
        assert worker.take() == []
        assert await worker.commit() == 5
        worker.finish()

        assert await worker.commit() == 500


class Course:
    """A log of pages and marks that a worker reads in pieces, with rebalances between."""

    def __init__(self, worker: Worker, log: list[bool]) -> None:
        self._worker = worker
        self._log = log
        self._read = 0
        self._stored: set[int] = set()

    def is_sound(self) -> bool:
        """Return whether all pages below what is committed are stored."""
        committed = range(self._worker.committed or 0)
        return all(offset in self._stored for offset in committed if self._log[offset])

    async def fetch(self, count: int) -> None:
        """Continue reading; with an odd number, records after the last page stay in the buffer."""
        end = min(self._read + count, len(self._log))
        pages = [offset for offset in range(self._read, end) if self._log[offset]]
        if count % 2 == 0 or end == len(self._log):
            self._read = end
            await self._worker.fetch(*pages, position=end)
        elif pages:
            self._read = pages[-1] + 1
            await self._worker.fetch(*pages, position=None)

    async def take(self, _: int) -> None:
        self._worker.take()

    async def finish(self, place: int) -> None:
        if self._worker.in_flight:
            self._stored.add(self._worker.finish(place % len(self._worker.in_flight)))

    async def rebalance(self, _: int) -> None:
        await self._worker.begin_rebalance()
        await self._worker.end_rebalance()
        self._read = self._worker.committed or 0

    async def finish_all(self) -> None:
        """Read up to the end, and store everything."""
        await self.fetch(len(self._log))
        while self._worker.take() or self._worker.in_flight:
            await self.finish(0)


STEPS = st.sampled_from([Course.fetch, Course.take, Course.finish, Course.finish, Course.rebalance])


@given(st.lists(st.booleans(), max_size=40), st.lists(st.tuples(STEPS, st.integers(0, 6))))
async def test_no_commit_ever_passes_a_page_and_the_last_reaches_the_end(
    log: list[bool], steps: list[tuple[Callable[[Course, int], Awaitable[None]], int]]
) -> None:
    async with a_worker() as worker:
        course = Course(worker, log)
        for step, number in steps:
            await step(course, number)
            await worker.commit()
            assert course.is_sound()

        await course.finish_all()

        assert (await worker.commit() or 0) == len(log)
