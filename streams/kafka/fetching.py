"""The aiokafka consumer in its thread: its prefetch, and whether it is still a member."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiokafka
from aiokafka.client import ConnectionGroup
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import BrokerResponseError, ConsumerStoppedError, kafka_errors
from faust.transport.drivers import aiokafka as driver
from faust.types.tuples import TP

from winnow.models.errors import WinnowError
from winnow.streams.kafka import batch_records, commits, positions
from winnow.streams.kafka.batches import Arrived
from winnow.streams.kafka.brokers import keep_trying
from winnow.streams.kafka.tuning import tuning_of
from winnow.streams.records import Incoming, clean_headers
from winnow.streams.topics import MAX_RECORD_BYTES

# While data of a node still waits, aiokafka fetches from its other partitions after this time, up
# to a full response each: 64 partitions of 10 MB records would be 640 MB. A day means never: the
# next fetch follows when the last one is passed on, and the queue is the prefetch.
PREFETCH_BACKOFF_S: Final = 86_400.0
FETCH_WAIT_MS: Final = 500
# The start of a partition without committed offset comes from its last known leader. If another
# broker leads by now, aiokafka does not look for a new one, by default for 5 minutes.
METADATA_AGE_MS: Final = 5000
# Passed on between two checks for room in the queue.
POLL_BYTES: Final = 8 << 20
# A coordinator accepts a leave at once. Without it the others wait for the end of the session.
LEAVE_S: Final = 3.0
NO_GENERATION: Final = -1  # Kafka's value
# A static member's name counts as taken after this many new member ids within these seconds.
OUSTED: Final = 5
OUSTED_WITHIN_S: Final = 60.0
# Answers to a join that aiokafka would call unknown. Fenced is a static member whose name another
# member has taken while its join waited.
_FENCED: Final = "FencedInstanceId"
_FULL: Final = "GroupMaxSizeReached"
_ANSWERS: Final = {81: _FULL, 82: _FENCED}
MAX_STEP: Final = 32  # records unpacked between two checks of their size
FIRST_GUESS_BYTES: Final = 1 << 20


class CoordinationLostError(WinnowError):
    """This process can no longer be a member of its consumer group and must end."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """Records of one generation of the group, in offset order per partition.

    Attributes:
        positions: of the requested partitions. All records below a position are here or were
            fetched before; the other offsets hold no record for a reader.
    """

    generation: int
    records: Mapping[TP, list[Arrived]]
    positions: Mapping[TP, int]


class Intake:
    """Takes records from aiokafka's buffers, each with its generation of the group.

    aiokafka's own call waits and takes in one step. If a rebalance comes while it waits, it returns
    records of the next generation to a caller of the last one.
    """

    def __init__(self, may_flow: Callable[[], bool]) -> None:
        """Keep `may_flow`, which returns whether records are wanted now."""
        self._may_flow = may_flow
        # largest recent record; halved each time that none is as large
        self._record_bytes = FIRST_GUESS_BYTES

    async def fetch(
        self, consumer: aiokafka.AIOKafkaConsumer, partitions: frozenset[TP], wait_s: float
    ) -> Fetched:
        """Return available records, a little over `POLL_BYTES` at most; wait for the first.

        Raises:
            ConsumerStoppedError: the consumer is closed.
        """
        fetcher = consumer._fetcher  # noqa: SLF001
        if consumer._closed or fetcher._closed:  # noqa: SLF001
            raise ConsumerStoppedError
        with consumer._subscription.fetch_context():  # noqa: SLF001
            fetched = await self._take(consumer, partitions)
            if fetched.records:
                return fetched
            arrival = fetcher._create_fetch_waiter()  # noqa: SLF001
            await asyncio.wait([arrival], timeout=wait_s)
            if arrival.done():
                arrival.result()  # raises errors that the brokers returned
            else:
                arrival.cancel()
            # also when nothing has arrived: a rebalance may have changed other positions meanwhile
            return await self._take(consumer, partitions)

    async def _take(
        self, consumer: aiokafka.AIOKafkaConsumer, partitions: frozenset[TP]
    ) -> Fetched:
        """Take the records available. It never waits, so all are of the noted generation.

        While no records may flow, none are taken: records taken before a seek would be read again.
        Compressed batches unpack to many times their size, so the number of records does not limit
        memory.
        """
        generation = consumer._coordinator.generation  # noqa: SLF001
        records: dict[TP, list[Arrived]] = {}
        taken_bytes = 0
        while taken_bytes < POLL_BYTES and self._may_take(consumer):
            fitting = max(1, min(MAX_STEP, (POLL_BYTES - taken_bytes) // self._record_bytes))
            more = await consumer._fetcher.fetched_records(partitions, 0, fitting)  # noqa: SLF001
            if not more:
                break
            for partition, fetched in more.items():
                tp = TP(partition.topic, partition.partition)
                arrived = [Arrived.of(tp, generation, _incoming(each)) for each in fetched]
                sizes = [each.held_bytes for each in arrived]
                records.setdefault(tp, []).extend(arrived)
                taken_bytes += sum(sizes)
                self._record_bytes = max(self._record_bytes // 2, *sizes)
        return Fetched(generation, records, self._positions(consumer, partitions))

    def _positions(
        self, consumer: aiokafka.AIOKafkaConsumer, partitions: frozenset[TP]
    ) -> dict[TP, int]:
        """Return the positions of partitions without buffered data.

        Other partitions still have records or an error to come: at a record that is too large
        aiokafka moves the position past it before it raises.
        """
        if not self._may_take(consumer):
            return {}
        buffers = consumer._fetcher._records  # noqa: SLF001
        assignment = consumer._subscription.subscription.assignment  # noqa: SLF001
        states = {tp: assignment.state_value(tp) for tp in partitions if tp not in buffers}
        return {
            tp: state.position for tp, state in states.items() if state and state.has_valid_position
        }

    def _may_take(self, consumer: aiokafka.AIOKafkaConsumer) -> bool:
        return self._may_flow() and not consumer._subscription.reassignment_in_progress  # noqa: SLF001


def _incoming(record: aiokafka.ConsumerRecord) -> Incoming:
    return Incoming(
        record.topic,
        record.partition,
        record.offset,
        record.key,
        record.value,
        clean_headers(record.headers),
    )


class NameWatch:
    """Detects another worker with the name of this static member.

    The group accepts one of them at a time, and each that joins removes the other: for ever, with
    no work done. A member gets a new id only after it was removed, or was frozen longer than its
    session. Several new ids within a minute can only come from a second member of this name.
    """

    def __init__(self, name: str | None, clock: Callable[[], float]) -> None:
        """Watch the name of a static member; None for a dynamic one."""
        self._name = name
        self._clock = clock
        self._id = ""
        self._changes: deque[float] = deque(maxlen=OUSTED)

    def error(self, member_id: str) -> CoordinationLostError | None:
        """Check the current id of the member, and return the problem if there is one."""
        if self._name is None or member_id in {"", self._id}:
            return None
        if self._id:
            self._changes.append(self._clock())
        self._id = member_id
        if len(self._changes) < OUSTED or self._changes[-1] - self._changes[0] > OUSTED_WITHIN_S:
            return None
        return self.taken()

    def taken(self) -> CoordinationLostError:
        """Return the problem that another worker has this name."""
        return CoordinationLostError(
            f"another worker is the static member {self._name} too: "
            "give every pod a WINNOW_GROUP_INSTANCE of its own"
        )


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """Owns the aiokafka consumer, in a separate thread."""

    def __init__(self, consumer: driver.Consumer, **options: Any) -> None:  # noqa: ANN401 - Faust's
        """Start with nothing taken."""
        super().__init__(consumer, **options)
        self._name_watch = NameWatch(tuning_of(consumer.transport).instance, time.monotonic)
        self._intake = Intake(lambda: self.consumer.flow_active)

    def _create_worker_consumer(self, transport: driver.Transport) -> aiokafka.AIOKafkaConsumer:
        batch_records.install()
        positions.install()
        for code, name in _ANSWERS.items():
            kafka_errors.setdefault(code, type(name, (BrokerResponseError,), {"errno": code}))
        tuning = tuning_of(transport)
        consumer = aiokafka.AIOKafkaConsumer(
            **tuning.connection.client_options(),
            client_id=tuning.client_id,
            group_id=self.app.conf.id,
            group_instance_id=tuning.instance,
            partition_assignment_strategy=(RoundRobinPartitionAssignor,),
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
            fetch_max_wait_ms=FETCH_WAIT_MS,
            metadata_max_age_ms=METADATA_AGE_MS,
            fetch_max_bytes=tuning.fetch_bytes,
            max_partition_fetch_bytes=min(tuning.fetch_bytes, MAX_RECORD_BYTES),
            # Local to this client: at this error a member without partitions would leave the group.
            max_poll_interval_ms=10**9,
            request_timeout_ms=round(tuning.request_s * 1000),
            session_timeout_ms=round(tuning.session_s * 1000),
            heartbeat_interval_ms=round(tuning.heartbeat_s * 1000),
            rebalance_timeout_ms=round(tuning.rebalance_s * 1000),
        )
        keep_trying(consumer._client)  # noqa: SLF001 - there is no option for it
        return consumer

    async def on_start(self) -> None:
        """Start the consumer and limit its prefetch; a stop meanwhile ends the start."""
        await self.wait(super().on_start())
        if not self.should_stop:
            fetcher = self._ensure_consumer()._fetcher  # noqa: SLF001 - there is no option for it
            fetcher._prefetch_backoff = PREFETCH_BACKOFF_S  # noqa: SLF001

    async def on_thread_stop(self) -> None:
        """Leave the group and stop the consumer, even when no broker answers."""
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):  # of its pending fetches
            async with asyncio.timeout(LEAVE_S):
                await self._end_coordination()
                await super().on_thread_stop()

    async def _end_coordination(self) -> None:
        """Abort the current join, so that the member can leave at once.

        A join is answered when all other members have drained. Until then the broker reads nothing
        more from that connection.
        """
        coordinator = self._coordinator
        if coordinator is None:
            return
        coordination = coordinator._coordination_task  # noqa: SLF001
        coordination.cancel()
        await asyncio.gather(coordination, return_exceptions=True)
        await coordinator._stop_heartbeat_task()  # noqa: SLF001
        link = (coordinator.coordinator_id, ConnectionGroup.COORDINATION)
        connection = coordinator._client._conns.get(link)  # noqa: SLF001
        if connection is not None and connection._requests:  # noqa: SLF001
            connection.close()
        if coordinator.member_id:  # in a first join, too, which aiokafka cannot leave
            coordinator.generation = max(1, coordinator.generation)

    @property
    def _coordinator(self) -> Any:  # noqa: ANN401 - aiokafka's; #1154: there is no public API
        """The coordinator of the group membership; None until the first brokers have answered."""
        return self._consumer._coordinator if self._consumer else None  # noqa: SLF001

    @property
    def generation(self) -> int:
        """The group generation that aiokafka has; -1 after the membership was refused.

        Called from another thread: it only reads one number.
        """
        coordinator = self._coordinator
        return coordinator.generation if coordinator else NO_GENERATION

    def coordination_error(self) -> BaseException | None:
        """Return why the membership in the group ended; None while it lives or was left on purpose.

        Called from another thread. It checks the stop of this one last, because the stop is
        requested before it ends the membership.
        """
        coordinator = self._coordinator
        if coordinator is None:
            return None
        cause = coordinator._pending_exception  # noqa: SLF001
        ended = next((task for task in self._endless_tasks() if task.done()), None)
        if cause is None and ended is None:
            return self._name_watch.error(coordinator.member_id)
        if cause is None and ended is not None and not ended.cancelled():
            cause = ended.exception()
        if self.should_stop:
            return None
        if _FENCED in repr(cause):  # aiokafka passes on its text alone
            return self._name_watch.taken()
        if _FULL in repr(cause):
            return CoordinationLostError(
                "the group is full: raise group.max.size of the brokers, or run fewer processes"
            )
        return CoordinationLostError(repr(cause) if cause else "group coordination has ended")

    def _endless_tasks(self) -> list[asyncio.Task[None]]:
        """Return the tasks without which aiokafka waits for ever: for a join, records, leaders."""
        consumer = self._ensure_consumer()
        return [
            consumer._coordinator._coordination_task,  # noqa: SLF001
            consumer._fetcher._fetch_task,  # noqa: SLF001
            consumer._client._sync_task,  # noqa: SLF001
        ]

    async def commit_offsets(self, offsets: Mapping[TP, int]) -> Mapping[TP, int]:
        """Commit offsets; return those that the group has now, see `winnow.streams.kafka.commits`.

        Raises:
            CommitTimeout: the brokers have not accepted them in time.
            KafkaError: they refuse them for good.
        """
        committed: Mapping[TP, int] = await self.call_thread(
            commits.commit, self._ensure_consumer(), offsets
        )
        return committed

    async def fetch(self, partitions: Collection[TP], wait_s: float) -> Fetched:
        """Return the records that have arrived, see `Intake.fetch`.

        Raises:
            ConsumerStoppedError: the consumer is closed.
        """
        fetched: Fetched = await self.call_thread(
            self._intake.fetch, self._ensure_consumer(), frozenset(partitions), wait_s
        )
        return fetched
