"""Decompress gzip, deflate, brotli and zstd in pieces of limited size."""

import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from typing import BinaryIO, Final, Self

import brotli
import zstandard

from winnow.models._kernel import GzipMembers
from winnow.models.errors import WinnowError

READ_BYTES: Final = 1 << 16
PIECE_BYTES: Final = 1 << 20
SMALL_BYTES: Final = 8  # a wrong checksum costs no more of a beginning
# zlib and brotli copy unused input: a call gets at most this many bytes
INPUT_BYTES: Final = 1 << 16
# One zstd block can expand four bytes to 128 KiB, and its reader has no limit: this many
# compressed bytes at a time give at most 32 MiB.
ZSTD_INPUT_BYTES: Final = 1 << 10
ZSTD_WINDOW_BYTES: Final = 1 << 27

CUT_SHORT: Final = "cut short"
BYTES_AFTER_END: Final = "bytes after its end"

_NO_GZIP: Final = "incorrect header check"  # of zlib


class DamagedPacking(WinnowError):  # noqa: N818 - a fact about bytes of others
    """Compressed bytes are truncated or invalid.

    Attributes:
        offset: place of the damaged member in the file, if it is a member of a file.
    """

    def __init__(self, why: str, *before: bytes, offset: int = 0) -> None:
        """Say why, and perhaps give the bytes before the damage."""
        super().__init__(why, *before)
        self.offset: Final = offset


class Packing(StrEnum):
    """Compression formats, by their HTTP names."""

    GZIP = "gzip"
    DEFLATE = "deflate"
    BROTLI = "br"
    ZSTD = "zstd"


MAGIC: Final = {Packing.GZIP: b"\x1f\x8b", Packing.ZSTD: b"\x28\xb5\x2f\xfd"}


def packing_of(begin: bytes) -> Packing | None:
    """Return the compression of a file by its first bytes; None if it is not compressed."""
    return next((packing for packing, magic in MAGIC.items() if begin.startswith(magic)), None)


def unpack(chunks: Iterable[bytes], packing: Packing) -> Iterator[bytes]:
    """Yield the decompressed bytes, up to a damage.

    Raises:
        DamagedPacking: at the place of the damage; what comes before it was yielded.
    """
    return _UNPACKERS[packing](chunks)


def unpack_bounded(packed: bytes, packing: Packing, max_bytes: int) -> bytes:
    """Return the decompressed bytes, or the first `max_bytes` + 1 of them.

    Raises:
        DamagedPacking: it is damaged; `args[1]` has the bytes before the damage.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        for piece in filter(None, unpack([packed], packing)):
            pieces.append(piece)
            size += len(piece)
            if size > max_bytes:
                break
    except DamagedPacking as error:
        raise DamagedPacking(str(error), b"".join(pieces)[: max_bytes + 1]) from None
    return b"".join(pieces)[: max_bytes + 1]


def beginning(packed: bytes, packing: Packing, max_bytes: int) -> bytes:
    """Return the first decompressed bytes, as many as there are before any damage."""
    begin = b""
    pieces: Iterator[bytes]
    if packing is Packing.GZIP:
        pieces = (piece for _, piece in _gzip_members([packed], piece_bytes=SMALL_BYTES))
    else:
        pieces = unpack((packed[at : at + 64] for at in range(0, len(packed), 64)), packing)
    with suppress(DamagedPacking):
        for piece in pieces:
            begin += piece
            if len(begin) >= max_bytes:
                break
    return begin[:max_bytes]


class UnpackedFile(io.RawIOBase):
    """A compressed file, read as its decompressed content."""

    def __init__(self, file: BinaryIO, packing: Packing) -> None:
        """Read from `file`, which is closed with this."""
        super().__init__()
        self._file = file
        self._pieces = unpack(iter(lambda: file.read(READ_BYTES), b""), packing)
        self._rest = memoryview(b"")

    @classmethod
    def buffered(cls, file: BinaryIO, packing: Packing) -> io.BufferedReader:
        """Return a reader of lines."""
        return io.BufferedReader(cls(file, packing), READ_BYTES)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, into: "memoryview") -> int:  # type: ignore[override]
        """Read some bytes.

        Raises:
            DamagedPacking: the file is damaged here.
        """
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        taken = self._rest[: len(into)]
        into[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)

    def close(self) -> None:
        """Close the compressed file too."""
        self._file.close()
        super().close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self


def members(
    chunks: Iterable[bytes], packing: Packing, offset: int = 0, dictionary: bytes = b""
) -> Iterator[tuple[int, bytes]]:
    """Yield decompressed bytes with the place of their member or frame.

    Args:
        chunks: bytes of a gzip or zstd file.
        packing: compression of the file.
        offset: offset of the first chunk in the file.
        dictionary: dictionary of all zstd frames.

    Raises:
        DamagedPacking: at the place of the damage; what comes before it was yielded.
    """
    if packing is Packing.GZIP:
        return _gzip_members(chunks, offset)
    return _zstd_frames(chunks, offset, dictionary)


def _gzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    return (piece for _, piece in _gzip_members(chunks))


def _gzip_members(
    chunks: Iterable[bytes], offset: int = 0, piece_bytes: int = PIECE_BYTES
) -> Iterator[tuple[int, bytes]]:
    """Unpack one member after the other; zeros between them are padding."""
    found = GzipMembers(offset, piece_bytes)
    try:
        for chunk in chunks:
            found.feed(chunk)
            yield from iter(found.piece, None)
    except ValueError as error:
        is_after_member = found.begin > offset and str(error) == _NO_GZIP
        why = BYTES_AFTER_END if is_after_member else f"damaged: {error}"
        raise DamagedPacking(why, offset=found.begin) from None
    yield from iter(found.rest, None)
    if found.is_inside:
        raise DamagedPacking(CUT_SHORT, offset=found.begin)


def _slices(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), INPUT_BYTES):
            yield chunk[start : start + INPUT_BYTES]


def _deflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    state: zlib._Decompress | None = None
    waiting = b""
    try:
        for chunk in _slices(chunks):
            waiting += chunk
            if state is None and len(waiting) < 2:  # noqa: PLR2004 - as long as a header is
                continue
            state = state or zlib.decompressobj(_deflate_window(waiting))
            while waiting and not state.eof:
                yield state.decompress(waiting, PIECE_BYTES)
                waiting = state.unconsumed_tail
            waiting = b""
            if state.eof:
                break
        if state is None:
            raise DamagedPacking(CUT_SHORT)
        if not state.eof:
            yield _end_of(state)
    except zlib.error as error:
        raise DamagedPacking(f"damaged: {error}") from None


def _deflate_window(begin: bytes) -> int:
    """Distinguish zlib's format from raw deflate, which some servers send under the same name."""
    is_zlib = (
        len(begin) > 1 and begin[0] & 15 == zlib.DEFLATED and not int.from_bytes(begin[:2]) % 31
    )
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS


