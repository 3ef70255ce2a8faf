"""Publish records and learn of each whether the brokers have it: the producer of the commands."""

from collections.abc import Callable
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.tuning import Compression
from winnow.streams.operator.librdkafka import LastError, client_config
from winnow.streams.records import Outgoing
from winnow.streams.topics import MAX_RECORD_BYTES

BUFFER_KB: Final = 64 << 10  # records under way at most
DELIVERY_TIMEOUT_MS: Final = 120_000


def _nothing() -> None:
    pass


class Publisher:
    """An idempotent producer with acks from all replicas in sync, bounded in bytes."""

    def __init__(
        self,
        connection: Connection,
        compression: Compression = Compression.ZSTD,
        delivery_timeout_ms: int = DELIVERY_TIMEOUT_MS,
    ) -> None:
        """Connect to nothing yet."""
        self._last_error = LastError(connection)
        self._producer = Producer(
            client_config(connection, self._last_error)
            | {
                "acks": "all",
                "enable.idempotence": True,
                "compression.type": compression.value,
                "message.max.bytes": MAX_RECORD_BYTES,
                "delivery.timeout.ms": delivery_timeout_ms,
                "linger.ms": 20,
                # a topic that nobody knows is refused after this, not after half a minute
                "topic.metadata.propagation.max.ms": 5000,
                "queue.buffering.max.kbytes": BUFFER_KB,
                # the partitions that Java clients, and aiokafka, choose for a key
                "partitioner": "murmur2_random",
            }
        )

    def send(
        self,
        record: Outgoing,
        on_failure: Callable[[str], None],
        on_stored: Callable[[], None] = _nothing,
    ) -> None:
        """Hand a record over; waits while too much is under way.

        During a later call `on_stored` is told that the brokers have it, or `on_failure`, perhaps
        at once, why they do not take it.
        """

        def delivered(error: KafkaError | None, _: Message) -> None:
            if error is None:
                self._last_error.connected()
                on_stored()
            else:
                on_failure(self._last_error.explain(error))

        while True:
            try:
                self._producer.produce(
                    record.topic,
                    key=record.key,
                    value=record.value,
                    headers=list(record.headers),
                    on_delivery=delivered,
                )
            except BufferError:
                self._producer.poll(0.1)
            except KafkaException as error:
                on_failure(error.args[0].str())
                return
            else:
                self._producer.poll(0)
                return

    def confirm(self) -> None:
        """Return once every record is stored by all replicas in sync, or was told a failure."""
        self._producer.flush()
