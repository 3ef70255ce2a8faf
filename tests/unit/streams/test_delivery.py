"""A record is stored, or named as too large, or the failure gets out: nothing is dropped."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Sequence

import pytest
from aiokafka.errors import (
    BrokerResponseError,
    InvalidTimestampError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    NotLeaderForPartitionError,
    OutOfOrderSequenceNumber,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
    UnknownProducerId,
    UnknownTopicOrPartitionError,
)

from winnow.streams import delivery
from winnow.streams.delivery import Partitioner, deliver
from winnow.streams.errors import DeliveryError
from winnow.streams.records import Outgoing


class FakeProducer:
    """Stores batches; each scripted failure strikes one, when it is queued or when it is stored."""

    def __init__(
        self,
        on_send: Sequence[Exception | None] = (),
        on_store: Sequence[Exception | None] = (),
        batch: int = 1,
        largest_bytes: int = 1 << 20,
    ) -> None:
        self.stored: list[bytes | None] = []
        self.sent: list[int] = []
        self._on_send = list(on_send)
        self._on_store = list(on_store)
        self._batch = batch
        self._largest_bytes = largest_bytes

    async def key_partitions(self, topic: str) -> Partitioner:
        return lambda key: len(key or b"")

    async def send_batch(
        self, topic: str, partition: int, records: Sequence[Outgoing]
    ) -> tuple[int, Awaitable[object]]:
        error = self._on_send.pop(0) if self._on_send else None
        if error:
            raise error
        batch = records[: self._batch]
        self.sent.append(len(batch))
        return len(batch), asyncio.ensure_future(self._store([each.value for each in batch]))

    async def _store(self, values: list[bytes | None]) -> None:
        error = self._on_store.pop(0) if self._on_store else None
        if error:
            raise error
        if sum(len(value or b"") for value in values) > self._largest_bytes:
            raise MessageSizeTooLargeError
        self.stored += values


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

    async def _store(self, values: list[bytes | None]) -> None:
        await self.brokers_are_back.wait()
        await super()._store(values)


class Operator(Retries):
    """Brings the brokers back at the second call."""

    def __init__(self, producer: LateProducer) -> None:
        super().__init__()
        self._producer = producer

    def delivery_retried(self, topic: str, error: str) -> None:
        super().delivery_retried(topic, error)
        if len(self.seen) == 2:
            self._producer.brokers_are_back.set()


async def test_deliver_reports_a_topic_while_the_client_retries(
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


@pytest.mark.parametrize(
    "error", [NotLeaderForPartitionError, OutOfOrderSequenceNumber, UnknownProducerId]
)
async def test_deliver_tries_again_when_storing_fails_for_a_while(error: type[Exception]) -> None:
    producer = FakeProducer(on_store=[error(), None])
    retries = Retries()

    await deliver(producer, records(b"1", b"2"), retries)

    assert producer.stored == [b"1", b"2"]
    assert retries.seen == [("t", error.__name__)] * 2


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


@pytest.mark.parametrize("error", [MessageSizeTooLargeError, RecordListTooLargeError])
async def test_deliver_returns_the_records_that_no_topic_can_hold(error: type[Exception]) -> None:
    producer = FakeProducer(on_send=[None, error()])
    batch = records(b"1", b"2", b"3")

    refused = await deliver(producer, batch, Retries())

    assert refused == [batch[1]]
    assert producer.stored == [b"1", b"3"]


async def test_deliver_halves_a_batch_that_a_topic_cannot_hold_down_to_the_record() -> None:
    producer = FakeProducer(batch=8, largest_bytes=4)
    batch = records(b"11", b"22", b"33333", b"44", b"55", b"66")

    refused = await deliver(producer, batch, Retries())

    assert refused == [batch[2]]
    assert producer.stored == [b"11", b"22", b"44", b"55", b"66"]


async def test_deliver_sends_nothing_to_a_partition_after_a_failed_batch() -> None:
    producer = FakeProducer(on_store=[None, NotLeaderForPartitionError()], batch=2)
    batch = records(b"1", b"2", b"3", b"4", b"5")

    await deliver(producer, batch, Retries())

    assert producer.stored == [b"1", b"2", b"3", b"4", b"5"]
    assert producer.sent == [2, 2, 2, 1]


async def test_a_partition_does_not_wait_for_another() -> None:
    producer = FakeProducer(on_store=[NotLeaderForPartitionError()], batch=2)
    batch = [Outgoing("t", key, value, ()) for key, value in ((b"a", b"1"), (b"bb", b"2"))]

    await deliver(producer, batch, Retries())

    assert producer.stored == [b"2", b"1"]


class Lost(FakeProducer):
    """Cannot tell the partitions of a topic at first."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = 0

    async def key_partitions(self, topic: str) -> Partitioner:
        self._asked += 1
        if topic == "t" and self._asked == 1:
            raise UnknownTopicOrPartitionError
        return await super().key_partitions(topic)


async def test_deliver_asks_again_for_the_partitions_of_a_topic() -> None:
    producer, retries = Lost(), Retries()

    await deliver(producer, [*records(b"1"), Outgoing("other", b"key", b"2", ())], retries)

    assert producer.stored == [b"2", b"1"]
    assert retries.seen == [("t", "UnknownTopicOrPartitionError")]


class Watched(Outgoing):
    """A record that can be referred to weakly."""


@pytest.mark.parametrize("is_queued", [False, True])
@pytest.mark.parametrize("failure", [MessageSizeTooLargeError, NotLeaderForPartitionError])
async def test_a_failure_does_not_keep_records_of_the_batch_in_memory(
    failure: type[Exception], *, is_queued: bool
) -> None:
    other = Watched("t", b"key", b"2", ())
    is_held = weakref.ref(other)
    batch = [*records(b"1"), other]
    del other

    gc.disable()
    try:
        on_store = [failure()] if is_queued else []
        on_send = [] if is_queued else [failure()]
        await deliver(FakeProducer(on_send, on_store), batch, Retries())
        del batch
        assert not is_held()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "error",
    [
        BrokerResponseError(),
        TopicAuthorizationFailedError(),
        InvalidTimestampError(),
        ValueError("a bug of a client"),
    ],
)
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
