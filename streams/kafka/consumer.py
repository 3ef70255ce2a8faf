"""Faust's Kafka consumer, with replacements for the parts that lose, repeat or starve records.

Faults of Faust, and what is done here instead:

- it commits past unfinished records when acks are out of order: an `OffsetLedger` decides;
- it drops records of a recreated topic up to the offset of the old one;
- it forgets acks on a rebalance before it commits them: here drain and commit come first;
- it waits for ever for unfinished work at a stop: a deadline limits the wait;
- a rebalance during a stop closes the consumer, from the wrong thread and before the work
  in flight is committed: here only the stop ends the membership;
- it does not notice that a task of aiokafka has died: a watch crashes the process;
- it waits for ever for a commit, and assumes that all of it was committed: see
  `winnow.streams.kafka.commits`;
- it limits fetched records by number: here the queue counts bytes and the fetcher waits for room;
- it passes on each record in a separate task, through four of its objects: here a plain loop
  puts records into the queue of their topic's agent.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from aiokafka.errors import KafkaError
from faust.transport.drivers import aiokafka as driver
from faust.types.tuples import TP
from mode import Service
from mode.types import ServiceT

from winnow.models.errors import WinnowError
from winnow.streams.errors import CommitTimeout
from winnow.streams.kafka.batches import Arrived, Marker, PageQueue
from winnow.streams.kafka.fetching import ConsumerThread, Fetched
from winnow.streams.kafka.offsets import OffsetLedger, Taken
from winnow.streams.kafka.tuning import tuning_of

WATCH_INTERVAL_S: Final = 1.0
NO_PARTITIONS_S: Final = 0.2  # how soon a member without partitions looks for new ones
FETCH_WAIT_S: Final = 1.0


class NotTakenError(WinnowError):
    """A record was released that is not in flight: our bug, not the record's fault."""


