"""Faust's Kafka driver with our consumer and a producer that never loses or repeats records."""

import random
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

import aiokafka
from aiokafka.errors import MessageSizeTooLargeError, UnknownTopicOrPartitionError
from faust.transport.drivers import aiokafka as driver
from faust.types import AppT
from yarl import URL

from winnow.models.checksum import key_hash
from winnow.streams.delivery import Partitioner
from winnow.streams.kafka.brokers import keep_trying, tune_connections
from winnow.streams.kafka.consumer import Consumer
from winnow.streams.kafka.sequences import renew_after_failure
from winnow.streams.kafka.tuning import Compression, Tuning, tuning_of
from winnow.streams.records import Outgoing
from winnow.streams.topics import MAX_RECORD_BYTES, RECORD_FRAMING_BYTES


class Producer(driver.Producer):
    """An idempotent producer whose records count only when all replicas in sync have them.

    Faust and aiokafka send record by record, each with a future, a topic lookup and a hash of the
    key. Here a batch is sent as one.
    """

    async def key_partitions(self, topic: str) -> Partitioner:
        """Return the partition of a topic for a key, the same as in every Kafka client."""
        client = self._ensure_producer()
        partitions = sorted(await client.partitions_for(topic))
        available = list(client.client.cluster.available_partitions_for_topic(topic) or partitions)

        def partition_of(key: bytes | None) -> int:
            if key is None:
                return random.choice(available)  # noqa: S311 - as the client does
            return partitions[key_hash(key) % len(partitions)]

        return partition_of

    async def send_batch(
        self, topic: str, partition: int, records: Sequence[Outgoing]
    ) -> tuple[int, Awaitable[object]]:
        """Queue records as one batch; see `winnow.streams.delivery.Producer`."""
        client = self._ensure_producer()
        if partition not in await client.partitions_for(topic):
            raise UnknownTopicOrPartitionError  # the topic was recreated meanwhile
        batch, count = client.create_batch(), 0
        for record in records:
            if record.record_bytes + RECORD_FRAMING_BYTES > MAX_RECORD_BYTES:
                break
            key, value, headers = record.key, record.value, list(record.headers)
            if batch.append(timestamp=None, key=key, value=value, headers=headers) is None:
                break
            count += 1
        if not count:
            raise MessageSizeTooLargeError
        batch.close()
        stored = await client.send_batch(batch, topic, partition=partition)
        renew_after_failure(client, stored)
        return count, stored

    def _new_producer(self, transactional_id: str | None = None) -> aiokafka.AIOKafkaProducer:
        producer: aiokafka.AIOKafkaProducer = super()._new_producer(transactional_id)
        keep_trying(producer.client)
        return producer

    def _settings_default(self) -> Mapping[str, Any]:
        tuning = tuning_of(self.transport)
        return {
            "client_id": tuning.client_id,
            "acks": "all",
            "enable_idempotence": True,
            "max_batch_size": 512 << 10,
            "max_request_size": MAX_RECORD_BYTES,
            "compression_type": _codec(tuning.compression),
            "request_timeout_ms": round(tuning.request_s * 1000),
        }

    def _settings_auth(self) -> Mapping[str, Any]:
        return tuning_of(self.transport).connection.client_options()


class Transport(driver.Transport):
    """Builds our consumer and producer."""

    Consumer = Consumer
    Producer = Producer

    def __init__(self, url: list[URL], app: AppT, tuning: Tuning) -> None:
        """Keep `tuning` for both."""
        tune_connections()
        self.tuning = tuning
        super().__init__(url, app)


def _codec(compression: Compression) -> str | None:
    """Return a codec by aiokafka's name."""
    return None if compression is Compression.NONE else compression.value
