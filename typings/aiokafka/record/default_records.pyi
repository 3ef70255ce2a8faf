from collections.abc import Iterator, Sequence
from typing import Any

class DefaultRecordBatch:
    def __init__(self, buffer: bytes | memoryview) -> None: ...

class _DefaultRecordBatchPy:
    _buffer: bytearray

    def __init__(self, buffer: bytes | bytearray | memoryview) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class _DefaultRecordBatchBuilderPy:
    def __init__(
        self,
        magic: int,
        compression_type: int,
        is_transactional: int,
        producer_id: int,
        producer_epoch: int,
        base_sequence: int,
        batch_size: int,
    ) -> None: ...
    def append(
        self,
        offset: int,
        timestamp: int | None,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[tuple[str, bytes | None]],
    ) -> object: ...
    def build(self) -> bytearray: ...
