"""Read a topic between known offsets: for the commands that show and replay records."""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from winnow.streams.errors import NoSuchTopic
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.librdkafka import (
    LastError,
    client_config,
    cluster_metadata,
    translated,
)
from winnow.streams.records import Headers, Incoming, clean_headers
from winnow.streams.topics import MAX_RECORD_BYTES

TIMEOUT_S: Final = 15.0
POLL_S: Final = 0.5
# errors that pass: the group is new, or its broker has just gone
_NO_COORDINATOR: Final = frozenset(
    {
        KafkaError.NOT_COORDINATOR,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    }
)
# fetched ahead of the reader, in all partitions together: a few records of the largest size
PREFETCH_KB: Final = 4 * MAX_RECORD_BYTES // 1024


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of one partition: from `start`, included, to `end`, excluded."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as the brokers store it.

    Attributes:
        timestamp_ms: creation or append time, by the topic's configuration; -1 for neither.
    """

    record: Incoming
    timestamp_ms: int


class TopicReader:
    """A consumer without group membership; a context manager.

    Every method raises `KafkaUnavailable` when the brokers do not answer.
    """

    def __init__(self, connection: Connection, group: str, timeout_s: float = TIMEOUT_S) -> None:
        """Create the consumer without connecting; `group` is the name for committed progress."""
        self._timeout_s = timeout_s
        self._last_error = LastError(connection)
        self._consumer = Consumer(
            client_config(connection, self._last_error)
            | {
                "group.id": group,
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "auto.offset.reset": "error",
                "isolation.level": "read_committed",
                "queued.max.messages.kbytes": PREFETCH_KB,
                "fetch.message.max.bytes": MAX_RECORD_BYTES,
            }
        )

    def __enter__(self) -> Self:
        """Return the reader."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self._consumer.close()

    def spans(self, topic: str) -> dict[int, Span]:
        """Return the current offsets of each partition.

        Raises:
            NoSuchTopic: the topic does not exist.
        """
        with self._translated():
            topics = cluster_metadata(self._consumer, self._last_error, self._timeout_s).topics
            if topic not in topics:
                raise NoSuchTopic(f"{topic}: no such topic: run winnow topics create")
            known = topics[topic]
            return {number: self._span(topic, number) for number in sorted(known.partitions)}

    def committed(self, topic: str, partitions: list[int]) -> dict[int, int]:
        """Return the offsets that the group has committed, for the partitions that have one."""
        asked = [TopicPartition(topic, number) for number in partitions]
        until_s = time.monotonic() + self._timeout_s
        with self._translated():
            while True:
                try:
                    answers = self._consumer.committed(asked, timeout=self._timeout_s)
                    break
                except KafkaException as error:
                    if error.args[0].code() not in _NO_COORDINATOR or time.monotonic() > until_s:
                        raise
                time.sleep(POLL_S)
        return {each.partition: each.offset for each in answers if each.offset >= 0}

    def commit(self, topic: str, next_offsets: Mapping[int, int]) -> None:
        """Store the group's progress; returns once the brokers have stored it."""
        offsets = [TopicPartition(topic, number, at) for number, at in next_offsets.items()]
        with self._translated():
            for answer in self._consumer.commit(offsets=offsets, asynchronous=False):
                if answer.error is not None:
                    raise KafkaException(answer.error)

    def read(self, topic: str, spans: Mapping[int, Span]) -> Iterator[Stored]:
        """Yield the records of these spans, in order within a partition; ends with the last one.

        Offsets without a record (compacted, or marks of a transaction) are skipped.
        """
        waiting = {number: span for number, span in spans.items() if span.start < span.end}
        self._assign(topic, waiting)
        while waiting:
            message = self._poll()
            if message is None:
                continue
            number, offset = _position(message)
            span = waiting.get(number)
            if span is None:
                continue  # fetched beyond its span before the partition was removed
            if message.error() is None and offset < span.end:
                yield _stored(message)
            if offset >= span.end - 1:
                del waiting[number]
                self._consumer.incremental_unassign([TopicPartition(topic, number)])

    def follow(self, topic: str, starts: Mapping[int, int]) -> Iterator[Stored | None]:
        """Yield records from these offsets on without an end; None when there is no record now."""
        self._assign(topic, {number: Span(start, start) for number, start in starts.items()})
        while True:
            message = self._poll()
            yield _stored(message) if message is not None and message.error() is None else None

    def _assign(self, topic: str, spans: Mapping[int, Span]) -> None:
        self._consumer.assign(
            [TopicPartition(topic, number, span.start) for number, span in spans.items()]
        )

    def _poll(self) -> Message | None:
        with self._translated():
            message = self._consumer.poll(POLL_S)
            error = message.error() if message is not None else None
            if error is not None and error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001 - public under this name
                raise KafkaException(error)
            return message

    def _span(self, topic: str, number: int) -> Span:
        marks = self._consumer.get_watermark_offsets(
            TopicPartition(topic, number), timeout=self._timeout_s
        )
        if marks is None:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))  # noqa: SLF001 - the same
        return Span(*marks)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._last_error, lambda _: None)


def _position(message: Message) -> tuple[int, int]:
    number, offset = message.partition(), message.offset()
    assert number is not None
    assert offset is not None
    return number, offset


def _stored(message: Message) -> Stored:
    number, offset = _position(message)
    topic = message.topic()
    assert topic is not None
    record = Incoming(topic, number, offset, message.key(), message.value(), _headers(message))
    return Stored(record, message.timestamp()[1])


def _headers(message: Message) -> Headers:
    """Return the headers, empty if a name is not UTF-8.

    For such a name the client returns a list with holes and a pending error. Only a call from C,
    such as `map`, is sure to check it; accessing the list directly crashes.
    """
    try:
        raw = next(map(Message.headers, (message,))) or ()
    except SystemError:
        return ()
    return clean_headers(raw.items() if isinstance(raw, dict) else raw)
