"""Batches of a fetched buffer -> records, for every batch that a broker accepts.

aiokafka unpacks a whole batch at once and raises on unexpected bytes. The record would stay in the
log, and every member that gets its partition would fail on it. So aiokafka gets only small,
unpacked batches, and the batches that it rejects are read here.
"""

import struct
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from aiokafka.consumer import fetcher
from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import DefaultRecordBatch
from aiokafka.record.memory_records import MemoryRecords

from winnow.models.checksum import crc32c
from winnow.streams.errors import MalformedRecord, UnpackError
from winnow.streams.kafka.record_reading import (
    MAX_HEADERS,
    BatchRecord,
    RecordReader,
    Stamps,
    too_many_headers,
)
from winnow.streams.kafka.unpacking import unpacked
from winnow.streams.records import UnreadValue

_LENGTH_AT: Final = 8  # after the base offset; counts the bytes that follow it
_OVERHEAD: Final = 12
_HEADER: Final = struct.Struct(">qiibIhiqqqhii")
_CRC: Final = struct.Struct(">I")
_CRC_AT: Final = 17
_LAYOUT_AT: Final = 16
_CODEC: Final = 0x07
_APPEND_TIME: Final = 0x08
_LAYOUT: Final = 2  # aiokafka reads batches of earlier versions
# Unpacked size. The number of headers is limited only by it, and each takes eighty times its size.
SMALL_BYTES: Final = 1 << 20


class FetchedBatches:
    """A fetched buffer of batches, with the interface of aiokafka's `MemoryRecords`."""

    def __init__(self, fetched: bytes | memoryview) -> None:
        """Keep the buffer."""
        self._size = len(fetched)
        self._left = memoryview(fetched)

    def has_next(self) -> bool:
        """Return whether a whole batch follows."""
        return self._batch_bytes() <= len(self._left)

    def size_in_bytes(self) -> int:
        """Return the length of the buffer."""
        return self._size

    def next_batch(self) -> "FetchedBatch":
        """Return the next batch.

        Raises:
            CorruptRecordException: it is shorter than any batch.
        """
        size = max(_OVERHEAD, self._batch_bytes())
        batch, self._left = self._left[:size], self._left[size:]
        return FetchedBatch(batch)

    def _batch_bytes(self) -> int:
        if len(self._left) < _OVERHEAD:
            return _OVERHEAD
        (length,) = struct.unpack_from(">i", self._left, _LENGTH_AT)
        return _OVERHEAD + int(length)


class FetchedBatch:
    """One batch."""

    def __init__(self, raw: memoryview) -> None:
        """Read the header; aiokafka's reader of whole buffers would need a copy."""
        self._raw = raw
        self._is_current = len(raw) > _LAYOUT_AT and raw[_LAYOUT_AT] == _LAYOUT
        if self._is_current and len(raw) < _HEADER.size:
            raise CorruptRecordException(f"a batch of {len(raw)} bytes")
        self._batch: Any = (
            DefaultRecordBatch(raw) if self._is_current else MemoryRecords(bytes(raw)).next_batch()
        )

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - aiokafka's
        """Return the header of the batch."""
        return getattr(self._batch, name)

    def validate_crc(self) -> bool:
        """Return whether the checksum of the batch is right.

        Uses the processor's CRC-32C instruction: a tenth of the time of aiokafka's loop.
        """
        if not self._is_current:
            return bool(self._batch.validate_crc())
        (stored,) = _CRC.unpack_from(self._raw, _CRC_AT)
        return bool(crc32c(self._raw[_CRC_AT + _CRC.size :]) == stored)

    def __next__(self) -> Any:  # noqa: ANN401 - aiokafka's record
        """Return the next record: only for control batches, which are not packed."""
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        """Yield all records; each unreadable value is an `UnreadValue`."""
        if not self._is_current:
            yield from self._batch
            return
        read = 0
        try:
            for record in self._if_small():
                if record.offset != self._batch.base_offset + read:
                    break  # it read following bytes as attributes, or some bytes are missing
                yield _bounded(record)
                read += 1
            else:
                return
        except Exception:  # noqa: BLE001, S110 - any error: the broker has the batch
            pass
        yield from islice(_records(self._raw), read, None)

    def _if_small(self) -> Any:  # noqa: ANN401 - aiokafka's batch
        """Return aiokafka's reader of the batch.

        Raises:
            UnpackError: it cannot be unpacked, or is too large.
        """
        header = _HEADER.unpack_from(self._raw)
        codec = header[5] & _CODEC
        if not codec and len(self._raw) <= SMALL_BYTES:
            return self._batch
        if not codec:
            raise UnpackError("large")
        content = bytearray(_HEADER.size)
        for part in unpacked(codec, bytes(self._raw[_HEADER.size :])):
            content += part
            if len(content) > SMALL_BYTES:
                raise UnpackError("large")
        attributes = header[5] & ~_CODEC
        _HEADER.pack_into(
            content, 0, header[0], len(content) - _OVERHEAD, *header[2:5], attributes, *header[6:]
        )
        return MemoryRecords(bytes(content)).next_batch()


def _bounded(record: Any) -> Any:  # noqa: ANN401 - aiokafka's record
    """Return a record, or a replacement if it has more headers than are read.

    Headers of two bytes take eighty times as much memory: here they exist for one record at a time,
    and not for the whole fetch.
    """
    if len(record.headers) <= MAX_HEADERS:
        return record
    value = too_many_headers(len(record.headers))
    stamp = record.timestamp, record.timestamp_type
    return BatchRecord(record.offset, *stamp, record.key, value, ())


def _records(raw: memoryview) -> Iterator[BatchRecord]:
    base_offset, _, _, _, _, attributes, last_delta, first_ms, last_ms, _, _, _, count = (
        _HEADER.unpack_from(raw)
    )
    reader = RecordReader(
        unpacked(attributes & _CODEC, bytes(raw[_HEADER.size :])),
        Stamps(base_offset, first_ms, last_ms if attributes & _APPEND_TIME else None),
    )
    following = base_offset
    try:
        for _ in range(count):
            record = reader.next_record()
            following = max(following, record.offset + 1)  # a delta may be negative
            yield record
    except (UnpackError, MalformedRecord) as error:
        why = UnreadValue(reader.reason, f"in a batch that cannot be read: {error}")
        for offset in range(following, base_offset + last_delta + 1):
            yield BatchRecord(offset, last_ms, 0, None, why, ())


def install() -> None:
    """Make every consumer of this process read batches this way: aiokafka has no option for it."""
    fetcher.MemoryRecords = FetchedBatches
