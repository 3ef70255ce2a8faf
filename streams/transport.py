"""Faust's Kafka driver with our consumer and a producer that loses and repeats nothing."""

from collections.abc import Mapping
from typing import Any

from faust.transport.drivers import aiokafka as driver
from faust.types import AppT
from yarl import URL

from streams.brokers import bound_connecting
from streams.consumer import Consumer
from streams.topics import MAX_RECORD_BYTES
from streams.tuning import Compression, Tuning, tuning_of


class Producer(driver.Producer):
    """An idempotent producer whose records count only when all replicas in sync have them."""

    def _settings_default(self) -> Mapping[str, Any]:
        tuning = tuning_of(self.transport)
        return {
            "client_id": tuning.client_id,
            "acks": "all",
            "enable_idempotence": True,
            "linger_ms": tuning.linger_ms,
            "max_batch_size": 512 << 10,
            "max_request_size": MAX_RECORD_BYTES,
            "compression_type": _codec(tuning.compression),
            "request_timeout_ms": round(tuning.request_s * 1000),
        }

    def _settings_auth(self) -> Mapping[str, Any]:
        return tuning_of(self.transport).connection.client_options()


class Transport(driver.Transport):
    """Builds the consumer and the producer above."""

    Consumer = Consumer
    Producer = Producer

    def __init__(self, url: list[URL], app: AppT, tuning: Tuning) -> None:
        """Keep `tuning` for both."""
        bound_connecting()
        self.tuning = tuning
        super().__init__(url, app)


def _codec(compression: Compression) -> str | None:
    """Return a codec as aiokafka names it."""
    return None if compression is Compression.NONE else compression.value
