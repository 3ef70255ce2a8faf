"""Compressed batches -> parts of a few megabytes at most.

A batch of some hundred kilobytes may unpack to gigabytes. Codecs are read as brokers read them:
readers must accept every batch that a broker has stored, so bytes after the end are ignored.
"""

import struct
from collections.abc import Callable, Iterator
from typing import Final

import cramjam
import zstandard

from winnow.models._kernel import GzipMembers
from winnow.streams.errors import UnpackError

PART_BYTES: Final = 1 << 20
# One block of the codecs that have blocks: the largest of LZ4; the writers of Snappy use 32 kB.
# librdkafka writes Snappy without blocks, whole.
MAX_BLOCK_BYTES: Final = 32 << 20
_XERIAL: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER_BYTES: Final = 16
_LZ4_MAGIC: Final = 0x184D2204
_SIZE_FLAG, _CHECKSUM_FLAG, _DICTIONARY_FLAG = 0x08, 0x10, 0x01
_STORED: Final = 0x8000_0000

# every error of the codecs; cramjam's has no narrower base
_DAMAGES: Final = (
    OSError, EOFError, ValueError, struct.error, zstandard.ZstdError,
    cramjam.DecompressionError,
)  # fmt: skip


def unpacked(codec: int, packed: bytes) -> Iterator[bytes]:
    """Yield the unpacked data in parts; `codec` is Kafka's number.

    Raises:
        UnpackError: raised while it yields.
    """
    try:
        yield from _parts(codec, packed)
    except _DAMAGES as error:
        raise UnpackError(type(error).__name__) from error


def _parts(codec: int, packed: bytes) -> Iterator[bytes]:
    match codec:
        case 0:
            yield packed
        case 1:
            yield from _gzip(packed)
        case 2:
            yield from _snappy(packed)
        case 3:
            yield from _lz4(packed)
        case 4:
            decompressor = zstandard.ZstdDecompressor()
            # not its `read1`, which never returns at a truncated end
            yield from _read(decompressor.stream_reader(packed, read_across_frames=True).read)
        case _:
            raise UnpackError(f"codec {codec}")


def _gzip(packed: bytes) -> Iterator[bytes]:
    """Unpack piece by piece: the bytes after the last record are arbitrary."""
    members = GzipMembers(0, PART_BYTES)
    members.feed(packed)
    for pieces in (members.piece, members.rest):
        for _, piece in iter(pieces, None):
            yield piece
    if members.is_inside:
        raise EOFError


def _read(read: Callable[[int], bytes]) -> Iterator[bytes]:
    while part := read(PART_BYTES):
        yield part


def _snappy(packed: bytes) -> Iterator[bytes]:
    """Unpack blocks with lengths after a header, which may be repeated, or one bare block."""
    if not packed.startswith(_XERIAL):
        yield _snappy_block(packed)
        return
    at = 0
    while at < len(packed):
        if packed.startswith(_XERIAL, at):
            at += _XERIAL_HEADER_BYTES
            continue
        (size,) = struct.unpack_from(">i", packed, at)
        if size < 0:
            raise UnpackError(f"a block of {size} bytes")
        yield _snappy_block(packed[at + 4 : at + 4 + size])
        at += 4 + size


def _snappy_block(block: bytes) -> bytes:
    if cramjam.snappy.decompress_raw_len(block) > MAX_BLOCK_BYTES:
        raise UnpackError(f"a block of more than {MAX_BLOCK_BYTES} bytes")
    return bytes(cramjam.snappy.decompress_raw(block))


def _lz4(packed: bytes) -> Iterator[bytes]:
    """Unpack one frame: Kafka uses neither linked blocks nor dictionaries, nor a second frame."""
    magic, flags, largest = struct.unpack_from("<IBB", packed)
    if magic != _LZ4_MAGIC or flags & _DICTIONARY_FLAG:
        raise UnpackError("no LZ4 frame of Kafka's")
    room = bytearray(1 << (8 + 2 * (largest >> 4 & 7)))
    at = 7 + (8 if flags & _SIZE_FLAG else 0)
    while True:
        (size,) = struct.unpack_from("<I", packed, at)
        if size == 0:
            return
        block = packed[at + 4 : at + 4 + (size & ~_STORED)]
        at += 4 + len(block) + (4 if flags & _CHECKSUM_FLAG else 0)
        if size & _STORED:
            yield block
        else:
            yield bytes(room[: cramjam.lz4.decompress_block_into(block, room)])
