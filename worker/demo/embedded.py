"""The broker of demos and fast tests: librdkafka's mock cluster, from the confluent-kafka wheel.

It speaks Kafka's protocol on loopback, in this process, with consumer groups and with faults on
request. It is not Kafka: nothing is durable, it keeps only the newest 5 MiB per partition, it
refuses commits while a group rebalances, and it has no compaction and no access control. Do not
write faster than its readers read, and do not send records above `MAX_RECORD_BYTES`.
"""

import ctypes
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import confluent_kafka

from winnow.models.errors import WinnowError

# A record that displaces all others of its partition moves the start of the log beyond itself, and
# is never read; two records of this size always fit.
MAX_RECORD_BYTES: Final = 5 * (1 << 20) // 2 - 1024

_ERROR_BYTES: Final = 512
_PRODUCER: Final = 0

_POINTER: Final = ctypes.c_void_p
_FUNCTIONS: Final = (
    ("rd_kafka_conf_new", _POINTER, ()),
    ("rd_kafka_conf_destroy", None, (_POINTER,)),
    (
        "rd_kafka_conf_set",
        ctypes.c_int,
        (_POINTER, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t),
    ),
    ("rd_kafka_new", _POINTER, (ctypes.c_int, _POINTER, ctypes.c_char_p, ctypes.c_size_t)),
    ("rd_kafka_destroy", None, (_POINTER,)),
    ("rd_kafka_mock_cluster_new", _POINTER, (_POINTER, ctypes.c_int)),
    ("rd_kafka_mock_cluster_destroy", None, (_POINTER,)),
    ("rd_kafka_mock_cluster_bootstraps", ctypes.c_char_p, (_POINTER,)),
    (
        "rd_kafka_mock_topic_create",
        ctypes.c_int,
        (_POINTER, ctypes.c_char_p, ctypes.c_int, ctypes.c_int),
    ),
    (
        "rd_kafka_mock_push_request_errors_array",
        None,
        (_POINTER, ctypes.c_int16, ctypes.c_size_t, _POINTER),
    ),
    ("rd_kafka_mock_group_initial_rebalance_delay_ms", None, (_POINTER, ctypes.c_int32)),
    ("rd_kafka_mock_broker_set_down", ctypes.c_int, (_POINTER, ctypes.c_int32)),
    ("rd_kafka_mock_broker_set_up", ctypes.c_int, (_POINTER, ctypes.c_int32)),
)


class Request(IntEnum):
    """Kafka's API keys of the requests that tests make fail."""

    PRODUCE = 0
    FETCH = 1
    OFFSET_COMMIT = 8
    JOIN_GROUP = 11
    HEARTBEAT = 12
    SYNC_GROUP = 14


class EmbeddedBrokerError(WinnowError):
    """The embedded broker does not start, or refuses a request."""


class EmbeddedBroker:
    """A mock cluster on free loopback ports, from construction until `close`."""

    def __init__(self, brokers: int = 1, rebalance_delay_ms: int = 100) -> None:
        """Start the cluster.

        Raises:
            EmbeddedBrokerError: the wheel has no librdkafka, or no cluster can be created.
        """
        self._library = _library()
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        conf = self._library.rd_kafka_conf_new()
        # the client that owns the cluster has no connection, and would warn about it
        self._library.rd_kafka_conf_set(conf, b"log_level", b"2", error, _ERROR_BYTES)
        self._client = self._library.rd_kafka_new(_PRODUCER, conf, error, _ERROR_BYTES)
        if not self._client:
            self._library.rd_kafka_conf_destroy(conf)
            raise EmbeddedBrokerError(error.value.decode())
        self._cluster = self._library.rd_kafka_mock_cluster_new(self._client, brokers)
        if not self._cluster:
            raise EmbeddedBrokerError("librdkafka cannot start a mock cluster")
        self._library.rd_kafka_mock_group_initial_rebalance_delay_ms(
            self._cluster, rebalance_delay_ms
        )

    @property
    def bootstrap(self) -> tuple[str, ...]:
        """`host:port` of each broker."""
        listed: bytes = self._library.rd_kafka_mock_cluster_bootstraps(self._cluster)
        return tuple(listed.decode().split(","))

    def create_topic(self, name: str, partitions: int = 1) -> None:
        """Create a topic on one replica."""
        self._check(
            self._library.rd_kafka_mock_topic_create(self._cluster, name.encode(), partitions, 1)
        )

    def fail_next(self, request: Request, errors: Sequence[int]) -> None:
        """Answer the next requests of this API key with these Kafka error codes, one each."""
        codes = (ctypes.c_int * len(errors))(*errors)
        self._library.rd_kafka_mock_push_request_errors_array(
            self._cluster, int(request), len(errors), ctypes.cast(codes, _POINTER)
        )

    def set_down(self, broker: int = 1) -> None:
        """Close the connections of a broker and refuse new ones."""
        self._check(self._library.rd_kafka_mock_broker_set_down(self._cluster, broker))

    def set_up(self, broker: int = 1) -> None:
        """Accept connections again."""
        self._check(self._library.rd_kafka_mock_broker_set_up(self._cluster, broker))

    def close(self) -> None:
        """Stop the brokers; their records are lost."""
        if self._cluster:
            self._library.rd_kafka_mock_cluster_destroy(self._cluster)
            self._library.rd_kafka_destroy(self._client)
            self._cluster = self._client = None

    def __enter__(self) -> Self:
        """Return the running broker."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop it."""
        self.close()

    def _check(self, code: int) -> None:
        if code:
            raise EmbeddedBrokerError(f"librdkafka answers with error {code}")


def _library() -> ctypes.CDLL:
    folder = Path(confluent_kafka.__file__).parent.with_name("confluent_kafka.libs")
    found = sorted(folder.glob("librdkafka-*.so*"))
    if not found:
        raise EmbeddedBrokerError(
            f"librdkafka not found in {folder}: install the wheel of confluent-kafka"
        )
    library = ctypes.CDLL(str(found[0]))
    for name, returns, takes in _FUNCTIONS:
        function = getattr(library, name)
        function.restype = returns
        function.argtypes = takes
    return library
