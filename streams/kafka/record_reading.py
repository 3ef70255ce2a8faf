"""Unpacked parts of a version 2 batch -> its records."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from winnow.models.errors import Reason
from winnow.streams.errors import MalformedRecord
from winnow.streams.records import Headers, UnreadValue

# Larger records are skipped: our topics have no room for them. The limit is a little higher,
# because topics may be configured to accept more.
MAX_READ_BYTES: Final = 16 << 20
MAX_HEADERS: Final = 10_000
# Limit of skipped bytes in a batch; the rest of the batch is not read.
MAX_SKIPPED_BYTES: Final = 256 << 20

_VARINT_BYTES: Final = 10
_KEY_IN_BYTES: Final = 16 << 10  # prefix of a record that is skipped


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """A record, with the interface that aiokafka's fetcher needs."""

    offset: int
    timestamp: int
    timestamp_type: int
    key: bytes | None
    value: bytes | None
    headers: Headers
    checksum: None = None


@dataclass(frozen=True, slots=True)
class Stamps:
    """The base values of the offsets and timestamps in a batch."""

    base_offset: int
    first_ms: int
    append_ms: int | None

    def of(self, offset_delta: int, ms_delta: int) -> tuple[int, int, int]:
        """Return offset, timestamp and timestamp type: 0 set by the producer, 1 by the broker."""
        if self.append_ms is None:
            return self.base_offset + offset_delta, self.first_ms + ms_delta, 0
        return self.base_offset + offset_delta, self.append_ms, 1


class RecordReader:
    """Reads records from the parts of a batch; holds one record and one part at a time.

    Attributes:
        reason: why the rest is not read, once it has raised.
    """

    def __init__(self, parts: Iterator[bytes], stamps: Stamps) -> None:
        """Read nothing yet."""
        self._parts = parts
        self._stamps = stamps
        self._buffer = b""
        self._at = 0
        self._skipped_bytes = 0
        self.reason = Reason.UNDECODABLE

    def next_record(self) -> BatchRecord:
        """Return the next record.

        Raises:
            UnpackError: the codec returns no more data.
            MalformedRecord: there is no valid record, or its end cannot be found.
        """
        self._load(_VARINT_BYTES)
        length, self._at = _varint(self._buffer, self._at)
        if length > MAX_READ_BYTES:
            return self._skipped(length)
        self._load(length)
        end = self._at + length
        if not self._at <= end <= len(self._buffer):
            raise MalformedRecord(f"invalid record length {length}")
        record = _record(self._buffer, self._at, end, self._stamps)
        self._at = end
        return record

    def _skipped(self, length: int) -> BatchRecord:
        self._load(_KEY_IN_BYTES)
        record = _withheld(self._buffer, self._at, length, self._stamps)
        self._skipped_bytes += length
        if self._skipped_bytes > MAX_SKIPPED_BYTES:
            self.reason = Reason.TOO_LARGE
            raise MalformedRecord(f"{self._skipped_bytes} bytes of it in records too large")
        while length > len(self._buffer) - self._at:
            length -= len(self._buffer) - self._at
            self._buffer, self._at = next(self._parts, b""), 0
            if not self._buffer:
                raise MalformedRecord("the batch is truncated")
        self._at += length
        return record

    def _load(self, size: int) -> None:
        """Fill the buffer to this many bytes, or with all that remain."""
        held = len(self._buffer) - self._at
        if held >= size:
            return
        parts = [self._buffer[self._at :]] if held else []
        while held < size and (part := next(self._parts, b"")):
            parts.append(part)
            held += len(part)
        self._buffer, self._at = b"".join(parts), 0


def too_many_headers(count: int) -> UnreadValue:
    """Return the replacement for a record whose headers are not read."""
    return UnreadValue(Reason.TOO_LARGE, f"{count} headers, limit {MAX_HEADERS}")


def _record(buffer: bytes, at: int, end: int, stamps: Stamps) -> BatchRecord:
    ms_delta, at = _varint(buffer, at + 1)  # after the attributes, which have no meaning yet
    offset_delta, at = _varint(buffer, at)
    key, at = _bytes(buffer, at, end)
    value, at = _bytes(buffer, at, end)
    count, at = _varint(buffer, at)
    if not 0 <= count <= MAX_HEADERS:
        return BatchRecord(*stamps.of(offset_delta, ms_delta), key, too_many_headers(count), ())
    headers = []
    for _ in range(count):
        name, at = _bytes(buffer, at, end)
        content, at = _bytes(buffer, at, end)
        # names that are not UTF-8: clients in C and Go may send them
        headers.append(((name or b"").decode("utf-8", errors="replace"), content))
    if at != end:
        raise MalformedRecord(f"{end - at} bytes after the last field of a record")
    return BatchRecord(*stamps.of(offset_delta, ms_delta), key, value, tuple(headers))


def _withheld(buffer: bytes, at: int, length: int, stamps: Stamps) -> BatchRecord:
    """Return the replacement for a record that is too large, with its key if it is short."""
    ms_delta, at = _varint(buffer, at + 1)
    offset_delta, at = _varint(buffer, at)
    key_bytes, after = _varint(buffer, at)
    key = _bytes(buffer, at, len(buffer))[0] if after + key_bytes <= len(buffer) else None
    value = UnreadValue(Reason.TOO_LARGE, f"invalid record length {length}", length)
    return BatchRecord(*stamps.of(offset_delta, ms_delta), key, value, ())


def _bytes(buffer: bytes, at: int, end: int) -> tuple[bytes | None, int]:
    """Read a length and this many bytes; a negative length means null."""
    size, at = _varint(buffer, at)
    if size < 0:
        return None, at
    if at + size > end:
        raise MalformedRecord("a field ends after its record")
    return buffer[at : at + size], at + size


def _varint(buffer: bytes, at: int) -> tuple[int, int]:
    """Read a zigzag number; return it with the position of its end."""
    encoded = shift = 0
    for place in range(at, at + _VARINT_BYTES):
        if place >= len(buffer):
            break
        byte = buffer[place]
        encoded |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the last of its bytes
            return (encoded >> 1) ^ -(encoded & 1), place + 1
        shift += 7
    raise MalformedRecord("invalid variable-length integer")
