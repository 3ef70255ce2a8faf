"""Publish records and report for each whether it is stored: the producer of the commands."""

from collections.abc import Callable
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.tuning import Compression
from winnow.streams.operator.librdkafka import LastError, client_config
from winnow.streams.records import Outgoing
from winnow.streams.topics import MAX_RECORD_BYTES

BUFFER_KB: Final = 64 << 10  # most records in flight
DELIVERY_TIMEOUT_MS: Final = 120_000


def _nothing() -> None:
    pass


class Publisher:
    """An idempotent producer with acks from all replicas in sync, limited in bytes."""

    def __init__(
        self,
        connection: Connection,
        compression: Compression = Compression.ZSTD,
        delivery_timeout_ms: int = DELIVERY_TIMEOUT_MS,
    ) -> None:
        """Create the producer without connecting."""
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
                # an unknown topic is refused after this time, not after half a minute
                "topic.metadata.propagation.max.ms": 5000,
                "queue.buffering.max.kbytes": BUFFER_KB,
                # the partitioner of Java clients and of aiokafka
                "partitioner": "murmur2_random",
            }
        )

    def send(
        self,
        record: Outgoing,
        on_failure: Callable[[str], None],
        on_stored: Callable[[], None] = _nothing,
    ) -> None:
        """Queue a record; waits while too many are in flight.

        During a later call either `on_stored` is called, or `on_failure` with the reason, perhaps
        at once.
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
        """Return once every record is stored by all replicas in sync, or has failed."""
        self._producer.flush()