class Consumer(driver.Consumer):
    """Faust's consumer with correct offsets, limited buffers and a stop that ends."""

    _thread: ConsumerThread

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Faust's
        """Start with empty accounts."""
        self.ledger: OffsetLedger[TP] = OffsetLedger()
        self._taken: dict[Arrived, Taken] = {}
        self.connected: Final = asyncio.Event()
        super().__init__(*args, **options)
        self._drain_s = tuning_of(self.transport).drain_s
        self._drain_until: float | None = None  # one deadline for all waits of a rebalance or stop
        self._is_rebalancing = True
        # partitions to read from their committed offsets
        self._sought_generation: int | None = None
        self._cannot_commit = False
        self._commit_since: float | None = None
        self.stop_flow()  # until the first partitions are assigned

    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    async def on_started(self) -> None:
        """Note that the brokers have answered."""
        self.connected.set()

    # -- accounts

    def take(self, arrived: Arrived) -> None:
        """Note that work on a record begins: it holds back the offset until it is done."""
        self._taken[arrived] = self.ledger.take(arrived.tp, arrived.record.offset)

    def done(self, arrived: Arrived) -> None:
        """Note that all results of the record are stored."""
        self._let_go(arrived).is_done = True

    def release(self, arrived: Arrived) -> None:
        """Stop waiting for an unfinished record; its offset stays uncommitted."""
        self._let_go(arrived)

    def _let_go(self, arrived: Arrived) -> Taken:
        """Return the account of a record, and stop tracking it.

        Raises:
            NotTakenError: work on it never began, or has ended.
        """
        taken = self._taken.pop(arrived, None)
        if taken is None:
            raise NotTakenError(
                f"{arrived.record.source} is not in flight: it was never taken, or is done already"
            )
        if self._waiting_for_ack is not None and not self._waiting_for_ack.done():
            self._waiting_for_ack.set_result(None)
        return taken

    def pass_over(self, marker: Marker) -> None:
        """Note that nothing is left to take below an offset; other offsets are not held back."""
        self.ledger.pass_over(marker.tp, marker.offset)

    @property
    def generation(self) -> int:
        """The group generation of this member; -1 while it is not a member."""
        return self._thread.generation

    @property
    def commit_s(self) -> float:
        """Seconds that the current commit has waited for the brokers; 0 without one."""
        return time.monotonic() - self._commit_since if self._commit_since is not None else 0.0

    async def commit_done(self) -> None:
        """Commit all finished records, after a commit that may be running."""
        if self._commit_fut is not None:
            await self.commit()  # waits only for the running one, which may have begun too early
        await self.commit()

    async def _commit_offsets(
        self,
        offsets: Mapping[TP, int],
        start_new_transaction: bool = True,  # noqa: ARG002, FBT001, FBT002 - Faust's
    ) -> bool:
        """Commit offsets, and note which of them the group has now.

        All results of the records below them are stored already: there is nothing to flush first.
        """
        mine = {tp: offset for tp, offset in offsets.items() if tp in self.assignment()}
        if not mine or self._cannot_commit:
            return False
        self._commit_since = time.monotonic()
        try:
            committed = await self._thread.commit_offsets(mine)
        except (KafkaError, CommitTimeout) as error:
            self._cannot_commit = True  # the following stop waits for no other commit
            await self.crash(error)
            return False
        finally:
            self._commit_since = None
        self._committed_offset.update(committed)
        return bool(committed)

    def _filter_tps_with_pending_acks(self, topics: object = None) -> Iterator[TP]:  # noqa: ARG002
        return iter(self.ledger.partitions())

    def _new_offset(self, tp: TP) -> int | None:
        return self.ledger.committable(tp)

    def _should_commit(self, tp: TP, offset: int) -> bool:
        return offset != self._committed_offset[tp]

    # -- from the broker into the queue

    async def _drain_messages(self, fetcher: ServiceT) -> None:
        """Move fetched records into the queues of the agents, for ever, while there is room."""
        try:
            while not (self.should_stop or fetcher.should_stop):
                for queue in self._page_queues():
                    await queue.wait_for_room()
                await self._take_in()
        except self.consumer_stopped_errors:
            if not self.app.should_stop:
                raise
        except asyncio.CancelledError:
            if not self.app.should_stop:
                raise

    async def _take_in(self) -> None:
        """Fetch once and pass on, unless a rebalance came between: then all is fetched again.

        The generation in which the records were taken counts, not the one of the request. A fetch
        may wait through a whole rebalance. Its records are then after the seek that ends the
        rebalance, and would not be fetched again if they were dropped.
        """
        if not self.flow_active:
            await self.wait(self.can_resume_flow.wait())
            return
        active = self._get_active_partitions()
        if not active:
            await self.sleep(NO_PARTITIONS_S)
            return
        fetched = await self._thread.fetch(active, FETCH_WAIT_S)
        if not self._is_stale(fetched.generation):
            for tp, records in fetched.records.items():
                self._hand_over(tp, records)
            self._mark(fetched)

    def _is_stale(self, generation: int) -> bool:
        return not self.flow_active or generation != self.app.consumer_generation_id

    def _hand_over(self, tp: TP, records: Sequence[Arrived]) -> None:
        """Put records of a partition into its queue; never waits in between."""
        queue, read_offset = self._queue_of(tp), self._read_offset[tp]
        for arrived in records:
            offset = arrived.record.offset
            if read_offset is not None and offset < read_offset:
                # the topic was recreated, or its log was cut: aiokafka goes to its first record
                self.log.warning("%s/%d begins again at %d", tp.topic, tp.partition, offset)
            read_offset = offset + 1
            queue.put_nowait(arrived)
        self._read_offset[tp] = read_offset

    def _mark(self, fetched: Fetched) -> None:
        """Put a marker after the records of each partition whose position is beyond them.

        Marks of transactions, aborted records and compacted or expired records are never delivered:
        without a marker they would count as lag until a page follows.
        """
        for tp, position in fetched.positions.items():
            if position > (self._read_offset[tp] or 0):
                self._read_offset[tp] = position
                self._queue_of(tp).put_nowait(Marker(tp, position, fetched.generation))

    def _queue_of(self, tp: TP) -> PageQueue:
        """Return the queue of a topic's agent: each topic that is read has one."""
        (queue,) = (topic.queue for topic in self.app.topics if tp.topic in topic.topics)
        assert isinstance(queue, PageQueue)
        return queue

    def _page_queues(self) -> list[PageQueue]:
        queues = [topic.queue for topic in self.app.topics]
        return [queue for queue in queues if isinstance(queue, PageQueue)]

    # -- rebalance and stop

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Finish and commit the work in flight, then give the partitions back.

        A stop drains by itself. The rebalance waits here until the stop ends the membership,
        because work in flight can be committed only before the member joins again.
        """
        self._is_rebalancing = True
        self.stop_flow()
        if self.assignment() and not self.app.should_stop:
            self._drain_until = time.monotonic() + self._drain_s
            self.app.flow_control.suspend()
            self.app.flow_control.clear()
            await self.wait_empty()
        if not self.app.should_stop:
            await super().on_partitions_revoked(revoked)
        if self.app.should_stop:
            await self.wait_until_stopped()
            return
        self.ledger.forget(revoked)
        self._drain_until = None

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """Take over partitions; Faust seeks and resumes after this."""
        self._is_rebalancing = False
        await super().on_partitions_assigned(assigned, generation_id)

    async def perform_seek(self) -> None:
        """Seek to the committed offsets; records flow from there, until the next rebalance."""
        generation = self.app.consumer_generation_id
        await super().perform_seek()
        if not self._is_rebalancing:
            self._sought_generation = generation

    def resume_flow(self) -> None:
        """Let records flow, unless the seek of this generation is still to come.

        Faust resumes after the end of each rebalance, even when the next one has begun meanwhile.
        """
        is_sought = self._sought_generation == self.app.consumer_generation_id
        if not self._is_rebalancing and (is_sought or not self.assignment()):
            super().resume_flow()

    def drain_left_s(self) -> float:
        """Return how long a rebalance or a stop may still wait; the first call starts the time."""
        if self._drain_until is None:
            self._drain_until = time.monotonic() + self._drain_s
        return max(0.0, self._drain_until - time.monotonic())

    async def wait_empty(self) -> None:
        """Wait for the work in flight until the drain deadline, and commit the finished records."""
        while self._taken and not self.should_stop and self.drain_left_s() > 0:
            await self._wait_for_ack(timeout=1)
        if self._taken:
            self.log.error("drain_deadline_passed unfinished=%d", len(self._taken))
        await self.commit_done()

    @Service.task
    async def _coordination_watch(self) -> None:
        """Crash when aiokafka has stored an error that Faust never reads."""
        error: BaseException | None = None
        while not (self.should_stop or error):
            await self.sleep(WATCH_INTERVAL_S)
            error = self._thread.coordination_error()
        if error is not None:
            await self.crash(error)

    def close(self) -> None:
        """Do nothing when a rebalance ends in a stop: the stop ends everything in order."""

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Report nothing: Faust's own watch uses sensors, which this path does not feed."""
