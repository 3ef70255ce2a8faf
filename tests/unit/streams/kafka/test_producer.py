"""The producer packs records of a partition into batches, and puts keys where all clients do."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import MessageSizeTooLargeError, UnknownTopicOrPartitionError
from aiokafka.partitioner import DefaultPartitioner
from aiokafka.producer.message_accumulator import BatchBuilder
from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.kafka.transport import Producer
from winnow.streams.records import Outgoing
from winnow.streams.topics import MAX_RECORD_BYTES

BATCH_BYTES = 10_000


class Client:
    """As much of aiokafka's producer as is asked; builds its batches."""

    def __init__(self, partitions: set[int], available: set[int]) -> None:
        self.sent: list[tuple[BatchBuilder, str, int]] = []
        self.client = SimpleNamespace(
            cluster=SimpleNamespace(available_partitions_for_topic=lambda topic: available)
        )
        self._partitions = partitions

    async def partitions_for(self, topic: str) -> set[int]:
        return self._partitions

    def create_batch(self) -> BatchBuilder:
        return BatchBuilder(BATCH_BYTES, 0)

    async def send_batch(
        self, batch: BatchBuilder, topic: str, *, partition: int
    ) -> asyncio.Future[None]:
        self.sent.append((batch, topic, partition))
        stored = asyncio.get_running_loop().create_future()
        stored.set_result(None)
        return stored


def a_producer(
    partitions: set[int] | None = None, available: set[int] | None = None
) -> tuple[Producer, Client]:
    producer: Any = Producer.__new__(Producer)
    client = Client(partitions or {0, 1, 2}, available or {0, 1, 2})
    producer._producer = client
    return producer, client


def records(*sizes: int) -> list[Outgoing]:
    return [Outgoing("t", b"key", b"x" * size, (("none", None),)) for size in sizes]


@given(st.binary(max_size=200), st.sets(st.integers(0, 300), min_size=1, max_size=20))
async def test_a_key_goes_to_the_partition_every_client_chooses(
    key: bytes, partitions: set[int]
) -> None:
    producer, _ = a_producer(partitions)

    partition_of = await producer.key_partitions("t")

    assert partition_of(key) == DefaultPartitioner()(key, sorted(partitions), [])


async def test_records_without_a_key_go_where_a_broker_leads() -> None:
    producer, _ = a_producer({0, 1, 2}, available={1})

    partition_of = await producer.key_partitions("t")

    assert {partition_of(None) for _ in range(50)} == {1}


async def test_records_are_sent_as_one_closed_batch() -> None:
    producer, client = a_producer()

    count, stored = await producer.send_batch("t", 2, records(10, 20, 30))
    await stored

    ((batch, topic, partition),) = client.sent
    assert (count, topic, partition) == (3, "t", 2)
    assert batch.record_count() == 3
    assert batch.closed()  # it waits for nothing that might still come


async def test_a_batch_is_bounded_but_has_at_least_one_record() -> None:
    producer, client = a_producer()

    counts = [
        (await producer.send_batch("t", 0, records(*sizes)))[0]
        for sizes in ((4000, 4000, 4000), (BATCH_BYTES, 1), (1, BATCH_BYTES))
    ]

    assert counts == [2, 1, 1]
    assert [batch.record_count() for batch, _, _ in client.sent] == counts


async def test_a_record_too_large_for_any_request_is_refused_alone() -> None:
    producer, client = a_producer()

    with pytest.raises(MessageSizeTooLargeError):
        await producer.send_batch("t", 0, records(MAX_RECORD_BYTES, 1))
    count, _ = await producer.send_batch("t", 0, records(1, MAX_RECORD_BYTES))

    assert count == 1
    assert len(client.sent) == 1


async def test_a_removed_partition_is_reported_and_looked_up_again() -> None:
    producer, client = a_producer({0})

    with pytest.raises(UnknownTopicOrPartitionError):
        await producer.send_batch("t", 1, records(1))

    assert client.sent == []
