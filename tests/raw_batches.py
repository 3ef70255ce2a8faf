"""Record batches as any producer may send them: all bytes that a broker accepts."""

import struct
from collections.abc import Sequence

from aiokafka.record.util import calc_crc32c  # type: ignore[import-untyped]

_FIRST_MS = 1_700_000_000_000


def varint(number: int) -> bytes:
    """Return a number in the zigzag code."""
    rest = (number << 1) ^ (number >> 63)
    out = bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*out, rest])


def sized(content: bytes | None) -> bytes:
    """Return content after its length."""
    return varint(-1) if content is None else varint(len(content)) + content


def raw_record(
    delta: int,
    value: bytes | None,
    *,
    key: bytes | None = b"key",
    headers: Sequence[tuple[bytes, bytes | None]] = (),
    attributes: bytes = b"\0",
) -> bytes:
    """Return one record of a batch."""
    pairs = b"".join(sized(name) + sized(content) for name, content in headers)
    body = attributes + varint(0) + varint(delta) + sized(key) + sized(value)
    return sized(body + varint(len(headers)) + pairs)


def raw_batch(
    packed: bytes,
    records: int,
    codec: int = 0,
    *,
    base_offset: int = 0,
    at_ms: int = _FIRST_MS,
    removed: int = 0,
) -> bytes:
    """Return a batch around what a codec has made of its records.

    `removed` is the number of records that compaction has removed from its end.
    """
    last_delta = records + removed - 1
    counted = struct.pack(">hiqqqhii", codec, last_delta, at_ms, at_ms, -1, -1, -1, records)
    tail = counted + packed
    return struct.pack(">qiibI", base_offset, len(tail) + 9, -1, 2, calc_crc32c(tail)) + tail
