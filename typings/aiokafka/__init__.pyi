"""The parts of aiokafka that Winnow uses; the package ships no types."""

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from aiokafka.client import AIOKafkaClient
from aiokafka.producer.message_accumulator import BatchBuilder
from aiokafka.producer.transaction_manager import TransactionManager

class TopicPartition(NamedTuple):
    topic: str
    partition: int

class ConsumerRecord:
    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]

class RecordMetadata(NamedTuple):
    topic: str
    partition: int
    topic_partition: TopicPartition
    offset: int
    timestamp: int
    timestamp_type: int
    log_start_offset: int | None

class AIOKafkaConsumer:
    _fetcher: Any
    _client: Any
    _coordinator: Any
    _subscription: Any
    _closed: bool | None

    def __init__(self, *topics: str, **options: Any) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def getmany(
        self, *partitions: TopicPartition, timeout_ms: int = 0, max_records: int | None = None
    ) -> dict[TopicPartition, list[ConsumerRecord]]: ...
    async def commit(self, offsets: Mapping[TopicPartition, int] | None = None) -> None: ...
    async def committed(self, partition: TopicPartition) -> int | None: ...
    async def beginning_offsets(
        self, partitions: Sequence[TopicPartition]
    ) -> dict[TopicPartition, int]: ...
    async def end_offsets(
        self, partitions: Sequence[TopicPartition]
    ) -> dict[TopicPartition, int]: ...
    def assign(self, partitions: Sequence[TopicPartition]) -> None: ...
    async def topics(self) -> set[str]: ...
    def assignment(self) -> set[TopicPartition]: ...
    def seek(self, partition: TopicPartition, offset: int) -> None: ...
    def partitions_for_topic(self, topic: str) -> set[int] | None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

class AIOKafkaProducer:
    client: AIOKafkaClient
    _txn_manager: TransactionManager
    def __init__(self, **options: Any) -> None: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def flush(self) -> None: ...
    async def partitions_for(self, topic: str) -> set[int]: ...
    async def send(
        self,
        topic: str,
        value: bytes | None = None,
        key: bytes | None = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[tuple[str, bytes]] | None = None,
    ) -> asyncio.Future[RecordMetadata]: ...
    def create_batch(self) -> BatchBuilder: ...
    async def send_batch(
        self, batch: BatchBuilder, topic: str, *, partition: int
    ) -> asyncio.Future[RecordMetadata]: ...
    async def send_and_wait(
        self,
        topic: str,
        value: bytes | None = None,
        key: bytes | None = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[tuple[str, bytes]] | None = None,
    ) -> RecordMetadata: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
