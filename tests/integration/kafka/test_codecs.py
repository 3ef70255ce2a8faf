"""Pages in and documents out in every codec of Kafka, and a page of five megabytes."""

import asyncio

import aiokafka.consumer.fetcher
import orjson
import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka.record.memory_records import (
    MemoryRecords,
)
from confluent_kafka import Producer

from tests.integration.kafka.conftest import Deployment, StartWorker
from winnow.streams.kafka.tuning import Compression
from winnow.streams.topics import MAX_RECORD_BYTES

CODES = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}
CODEC_BITS = 7
SENTENCE = "The miller keeps the grain and lets the wind take the chaff, year after year. "
LARGE_BYTES = 5_000_000


class SeenRecords:
    """Records of a fetch, which note the codec of each batch."""

    codecs: set[str]

    def __init__(self, raw: bytes) -> None:
        self._records = MemoryRecords(raw)

    def has_next(self) -> bool:
        return bool(self._records.has_next())

    def size_in_bytes(self) -> int:
        return int(self._records.size_in_bytes())

    def next_batch(self) -> object:
        batch = self._records.next_batch()
        self.codecs.add(CODES[batch.attributes & CODEC_BITS])
        return batch


@pytest.fixture
def codecs(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The codecs of all batches that aiokafka reads in this process."""
    SeenRecords.codecs = set()
    monkeypatch.setattr(aiokafka.consumer.fetcher, "MemoryRecords", SeenRecords)
    return SeenRecords.codecs


def put(deployment: Deployment, pages: dict[str, bytes], codec: str) -> None:
    producer = Producer(
        {
            "bootstrap.servers": deployment.bootstrap,
            "compression.type": codec,
            "message.max.bytes": MAX_RECORD_BYTES,
        }
    )
    for url, body in pages.items():
        producer.produce(deployment.names.pages, body, key=url.encode())
    assert producer.flush(30) == 0


async def documents(deployment: Deployment, count: int) -> dict[str, str]:
    """Return text by URL once a number of documents have arrived."""
    consumer = AIOKafkaConsumer(
        deployment.names.documents,
        bootstrap_servers=deployment.bootstrap,
        auto_offset_reset="earliest",
        max_partition_fetch_bytes=MAX_RECORD_BYTES,
    )
    found: dict[str, str] = {}
    async with consumer, asyncio.timeout(120):
        while len(found) < count:
            for records in (await consumer.getmany(timeout_ms=500)).values():
                documents = [orjson.loads(record.value or b"{}") for record in records]
                found |= {each["url"]: each["text"] for each in documents}
    return found


@pytest.mark.parametrize("codec", list(Compression))
async def test_pages_come_in_and_documents_go_out_compressed(
    topics: Deployment, start_worker: StartWorker, codecs: set[str], codec: Compression
) -> None:
    pages = {
        f"https://example.org/{codec}/{number}": f"<p>{SENTENCE * 40}".encode()
        for number in range(20)
    }
    put(topics, pages, codec)

    start_worker(WINNOW_KAFKA_COMPRESSION=codec.value)

    found = await documents(topics, len(pages))
    assert found.keys() == pages.keys()
    assert all("the grain" in text for text in found.values())
    assert codecs == {codec.value}


async def test_a_page_of_five_megabytes_is_cleaned(
    topics: Deployment, start_worker: StartWorker
) -> None:
    url = "https://example.org/large"
    paragraph = f"<p>{SENTENCE * 12}</p>\n"
    body = ("<title>Large</title>" + paragraph * (LARGE_BYTES // len(paragraph))).encode()
    put(topics, {url: body}, "none")

    start_worker()

    found = await documents(topics, 1)
    assert len(found[url]) > LARGE_BYTES * 0.9
