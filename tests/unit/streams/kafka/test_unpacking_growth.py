"""The time to unpack batches of producers is linear in their bytes."""

import gzip
import struct
from collections import deque
from collections.abc import Callable

import cramjam
import pytest
import zstandard

from tests.exponents import grows_in_proportion
from winnow.streams.kafka.unpacking import unpacked

GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4
LZ4_FRAME = struct.pack("<IBB", 0x184D2204, 0x40, 0x40) + b"\0"
LZ4_BLOCK = bytes(cramjam.lz4.compress_block(b"x", store_size=False))
SNAPPY_BLOCK = bytes(cramjam.snappy.compress_raw(b"x"))
EMPTY_FRAME = zstandard.ZstdCompressor(write_content_size=False).compress(b"")


def as_often(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece))


PACKED: dict[str, tuple[int, Callable[[int], bytes]]] = {
    "empty members of gzip": (GZIP, lambda size: as_often(gzip.compress(b""), size)),
    "padded members of gzip": (GZIP, lambda size: as_often(gzip.compress(b"x") + bytes(9), size)),
    "blocks of snappy": (
        SNAPPY,
        lambda size: b"\x82SNAPPY\x00" + bytes(8)
        + as_often(struct.pack(">i", len(SNAPPY_BLOCK)) + SNAPPY_BLOCK, size),
    ),
    "blocks of lz4": (
        LZ4,
        lambda size: LZ4_FRAME
        + as_often(struct.pack("<I", len(LZ4_BLOCK)) + LZ4_BLOCK, size) + bytes(4),
    ),
    "frames of zstd": (ZSTD, lambda size: as_often(EMPTY_FRAME, 8 * size)),
}  # fmt: skip


@pytest.mark.parametrize("name", PACKED)
def test_the_time_to_unpack_is_in_proportion_to_the_bytes(name: str) -> None:
    codec, make = PACKED[name]

    def run(packed: bytes) -> None:
        deque(unpacked(codec, packed), maxlen=0)

    assert grows_in_proportion(run, [make(1 << bits) for bits in (17, 18, 19)], rounds=3)
