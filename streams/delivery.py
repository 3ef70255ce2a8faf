"""Records to publish -> stored by the brokers, or the process ends: nothing between."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, Final, Protocol

from aiokafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    RecordTooLargeError,
)

from streams.errors import DeliveryError
from streams.records import Outgoing

FIRST_BACKOFF_S: Final = 0.05
LAST_BACKOFF_S: Final = 5.0
# The client tries again by itself what brokers refuse for a while, without end and without a word.
LATE_S: Final = 10.0


class Producer(Protocol):
    """The part of a producer that delivery needs: Faust's, or one of a test."""

    async def send(  # noqa: PLR0913, PLR0917 - Faust's
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None,
        timestamp: float | None,
        headers: list[tuple[str, bytes]] | None,
    ) -> Awaitable[object]:
        """Queue a record; what this returns is done when the brokers have stored it."""
        ...


class Retries(Protocol):
    """Is told of each attempt that failed or is late, and goes on."""

    def delivery_retried(self, topic: str, error: str) -> None:
        """Count one."""
        ...


async def deliver(
    producer: Producer, records: Sequence[Outgoing], retries: Retries
) -> list[Outgoing]:
    """Publish records and wait until all replicas in sync have each of them.

    Transient failures are tried again for as long as it takes: the offsets of the batch are held
    back meanwhile, and a stop of the process ends the wait.

    Returns:
        The records that are too large for their topic; nothing of them was stored.

    Raises:
        DeliveryError: the brokers refuse a record for good.
    """
    refused: list[Outgoing] = []
    backoff_s = FIRST_BACKOFF_S
    while records:
        failed: list[Outgoing] = []
        for record, error in await _attempt(producer, records, retries):
            if isinstance(error, MessageSizeTooLargeError | RecordTooLargeError):
                refused.append(record)
            elif _is_transient(error):
                retries.delivery_retried(record.topic, type(error).__name__)
                failed.append(record)
            else:
                raise DeliveryError(
                    f"{record.topic}: the brokers refuse the record: {error!r}"
                ) from error
            error.__traceback__ = None  # its frames would hold the error, and the batch with it
        records = failed
        if records:
            await asyncio.sleep(backoff_s)
            backoff_s = min(2 * backoff_s, LAST_BACKOFF_S)
    return refused


async def _attempt(
    producer: Producer, records: Sequence[Outgoing], retries: Retries
) -> list[tuple[Outgoing, BaseException]]:
    """Send all, in order, then wait for all; return those that failed with their errors."""
    waiting: list[tuple[Outgoing, Awaitable[object]]] = []
    failures: list[tuple[Outgoing, BaseException]] = []
    for position, record in enumerate(records):
        headers: list[Any] = list(record.headers)  # some without a value: Faust's type knows none
        try:
            stored = await producer.send(
                record.topic, record.key, record.value, None, None, headers
            )
        except Exception as error:  # noqa: BLE001 - sorted by `deliver`, none is dropped
            cause = _kafka_error(error)
            failures.append((record, cause))
            if _is_transient(cause):  # what follows waits too, or a key's records change order
                failures += [(later, cause) for later in records[position + 1 :]]
                break
        else:
            waiting.append((record, stored))
    for record, stored in waiting:
        failure = await _failure(record.topic, asyncio.ensure_future(stored), retries)
        if failure:
            failures.append((record, failure))
    return failures


async def _failure(
    topic: str, stored: asyncio.Future[object], retries: Retries
) -> Exception | None:
    """Wait for one record, telling of it each `LATE_S` that pass; return its error."""
    while not stored.done():
        done, _ = await asyncio.wait([stored], timeout=LATE_S)
        if not done:
            retries.delivery_retried(topic, f"not stored within {LATE_S:g} s")
    try:
        stored.result()
    except Exception as error:  # noqa: BLE001 - sorted by `deliver`, none is dropped
        return error
    return None


def _kafka_error(error: Exception) -> BaseException:
    """Return the client's own error, which Faust wraps in one that says nothing."""
    return error.__cause__ if isinstance(error.__cause__, KafkaError) else error


def _is_transient(error: BaseException) -> bool:
    # a KafkaTimeoutError says that a record could not even be queued in time: no broker answers
    return isinstance(error, KafkaTimeoutError) or (
        isinstance(error, KafkaError) and bool(error.retriable)
    )
