"""Faust's Kafka consumer with the parts replaced that lose, repeat or starve records.

What Faust does and what is done here instead:

- it commits past records still at work when acks come out of order: an `OffsetLedger` decides;
- it forgets acks on a rebalance before it commits them: drain and commit come first here;
- it waits for ever for unfinished work at a stop: a deadline bounds the wait;
- it does not see that the group coordination of aiokafka has died: a watch crashes the process;
- it bounds fetched records by number: here the queue counts bytes and the fetcher waits for room;
- it hands over each record in tasks of its own (80 us of CPU): here in a plain loop.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Any, Final

import aiokafka
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from faust.transport.drivers import aiokafka as driver
from faust.types.tuples import TP, Message
from mode import Service
from mode.types import ServiceT

from streams.batches import PageQueue
from streams.offsets import OffsetLedger
from streams.topics import MAX_RECORD_BYTES
from streams.tuning import tuning_of

# With data of a node still waiting, aiokafka fetches from its other partitions after this many
# seconds, up to a full response each: 64 partitions of 10 MB records would be 640 MB. A day is
# never: the next fetch follows when the last one is handed over, and the queue is the prefetch.
PREFETCH_BACKOFF_S: Final = 86_400.0
FETCH_WAIT_MS: Final = 500
WATCH_INTERVAL_S: Final = 1.0
# Records handed over between two looks at the room in the queue.
MAX_POLL_RECORDS: Final = 256


class CoordinationLostError(Exception):
    """This process can no longer be a member of its consumer group and must end."""


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """Owns the aiokafka consumer, in a thread of its own."""

    def _create_worker_consumer(self, transport: driver.Transport) -> aiokafka.AIOKafkaConsumer:
        tuning = tuning_of(transport)
        return aiokafka.AIOKafkaConsumer(
            **tuning.connection.client_options(),
            client_id=tuning.client_id,
            group_id=self.app.conf.id,
            partition_assignment_strategy=(RoundRobinPartitionAssignor,),
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_poll_records=MAX_POLL_RECORDS,
            fetch_max_wait_ms=FETCH_WAIT_MS,
            fetch_max_bytes=tuning.fetch_bytes,
            max_partition_fetch_bytes=min(tuning.fetch_bytes, MAX_RECORD_BYTES),
            # Local to this client: a member without partitions would leave the group at it.
            max_poll_interval_ms=10**9,
            request_timeout_ms=round(tuning.request_s * 1000),
            session_timeout_ms=round(tuning.session_s * 1000),
            heartbeat_interval_ms=round(tuning.heartbeat_s * 1000),
            rebalance_timeout_ms=round(tuning.rebalance_s * 1000),
        )

    async def on_start(self) -> None:
        """Start the consumer and bound what it fetches ahead."""
        await super().on_start()
        fetcher = self._ensure_consumer()._fetcher  # noqa: SLF001 - no option leads there
        fetcher._prefetch_backoff = PREFETCH_BACKOFF_S  # noqa: SLF001

    async def on_thread_stop(self) -> None:
        """Stop the consumer, also when no broker answers any more."""
        with contextlib.suppress(asyncio.CancelledError):  # of its own pending fetches
            await super().on_thread_stop()

    def coordination_error(self) -> BaseException | None:
        """Return what ended the membership in the group, None while it lives."""
        if self.should_stop:
            return None
        coordinator = self._ensure_consumer()._coordinator  # noqa: SLF001 - aiokafka #1154: no signal
        if coordinator._pending_exception is not None:  # noqa: SLF001
            return CoordinationLostError(repr(coordinator._pending_exception))  # noqa: SLF001
        if coordinator._coordination_task.done():  # noqa: SLF001
            return CoordinationLostError("the group coordination task has ended")
        return None

    def generation(self) -> int:
        """Return the group's generation, -1 outside of the group."""
        return int(self._ensure_consumer()._coordinator.generation)  # noqa: SLF001


