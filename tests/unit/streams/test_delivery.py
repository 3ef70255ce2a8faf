"""A record is stored, or named as too large, or the failure gets out: nothing is dropped."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Sequence

import pytest
from aiokafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    NotLeaderForPartitionError,
    OutOfOrderSequenceNumber,
)
from faust.exceptions import ProducerSendError

from streams import delivery
from streams.delivery import deliver
from streams.errors import DeliveryError
from streams.records import Outgoing


class FakeProducer:
    """Stores records; each scripted failure strikes once, when queueing or when storing."""

    def __init__(
        self,
        on_send: Sequence[Exception | None] = (),
        on_store: Sequence[Exception | None] = (),
    ) -> None:
        self.stored: list[bytes | None] = []
        self._on_send = list(on_send)
        self._on_store = list(on_store)

    async def send(  # noqa: PLR0917
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None,
        timestamp: float | None,
        headers: list[tuple[str, bytes]] | None,
    ) -> Awaitable[object]:
        error = self._on_send.pop(0) if self._on_send else None
        if error:
            await self._refuse(error)
        return asyncio.ensure_future(self._store(value))

    async def _refuse(self, error: Exception) -> None:
        try:
            raise error
        except KafkaError as raised:
            raise ProducerSendError("wrapped") from raised

    async def _store(self, value: bytes | None) -> None:
        error = self._on_store.pop(0) if self._on_store else None
        if error:
            raise error
        self.stored.append(value)


class Retries:
    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def delivery_retried(self, topic: str, error: str) -> None:
        self.seen.append((topic, error))


def records(*values: bytes) -> list[Outgoing]:
    return [Outgoing("t", b"key", value, ()) for value in values]


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_BACKOFF_S", 0.0)


class LateProducer(FakeProducer):
    """Stores nothing until the brokers are back."""

    def __init__(self) -> None:
        super().__init__()
        self.brokers_are_back = asyncio.Event()

    async def _store(self, value: bytes | None) -> None:
        await self.brokers_are_back.wait()
        await super()._store(value)


class Operator(Retries):
    """Brings the brokers back when told twice."""

    def __init__(self, producer: LateProducer) -> None:
        super().__init__()
        self._producer = producer

    def delivery_retried(self, topic: str, error: str) -> None:
        super().delivery_retried(topic, error)
        if len(self.seen) == 2:
            self._producer.brokers_are_back.set()


async def test_deliver_tells_of_a_topic_while_the_client_tries_again_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery, "LATE_S", 0.001)
    producer = LateProducer()
    operator = Operator(producer)

    await deliver(producer, records(b"1"), operator)

    assert producer.stored == [b"1"]
    assert operator.seen == [("t", "not stored within 0.001 s")] * 2


async def test_deliver_returns_once_everything_is_stored() -> None:
    producer = FakeProducer()

    refused = await deliver(producer, records(b"1", b"2"), Retries())

    assert refused == []
    assert producer.stored == [b"1", b"2"]


async def test_deliver_tries_again_when_storing_fails_for_a_while() -> None:
    producer = FakeProducer(on_store=[NotLeaderForPartitionError(), None])
    retries = Retries()

    await deliver(producer, records(b"1", b"2"), retries)

    assert sorted(producer.stored, key=str) == [b"1", b"2"]
    assert retries.seen == [("t", "NotLeaderForPartitionError")]


async def test_deliver_waits_longer_each_time_up_to_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(delivery, "FIRST_BACKOFF_S", 1.0)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    producer = FakeProducer(on_store=[NotLeaderForPartitionError()] * 5)

    await deliver(producer, records(b"1"), Retries())

    assert waits == [1.0, 2.0, 4.0, 5.0, 5.0]


async def test_deliver_keeps_the_order_when_a_record_cannot_be_queued() -> None:
    producer = FakeProducer(on_send=[None, KafkaTimeoutError()])

    await deliver(producer, records(b"1", b"2", b"3"), Retries())

    assert producer.stored == [b"1", b"2", b"3"]


async def test_deliver_returns_the_records_that_no_topic_can_hold() -> None:
    producer = FakeProducer(on_send=[None, MessageSizeTooLargeError()])
    batch = records(b"1", b"2", b"3")

    refused = await deliver(producer, batch, Retries())

    assert refused == [batch[1]]
    assert producer.stored == [b"1", b"3"]


class Watched(Outgoing):
    """A record that can be referred to weakly."""


@pytest.mark.parametrize("place", ["on_send", "on_store"])
@pytest.mark.parametrize("failure", [MessageSizeTooLargeError, NotLeaderForPartitionError])
async def test_a_failure_keeps_no_record_of_the_batch_in_memory(
    failure: type[Exception], place: str
) -> None:
    other = Watched("t", b"key", b"2", ())
    is_held = weakref.ref(other)
    batch = [*records(b"1"), other]
    del other

    gc.disable()
    try:
        await deliver(FakeProducer(**{place: [failure()]}), batch, Retries())
        del batch
        assert not is_held()
    finally:
        gc.enable()


@pytest.mark.parametrize("error", [OutOfOrderSequenceNumber(), ValueError("a bug of a client")])
async def test_deliver_raises_when_trying_again_would_not_help(error: Exception) -> None:
    with pytest.raises(DeliveryError, match=type(error).__name__):
        await deliver(FakeProducer(on_store=[error]), records(b"1"), Retries())


async def test_deliver_is_cancelled_when_the_process_stops() -> None:
    producer = FakeProducer(on_store=[NotLeaderForPartitionError()] * 10**6)
    task = asyncio.create_task(deliver(producer, records(b"1"), Retries()))
    await asyncio.sleep(0)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert producer.stored == []
