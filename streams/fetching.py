"""The aiokafka consumer in its thread: what it fetches ahead, and whether it still is a member."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final

import aiokafka
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from faust.transport.drivers import aiokafka as driver
from faust.types.tuples import TP

from streams.topics import MAX_RECORD_BYTES
from streams.tuning import tuning_of

# With data of a node still waiting, aiokafka fetches from its other partitions after this many
# seconds, up to a full response each: 64 partitions of 10 MB records would be 640 MB. A day is
# never: the next fetch follows when the last one is handed over, and the queue is the prefetch.
PREFETCH_BACKOFF_S: Final = 86_400.0
FETCH_WAIT_MS: Final = 500
# Handed over between two looks at the room in the queue.
POLL_BYTES: Final = 8 << 20
MAX_STEP: Final = 32  # records unpacked before their size is looked at
FIRST_GUESS_BYTES: Final = 1 << 20


class CoordinationLostError(Exception):
    """This process can no longer be a member of its consumer group and must end."""


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """Owns the aiokafka consumer, in a thread of its own."""

    _record_bytes = FIRST_GUESS_BYTES  # largest of late, halved each time that none is as large

    def _create_worker_consumer(self, transport: driver.Transport) -> aiokafka.AIOKafkaConsumer:
        tuning = tuning_of(transport)
        return aiokafka.AIOKafkaConsumer(
            **tuning.connection.client_options(),
            client_id=tuning.client_id,
            group_id=self.app.conf.id,
            group_instance_id=tuning.instance,
            partition_assignment_strategy=(RoundRobinPartitionAssignor,),
            enable_auto_commit=False,
            auto_offset_reset="earliest",
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

    async def _fetch_records(
        self,
        consumer: aiokafka.AIOKafkaConsumer,
        active_partitions: set[TP],
        timeout: float | None = None,  # noqa: ASYNC109 - Faust's
        max_records: int | None = None,  # noqa: ARG002 - of a poll: here bytes count
    ) -> Mapping[TP, list[aiokafka.ConsumerRecord]]:
        """Return what is there, at most a little more than `POLL_BYTES`; wait for the first.

        Compressed batches unpack to many times what was fetched, so a number of records bounds
        nothing.
        """
        records: dict[TP, list[aiokafka.ConsumerRecord]] = {}
        taken_bytes = 0
        wait_s = timeout
        while taken_bytes < POLL_BYTES:
            fitting = max(1, min(MAX_STEP, (POLL_BYTES - taken_bytes) // self._record_bytes))
            more = await super()._fetch_records(consumer, active_partitions, wait_s, fitting)
            for partition, fetched in more.items():
                sizes = [len(record.value or b"") for record in fetched]
                records.setdefault(partition, []).extend(fetched)
                taken_bytes += sum(sizes)
                self._record_bytes = max(1, self._record_bytes // 2, *sizes)
            # a wait for the end of a rebalance would carry these records into the next generation
            if not more or consumer._subscription.reassignment_in_progress:  # noqa: SLF001
                break
            wait_s = 0.0
        return records