class Consumer(driver.Consumer):
    """Faust's consumer with sound offsets, bounded buffers and an end that comes."""

    _thread: ConsumerThread

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Faust's
        """Start with empty accounts."""
        self.ledger: OffsetLedger[TP] = OffsetLedger()
        super().__init__(*args, **options)
        self._drain_s = tuning_of(self.transport).drain_s
        self._drain_until: float | None = None  # one deadline for both waits of a rebalance

    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    # -- accounts

    def take(self, message: Message) -> None:
        """Note that work on a record begins: it holds back the offset until it is acked."""
        message.tracked = True
        self.ledger.take(message.tp, message.offset)
        self._unacked_messages.add(message)

    def ack(self, message: Message) -> bool:
        """Note that everything that the record gives is stored."""
        message.acked = True
        self._unacked_messages.discard(message)
        if message.generation_id == self.app.consumer_generation_id:
            self.ledger.done(message.tp, message.offset)
        if self._waiting_for_ack is not None and not self._waiting_for_ack.done():
            self._waiting_for_ack.set_result(None)
        return True

    async def commit_done(self) -> None:
        """Commit all that is done, after a commit that may be under way."""
        if self._commit_fut is not None:
            await self.commit()  # only waits for the one under way, which may have begun too early
        await self.commit()

    def _filter_tps_with_pending_acks(self, topics: object = None) -> Iterator[TP]:  # noqa: ARG002
        return iter(self.ledger.partitions())

    def _new_offset(self, tp: TP) -> int | None:
        return self.ledger.committable(tp)

    # -- from the broker into the queue

    async def _drain_messages(self, fetcher: ServiceT) -> None:
        """Move fetched records into the queues of the agents, for ever, while there is room."""
        try:
            while not (self.should_stop or fetcher.should_stop):
                await self._wait_for_room()
                async for tp, message in self.getmany(timeout=1.0):
                    await self._hand_over(tp, message)
                await asyncio.sleep(0)
        except self.consumer_stopped_errors:
            if not self.app.should_stop:
                raise
        except asyncio.CancelledError:
            if not self.app.should_stop:
                raise

    async def _hand_over(self, tp: TP, message: Message) -> None:
        read_offset = self._read_offset[tp]
        if read_offset is not None and message.offset < read_offset:
            return  # fetched before a seek
        await self.callback(message)
        self._read_offset[tp] = message.offset + 1

    async def _wait_for_room(self) -> None:
        for queue in self._page_queues():
            await queue.wait_for_room()

    def _page_queues(self) -> list[PageQueue]:
        queues = [topic.queue for topic in self.app.topics]
        return [queue for queue in queues if isinstance(queue, PageQueue)]

    # -- rebalance and stop

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Finish and commit the work in hand, then give the partitions back."""
        if self.assignment() and not self.app.should_stop:
            self._drain_until = time.monotonic() + self._drain_s
            self.stop_flow()
            self.app.flow_control.suspend()
            self.app.flow_control.clear()
            await self.wait_empty()
        await super().on_partitions_revoked(revoked)
        self.ledger.forget(revoked)
        self._drain_until = None

    async def wait_empty(self) -> None:
        """Wait for the work in hand, until the drain deadline, and commit what is done."""
        deadline = self._drain_until or time.monotonic() + self._drain_s
        while self._unacked_messages and not self.should_stop and time.monotonic() < deadline:
            await self._wait_for_ack(timeout=1)
        if self._unacked_messages:
            self.log.error("drain_deadline_passed unfinished=%d", len(self._unacked_messages))
        await self.commit_done()

    @Service.task
    async def _coordination_watch(self) -> None:
        """Crash when aiokafka has parked an error that Faust's way of fetching never asks for."""
        error: BaseException | None = None
        while not (self.should_stop or error):
            await self.sleep(WATCH_INTERVAL_S)
            error = self._thread.coordination_error()
        if error is not None:
            await self.crash(error)

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Say nothing: Faust's own watch asks the sensors, which this path does not feed."""