def _end_of(state: "zlib._Decompress") -> bytes:
    rest = state.flush()
    if not state.eof:
        raise DamagedPacking(CUT_SHORT)
    return rest


def _zstd(chunks: Iterable[bytes]) -> Iterator[bytes]:
    return (piece for _, piece in _zstd_frames(chunks))


def _zstd_frames(
    chunks: Iterable[bytes], offset: int = 0, dictionary: bytes = b""
) -> Iterator[tuple[int, bytes]]:
    state: zstandard.ZstdDecompressionObj | None = None
    first = begin = offset
    try:
        frames = _frames(dictionary)
        for chunk in chunks:
            start = 0
            while start < len(chunk):
                waiting = chunk[start : start + ZSTD_INPUT_BYTES]
                if state is None:
                    state, begin = frames.decompressobj(), offset + start
                yield begin, state.decompress(waiting)
                start += len(waiting) - (len(state.unused_data) if state.eof else 0)
                state = None if state.eof else state
            offset += len(chunk)
    except zstandard.ZstdError as error:
        is_after_member = begin > first and not chunk.startswith(MAGIC[Packing.ZSTD], start)
        why = BYTES_AFTER_END if is_after_member else f"damaged: {error}"
        raise DamagedPacking(why, offset=begin) from None
    if state is not None:
        raise DamagedPacking(CUT_SHORT, offset=begin)


def _frames(dictionary: bytes) -> zstandard.ZstdDecompressor:
    if not dictionary:
        return zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES)
    return zstandard.ZstdDecompressor(
        zstandard.ZstdCompressionDict(dictionary), max_window_size=ZSTD_WINDOW_BYTES
    )


def _brotli(chunks: Iterable[bytes]) -> Iterator[bytes]:
    state = brotli.Decompressor()
    try:
        for chunk in _slices(chunks):
            yield state.process(chunk, output_buffer_limit=PIECE_BYTES)
            while not state.can_accept_more_data():
                yield state.process(b"", output_buffer_limit=PIECE_BYTES)
        # a stream that fills its last piece exactly ends with the next call
        if not state.is_finished():
            yield state.process(b"", output_buffer_limit=PIECE_BYTES)
    except brotli.error as error:
        raise DamagedPacking(f"damaged: {error}") from None
    if not state.is_finished():
        raise DamagedPacking(CUT_SHORT)


_UNPACKERS: Final = {
    Packing.GZIP: _gzip,
    Packing.DEFLATE: _deflate,
    Packing.BROTLI: _brotli,
    Packing.ZSTD: _zstd,
}
