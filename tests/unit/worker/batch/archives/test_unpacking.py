"""Packed bytes, whole and damaged, in pieces of bounded size."""

import gzip
import io
import random
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from winnow.worker.batch.archives import unpacking
from winnow.worker.batch.archives.unpacking import (
    DamagedPacking,
    Packing,
    UnpackedFile,
    unpack,
    unpack_bounded,
)

TEXT = b"The bees find more flowers in the city. " * 5000


def bare_deflate(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush()


PACK: dict[Packing, Callable[[bytes], bytes]] = {
    Packing.GZIP: lambda text: gzip.compress(text, 1),
    Packing.DEFLATE: lambda text: zlib.compress(text, 1),
    Packing.BROTLI: lambda text: brotli.compress(text, quality=1),
    Packing.ZSTD: lambda text: zstandard.compress(text, 1),
}
PACKED = {
    "gzip": (Packing.GZIP, gzip.compress(TEXT)),
    "members": (Packing.GZIP, gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
    "padded": (Packing.GZIP, gzip.compress(TEXT) + bytes(512)),
    "deflate": (Packing.DEFLATE, zlib.compress(TEXT)),
    "bare": (Packing.DEFLATE, bare_deflate(TEXT)),
    "br": (Packing.BROTLI, brotli.compress(TEXT)),
    "zstd": (Packing.ZSTD, zstandard.compress(TEXT)),
    "frames": (Packing.ZSTD, zstandard.compress(TEXT[:100]) + zstandard.compress(TEXT[100:])),
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("chunk_bytes", [1, 7, 1 << 16])
def test_unpack_gives_the_packed_bytes_for_any_chunks(name: str, chunk_bytes: int) -> None:
    packing, packed = PACKED[name]
    chunks = [packed[at : at + chunk_bytes] for at in range(0, len(packed), chunk_bytes)]

    assert b"".join(unpack(chunks, packing)) == TEXT


@pytest.mark.parametrize("name", ["gzip", "members", "deflate", "bare", "br", "zstd", "frames"])
def test_unpack_reports_truncation_after_the_complete_part(name: str) -> None:
    packing, packed = PACKED[name]

    with pytest.raises(DamagedPacking, match="cut short") as caught:
        unpack_bounded(packed[:-3], packing, len(TEXT))

    assert TEXT.startswith(caught.value.args[1])


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_unpack_says_that_it_is_damaged(name: str) -> None:
    packing, packed = PACKED[name]
    middle = len(packed) // 2
    damaged = packed[:middle] + bytes(byte ^ 0x5A for byte in packed[middle:])

    with pytest.raises(DamagedPacking):
        unpack_bounded(damaged, packing, len(TEXT))


@pytest.mark.parametrize("packing", list(Packing))
@pytest.mark.parametrize("pieces", [1, 2])
def test_unpack_bounded_ends_where_a_piece_ends(packing: Packing, pieces: int) -> None:
    noise = random.Random(1).randbytes(unpacking.PIECE_BYTES // 2)
    text = (noise + noise) * pieces

    assert unpack_bounded(PACK[packing](text), packing, len(text)) == text


@pytest.mark.parametrize("packing", list(Packing))
def test_unpack_bounded_unpacks_no_more_than_it_was_asked_for(packing: Packing) -> None:
    bomb = PACK[packing](bytes(256 << 20))
    tracemalloc.start()

    unpacked = unpack_bounded(bomb, packing, 1000)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(unpacked) == 1001
    assert peak < 40 << 20


@pytest.mark.parametrize(("bits", "is_read"), [(27, True), (28, False)])
def test_windows_of_zstd_are_bounded(bits: int, *, is_read: bool) -> None:
    packer = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(window_log=bits)
    ).compressobj()
    frame = packer.compress(TEXT) + packer.flush()

    if is_read:
        assert unpack_bounded(frame, Packing.ZSTD, len(TEXT)) == TEXT
    else:
        with pytest.raises(DamagedPacking, match="memory"):
            unpack_bounded(frame, Packing.ZSTD, len(TEXT))


def test_a_packed_file_is_read_by_lines() -> None:
    packed = io.BytesIO(gzip.compress(b"one\ntwo\n" * 1000))

    with UnpackedFile.buffered(packed, Packing.GZIP) as file:
        lines = [file.readline(5), file.readline(2), file.readline(9), *file]

    assert lines[:3] == [b"one\n", b"tw", b"o\n"]
    assert len(lines) == 2001
    assert packed.closed


def test_magic_numbers_are_distinguished() -> None:
    begins = [gzip.compress(b""), zstandard.compress(b""), b"<p>"]

    found = [unpacking.packing_of(begin) for begin in begins]

    assert found == [Packing.GZIP, Packing.ZSTD, None]
