"""Batches that Kafka stores and aiokafka does not read, or not within its memory."""

import gzip
import time
from functools import partial
from typing import Any

import cramjam
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.protocol.produce import ProduceRequest  # type: ignore[import-untyped]

from tests.integration.kafka.conftest import Deployment, StartWorker
from tests.raw_batches import raw_batch, raw_record
from winnow.streams.operator.topic_reader import TopicReader

PAGE = b"<p>The miller keeps the grain and lets the wind take the chaff, year after year.</p>"
LARGE_BYTES = 200 << 20


async def store(deployment: Deployment, batches: list[bytes]) -> None:
    """Have the leader of partition 0 store batches as they are."""
    topic = deployment.names.pages
    async with AIOKafkaProducer(bootstrap_servers=deployment.bootstrap) as producer:
        await producer.partitions_for(topic)
        client: Any = producer.client
        node = client.cluster.leader_for_partition(TopicPartition(topic, 0))
        for batch in batches:
            request = ProduceRequest(None, -1, 30_000, [(topic, [(0, batch)])])
            answer = await client.send(node, request)
            assert answer.topics[0][1][0][1] == 0


def bomb() -> bytes:
    """Return a record above any limit, packed to some kilobytes."""
    packer = cramjam.zstd.Compressor(level=1)
    packer.compress(raw_record(0, b" " * LARGE_BYTES, key=b"https://example.org/bomb"))
    return bytes(packer.finish())


def letters(deployment: Deployment) -> list[tuple[bytes | None, bytes | None]]:
    with TopicReader(deployment.connection, "letters") as reader:
        found = reader.read(deployment.names.dead, reader.spans(deployment.names.dead))
        return [(each.record.key, each.record.header("reason")) for each in found]


async def test_a_stored_batch_does_not_block_others(
    topics: Deployment, start_worker: StartWorker
) -> None:
    batch = partial(raw_batch, at_ms=time.time_ns() // 1_000_000)
    record = [
        raw_record(0, PAGE, key=f"https://example.org/{number}".encode()) for number in range(3)
    ]
    odd = raw_record(0, PAGE, key=b"https://example.org/odd", attributes=b"\x80")
    await store(
        topics,
        [
            batch(gzip.compress(record[0]) + b"more", 1, 1),
            batch(bomb(), 1, 4),
            batch(odd, 1),
            batch(bytes(cramjam.zstd.compress(record[1])), 1, 4),
            batch(record[2], 1),
        ],
    )

    worker = start_worker()

    worker.until(lambda: worker.done(0) == 5)
    assert letters(topics) == [(b"https://example.org/bomb", b"too_large")]
