"""What is used of pyspark.sql."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self

import pyarrow as pa

class StructType: ...

class Row:
    def asDict(self, recursive: bool = ...) -> dict[str, Any]: ...  # noqa: N802 - Spark's name
    def __getitem__(self, name: str) -> Any: ...

class DataFrame:
    def mapInArrow(  # noqa: N802 - Spark's name
        self,
        func: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
        schema: StructType,
    ) -> DataFrame: ...
    def collect(self) -> list[Row]: ...
    def repartition(self, partitions: int) -> DataFrame: ...

class _Builder:
    def master(self, url: str) -> Self: ...
    def appName(self, name: str) -> Self: ...  # noqa: N802 - Spark's name
    def config(self, key: str, value: str) -> Self: ...
    def getOrCreate(self) -> SparkSession: ...  # noqa: N802 - Spark's name

class SparkSession:
    builder: _Builder
    def createDataFrame(  # noqa: N802 - Spark's name
        self, data: Sequence[tuple[Any, ...]], schema: str
    ) -> DataFrame: ...
    def stop(self) -> None: ...
