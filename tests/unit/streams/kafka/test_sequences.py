"""After a refusal a broker takes what follows: aiokafka's own sender, and a broker that counts."""

import asyncio
import struct
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import MessageSizeTooLargeError, OutOfOrderSequenceNumber
from aiokafka.producer.message_accumulator import BatchBuilder, MessageAccumulator
from aiokafka.producer.sender import Sender
from aiokafka.producer.transaction_manager import TransactionManager
from hypothesis import given
from hypothesis import strategies as st

from winnow.streams import delivery
from winnow.streams.delivery import deliver
from winnow.streams.kafka.sequences import LAST_EPOCH
from winnow.streams.kafka.transport import Producer
from winnow.streams.records import Outgoing

TOO_LARGE: Final = MessageSizeTooLargeError.errno
OUT_OF_ORDER: Final = OutOfOrderSequenceNumber.errno
LAYOUT_OF_RESPONSES: Final = 7
PRODUCER: Final = struct.Struct(">qhii")  # id, epoch, first sequence, count of records
PRODUCER_AT: Final = 43
TTL_S: Final = 60.0
LEAST_REFUSED_BYTES: Final = 400


@dataclass
class Broker:
    """Keeps what it takes, and the last sequence of each producer and partition, as Kafka does.

    Attributes:
        most_bytes: of a batch; a larger one is refused.
        leads: whether it is the leader of anything.
    """

    most_bytes: int = 10_000
    leads: bool = True
    stored: defaultdict[int, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    refusals: list[int] = field(default_factory=list)
    ids_given: int = 0
    last: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    async def send(self, _node: int, request: Any, **_: object) -> SimpleNamespace:  # noqa: ANN401 - aiokafka's
        await asyncio.sleep(0)
        if not hasattr(request, "_topics"):
            self.ids_given += 1
            return SimpleNamespace(error_code=0, producer_id=self.ids_given, producer_epoch=0)
        ((topic, parts),) = request._topics
        answers = [(part, self._take(part, bytes(batch)), 0, -1, 0) for part, batch in parts]
        return SimpleNamespace(API_VERSION=LAYOUT_OF_RESPONSES, topics=[(topic, answers)])

    def _take(self, partition: int, batch: bytes) -> int:
        pid, epoch, first, count = PRODUCER.unpack_from(batch, PRODUCER_AT)
        known = self.last.get((pid, partition))
        if len(batch) > self.most_bytes:
            error = TOO_LARGE
        elif known is None or (epoch > known[0] and first == 0):
            error = 0
        else:
            error = 0 if (epoch, first) == (known[0], known[1] + 1) else OUT_OF_ORDER
        if error:
            self.refusals.append(error)
            return error
        self.last[pid, partition] = (epoch, first + count - 1)
        self.stored[partition].append(batch)
        return 0

    def values(self, partition: int, words: list[bytes]) -> list[bytes]:
        """Return which of these words it has, in the order of its log."""
        log = b"".join(self.stored[partition])
        assert all(log.count(word) <= 1 for word in words)
        return sorted((word for word in words if word in log), key=log.index)


class Client:
    """aiokafka's producer as far as batches go through it, in front of one broker."""

    def __init__(self, broker: Broker) -> None:
        self._txn_manager = TransactionManager(None, 60_000)
        cluster = SimpleNamespace(
            leader_for_partition=lambda _: 1 if broker.leads else -1,
            available_partitions_for_topic=lambda _: {0, 1},
        )
        self.client: Any = SimpleNamespace(
            cluster=cluster,
            send=broker.send,
            get_random_node=lambda: 1,
            force_metadata_update=self._nothing_new,
            _maybe_wait_metadata=lambda: asyncio.sleep(0),
            _client_id="winnow",
        )
        self.accumulator = MessageAccumulator(
            cluster, 1 << 20, 0, TTL_S, txn_manager=self._txn_manager
        )
        self.sender = Sender(
            self.client,
            acks=-1,
            txn_manager=self._txn_manager,
            message_accumulator=self.accumulator,
            retry_backoff_ms=0,
            request_timeout_ms=1000,
        )

    @staticmethod
    def _nothing_new() -> "asyncio.Future[bool]":
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        done.set_result(True)
        return done

    async def partitions_for(self, _topic: str) -> set[int]:
        return {0, 1}

    def create_batch(self) -> BatchBuilder:
        built: BatchBuilder = self.accumulator.create_builder()
        return built

    async def send_batch(
        self, batch: BatchBuilder, topic: str, *, partition: int
    ) -> "asyncio.Future[object]":
        place = TopicPartition(topic, partition)
        stored: asyncio.Future[object] = await self.accumulator.add_batch(batch, place, TTL_S)
        return stored


class Retries:
    def __init__(self) -> None:
        self.seen: list[str] = []
        self.begun = asyncio.Event()

    def delivery_retried(self, topic: str, error: str) -> None:
        self.seen.append(error)
        self.begun.set()


@dataclass
class Running:
    broker: Broker
    client: Client
    producer: Producer
    retries: Retries = field(default_factory=Retries)

    async def deliver(self, *values: bytes) -> list[bytes]:
        """Publish values, of odd length to the other partition; return the refused ones."""
        keys = (b"a" if len(value) % 2 else b"b" for value in values)
        records = [Outgoing("t", key, value, ()) for key, value in zip(keys, values, strict=True)]
        async with asyncio.timeout(10):
            refused = await deliver(self.producer, records, self.retries)
        return [each.value or b"" for each in refused]


async def running(broker: Broker) -> Running:
    client = Client(broker)
    await client.sender.start()
    producer: Any = Producer.__new__(Producer)
    producer._producer = client
    return Running(broker, client, producer)


@pytest.fixture
async def stream() -> AsyncIterator[Running]:
    made = await running(Broker())
    yield made
    await made.client.sender.close()


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_BACKOFF_S", 0.0)


async def test_a_partition_takes_what_follows_a_record_that_was_too_large(stream: Running) -> None:
    await stream.deliver(b"one")
    large = b"x" * 20_001

    assert await stream.deliver(b"two", large, b"six") == [large]

    assert stream.broker.values(1, [b"one", b"two", b"six"]) + stream.broker.values(
        0, [b"one", b"two", b"six"]
    ) == [b"one", b"two", b"six"]
    assert OUT_OF_ORDER not in stream.broker.refusals
    assert stream.broker.ids_given == 1  # brokers keep the state of each id for a day


async def test_the_other_partition_continues(stream: Running) -> None:
    await stream.deliver(b"one", b"four")

    await stream.deliver(b"x" * 20_001, b"five")
    await stream.deliver(b"two", b"nine")

    assert OUT_OF_ORDER not in stream.broker.refusals
    assert stream.retries.seen == []


async def test_a_batch_cancelled_before_it_was_sent_leaves_no_gap(
    stream: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """aiokafka gives up a batch that finds no leader for as long as a request may take."""
    await stream.deliver(b"one")
    stream.broker.leads = False
    monkeypatch.setattr(stream.client.accumulator, "_batch_ttl", -1.0)

    publishing = asyncio.create_task(stream.deliver(b"two"))
    await stream.retries.begun.wait()
    stream.broker.leads = True

    assert await publishing == []
    assert set(stream.retries.seen) <= {"LeaderNotAvailableError", "NotLeaderForPartitionError"}
    assert OUT_OF_ORDER not in stream.broker.refusals


async def test_a_batch_is_sent_again_to_a_broker_that_lost_the_producer(stream: Running) -> None:
    await stream.deliver(b"one")
    stream.broker.last = dict.fromkeys(stream.broker.last, (0, 7))

    assert await stream.deliver(b"two") == []

    assert stream.retries.seen == ["OutOfOrderSequenceNumber"]


async def test_the_last_epoch_is_followed_by_a_new_producer_id(stream: Running) -> None:
    manager = stream.client._txn_manager
    manager._pid_and_epoch = manager._pid_and_epoch._replace(epoch=LAST_EPOCH)
    await stream.deliver(b"one")

    await stream.deliver(b"x" * 20_001)
    await stream.deliver(b"two")

    assert stream.broker.ids_given == 2
    assert OUT_OF_ORDER not in stream.broker.refusals


@given(st.lists(st.lists(st.integers(1, 900), min_size=1, max_size=12), min_size=1, max_size=6))
async def test_records_around_refused_ones_are_stored_once_and_in_order(
    batches: list[list[int]],
) -> None:
    """Large records are refused, and batches of small ones are halved."""
    stream = await running(Broker(most_bytes=500))
    values = [
        [b"<%d.%d>" % (number, place) + b"x" * size for place, size in enumerate(batch)]
        for number, batch in enumerate(batches)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivery, "FIRST_BACKOFF_S", 0.0)
        refused = [await stream.deliver(*batch) for batch in values]
    await stream.client.sender.close()

    flat = [value for batch in values for value in batch]
    gone = {value for batch in refused for value in batch}
    for is_odd in (True, False):
        kept = [value for value in flat if value not in gone and len(value) % 2 == is_odd]
        assert kept in [stream.broker.values(partition, kept) for partition in (0, 1)]
    assert all(len(value) > LEAST_REFUSED_BYTES for value in gone)
    assert OUT_OF_ORDER not in stream.broker.refusals


def test_the_model_of_a_broker_refuses_a_gap() -> None:
    broker = Broker()
    batch = bytes(PRODUCER_AT) + PRODUCER.pack(1, 0, 0, 3)
    gap = bytes(PRODUCER_AT) + PRODUCER.pack(1, 0, 5, 1)
    newer = bytes(PRODUCER_AT) + PRODUCER.pack(1, 1, 0, 1)

    assert [broker._take(0, each) for each in (batch, gap, newer)] == [0, OUT_OF_ORDER, 0]
