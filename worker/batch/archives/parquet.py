"""Messages -> a Parquet file. Needs pyarrow (the extra `parquet`)."""

from typing import BinaryIO, Final

from pyarrow.parquet import ParquetWriter

from winnow.streams.arrow import MessageTable

# Rows of a group wait in memory: enough rows for good compression, few enough to stay small.
GROUP_BYTES: Final = 32 << 20


class ParquetShard:
    """Writes a table of messages of one type."""

    def __init__(self, table: str, file: BinaryIO) -> None:
        """Write to a file; `table` names the schema of its messages."""
        self._table = MessageTable(table)
        self._writer = ParquetWriter(file, self._table.schema, compression="zstd")
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0

    def write(self, value: bytes) -> None:
        """Write a message."""
        self._waiting.append(value)
        self._waiting_bytes += len(value)
        if self._waiting_bytes >= GROUP_BYTES:
            self._write_group()

    def finish(self) -> None:
        """Write the remaining rows."""
        self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        self._writer.write_batch(self._table.batch(self._waiting))
        self._waiting, self._waiting_bytes = [], 0
