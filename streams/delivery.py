"""Records to publish -> stored by the brokers, or the process ends: no third outcome."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from aiokafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumber,
    RecordListTooLargeError,
    RecordTooLargeError,
    UnknownProducerId,
)

from winnow.streams.errors import DeliveryError
from winnow.streams.records import Outgoing

FIRST_BACKOFF_S: Final = 0.05
LAST_BACKOFF_S: Final = 5.0
# The client retries refusals that may pass by itself, without limit and without a message.
LATE_S: Final = 10.0

Partitioner = Callable[[bytes | None], int]
Failure = tuple[Outgoing, BaseException]


class Producer(Protocol):
    """The parts of a producer that delivery needs."""

    async def key_partitions(self, topic: str) -> Partitioner:
        """Return the partition of a topic for a key, with the current number of partitions.

        Raises:
            KafkaError: no broker answers.
        """
        ...

    async def send_batch(
        self, topic: str, partition: int, records: Sequence[Outgoing]
    ) -> tuple[int, Awaitable[object]]:
        """Queue records as one batch: the first ones, as many as it holds and at least one.

        Returns:
            How many it holds, and a future that is done when the brokers have stored them.

        Raises:
            KafkaError: none of them is queued; the first is too large, or no broker answers.
        """
        ...


class Retries(Protocol):
    """Receives each attempt that failed or is late and is retried."""

    def delivery_retried(self, topic: str, error: str) -> None:
        """Count one attempt."""
        ...


async def deliver(
    producer: Producer, records: Sequence[Outgoing], retries: Retries
) -> list[Outgoing]:
    """Publish records and wait until all replicas in sync have each of them.

    Transient failures are retried without a time limit: the offsets of the batch are held back
    meanwhile. Stopping the process ends the wait.

    Returns:
        The records that are too large for their topic; they were not stored.

    Raises:
        DeliveryError: the brokers refuse a record for good.
    """
    refused: list[Outgoing] = []
    backoff_s = FIRST_BACKOFF_S
    while records:
        failed: list[Outgoing] = []
        for record, error in await _attempt(producer, records, retries):
            if _is_too_large(error):
                refused.append(record)
            elif _is_transient(error):
                retries.delivery_retried(record.topic, type(error).__name__)
                failed.append(record)
            else:
                raise DeliveryError(
                    f"{record.topic}: the brokers refuse the record: {error!r}"
                ) from error
            error.__traceback__ = None  # its frames hold the error, and with it the batch
        records = failed
        if records:
            await asyncio.sleep(backoff_s)
            backoff_s = min(2 * backoff_s, LAST_BACKOFF_S)
    return refused


async def _attempt(
    producer: Producer, records: Sequence[Outgoing], retries: Retries
) -> list[Failure]:
    """Send all records, each partition by itself; return the failed ones with their errors."""
    lanes: defaultdict[tuple[str, int], list[Outgoing]] = defaultdict(list)
    failures: list[Failure] = []
    for topic, of_topic in _by_topic(records).items():
        try:
            partition_of = await producer.key_partitions(topic)
        except Exception as error:  # noqa: BLE001 - `deliver` handles each error
            failures += [(record, error) for record in of_topic]
        else:
            for record in of_topic:
                lanes[topic, partition_of(record.key)].append(record)
    sending = [_in_order(producer, *lane, of, retries) for lane, of in lanes.items()]
    return failures + [failure for failed in await asyncio.gather(*sending) for failure in failed]


def _by_topic(records: Sequence[Outgoing]) -> dict[str, list[Outgoing]]:
    by_topic: defaultdict[str, list[Outgoing]] = defaultdict(list)
    for record in records:
        by_topic[record.topic].append(record)
    return by_topic


async def _in_order(
    producer: Producer, topic: str, partition: int, records: list[Outgoing], retries: Retries
) -> list[Failure]:
    """Store the records of a partition, one batch after the other.

    After a batch fails, the later ones are not sent: a record would overtake an older one with the
    same key. A batch that is too large is halved, down to one record.
    """
    failures: list[Failure] = []
    left, most = records, len(records)
    while left:
        count, error = await _store(producer, topic, partition, left[:most], retries)
        if error is None:
            left = left[count:]
        elif not _is_too_large(error):
            return failures + [(record, error) for record in left]
        elif count > 1:
            most = count // 2
        else:
            failures.append((left[0], error))
            left = left[1:]
    return failures


async def _store(
    producer: Producer, topic: str, partition: int, records: Sequence[Outgoing], retries: Retries
) -> tuple[int, BaseException | None]:
    """Send one batch and wait for it; report it late after each `LATE_S`.

    Returns:
        How many of the records it holds, and the error if it failed.
    """
    count = 1
    try:
        count, sent = await producer.send_batch(topic, partition, records)
        stored = asyncio.ensure_future(sent)
        while not stored.done():
            done, _ = await asyncio.wait([stored], timeout=LATE_S)
            if not done:
                retries.delivery_retried(topic, f"not stored within {LATE_S:g} s")
        stored.result()
    except Exception as error:  # noqa: BLE001 - `deliver` handles each error
        return count, error
    return count, None


def _is_too_large(error: BaseException) -> bool:
    """Return whether a batch is larger than `max.message.bytes` or `segment.bytes`."""
    return isinstance(
        error, MessageSizeTooLargeError | RecordTooLargeError | RecordListTooLargeError
    )


def _is_transient(error: BaseException) -> bool:
    """Return whether the same record may be stored when it is sent again.

    `KafkaTimeoutError`: the record was not even queued in time, because no broker answers. The
    other two: a broker lost the state of the producer, and the producer has begun a new epoch
    since.
    """
    lost_track = KafkaTimeoutError | OutOfOrderSequenceNumber | UnknownProducerId
    return isinstance(error, lost_track) or (
        isinstance(error, KafkaError) and bool(error.retriable)
    )
