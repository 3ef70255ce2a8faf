"""Batches as aiokafka reads them, but for header names that are no UTF-8.

aiokafka raises at such a name, and the record stays where it is: every member that gets its
partition would meet it again. Clients in C and Go may send such names.
"""

import struct
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from aiokafka.consumer import fetcher
from aiokafka.record.default_records import _DefaultRecordBatchPy
from aiokafka.record.memory_records import MemoryRecords

_LENGTH_AT: Final = 8  # behind the base offset; counts what follows it
_OVERHEAD: Final = 12


class LenientRecords:
    """A fetched buffer of batches: all that aiokafka's fetcher asks of its `MemoryRecords`."""

    def __init__(self, fetched: bytes) -> None:
        """Keep the buffer beside aiokafka's reader of it."""
        self._fetched = fetched
        self._at = 0
        self._records = MemoryRecords(fetched)

    def has_next(self) -> bool:
        """Return whether a whole batch follows."""
        return self._records.has_next()

    def size_in_bytes(self) -> int:
        """Return the length of the buffer."""
        return self._records.size_in_bytes()

    def next_batch(self) -> "LenientBatch":
        """Return the batch that follows."""
        batch = self._records.next_batch()
        (length,) = struct.unpack_from(">i", self._fetched, self._at + _LENGTH_AT)
        start, self._at = self._at, self._at + _OVERHEAD + length
        return LenientBatch(batch, memoryview(self._fetched)[start : self._at])


class LenientBatch:
    """One batch; its records are read by aiokafka's slower parser once the fast one gives up."""

    def __init__(self, batch: Any, raw: memoryview) -> None:  # noqa: ANN401 - one of two of aiokafka's
        """Keep the batch and its bytes."""
        self._batch = batch
        self._raw = raw

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - aiokafka's
        """Return what the batch says of itself."""
        return getattr(self._batch, name)

    def __next__(self) -> Any:  # noqa: ANN401 - aiokafka's record
        """Return the next record: asked only of control batches, which have no headers."""
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        """Yield all records."""
        read = 0
        try:
            for record in self._batch:
                yield record
                read += 1
        except UnicodeDecodeError:
            yield from islice(_with_any_names(self._raw), read, None)


class _AnyText(bytearray):
    """Bytes whose parts decode whatever they hold."""

    def __getitem__(self, place: Any) -> Any:  # noqa: ANN401 - of a number or a slice
        part = super().__getitem__(place)
        return _AnyText(part) if isinstance(place, slice) else part

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:  # noqa: ARG002
        return super().decode(encoding, errors="replace")


def _with_any_names(raw: memoryview) -> Iterator[Any]:
    batch: Any = iter(_DefaultRecordBatchPy(raw))  # unpacks it
    batch._buffer = _AnyText(batch._buffer)  # noqa: SLF001
    yield from batch


def install() -> None:
    """Have every consumer of this process read batches so: aiokafka takes no reader from us."""
    fetcher.MemoryRecords = LenientRecords
