from collections.abc import Iterable, Mapping
from typing import Any

from aiokafka import TopicPartition

MemoryRecords: Any
READ_COMMITTED: int

class OffsetResetStrategy:
    LATEST: int
    EARLIEST: int

class Fetcher:
    _client: Any
    def __init__(self, *args: Any, **options: Any) -> None: ...
    async def _proc_fetch_request(self, assignment: Any, node_id: int, request: Any) -> bool: ...
    async def _update_fetch_positions(
        self, assignment: Any, node_id: int, tps: Iterable[TopicPartition]
    ) -> bool: ...
    async def _proc_offset_request(
        self, node_id: int, topic_data: Mapping[str, list[tuple[int, int]]]
    ) -> dict[TopicPartition, tuple[int, int | None]]: ...
