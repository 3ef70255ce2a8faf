from collections.abc import Sequence
from typing import Any

DefaultRecordBatchBuilder: Any
MessageAccumulator: Any

class BatchBuilder:
    def __init__(self, batch_size: int, compression_type: int) -> None: ...
    def append(
        self,
        *,
        timestamp: int | None,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[tuple[str, bytes | None]] = [],
    ) -> object | None: ...
    def close(self) -> None: ...
    def closed(self) -> bool: ...
    def record_count(self) -> int: ...
