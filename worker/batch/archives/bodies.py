"""The body of an HTTP response as it was sent -> the bytes of the page.

Bodies that break the standards are read as far as browsers and curl read them.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from winnow.models.errors import InvalidPage, Reason
from winnow.worker.batch.archives.entries import Mended
from winnow.worker.batch.archives.unpacking import (
    BYTES_AFTER_END,
    CUT_SHORT,
    MAGIC,
    DamagedPacking,
    Packing,
    unpack_bounded,
)

MAX_PACKINGS: Final = 4  # nested encodings of a body: no honest server uses more

_CHUNK_SIZE: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
_PACKINGS: Final = {
    **{packing.value: packing for packing in Packing},
    "x-gzip": Packing.GZIP,
    "brotli": Packing.BROTLI,
    "zstandard": Packing.ZSTD,
}


@dataclass(frozen=True, slots=True)
class Coding:
    """How a body was sent: names of encodings in lower case, in header order.

    Attributes:
        is_cut: whether the archive says that the body is truncated.
    """

    content: Sequence[str]
    transfer: Sequence[str] = ()
    is_cut: bool = False


def unpacked_body(coding: Coding, body: bytes, max_bytes: int, mended: set[Mended]) -> bytes:
    """Undo transfer and content encodings; a truncated body gives as much as it has.

    `mended` gets an entry for each violation of the standards that was repaired.

    Raises:
        InvalidPage: UNDECODABLE or TOO_LARGE.
    """
    is_cut = coding.is_cut
    named = [*coding.content, *coding.transfer]
    named = [name for name in named if name not in {"chunked", "identity"}]
    packings = [_PACKINGS[name] for name in named if name in _PACKINGS]
    if len(packings) < len(named):  # servers send `UTF-8`, `none` or `binary` with plain bodies
        mended.add(Mended.CONTENT_ENCODING)
    if "chunked" in coding.transfer:
        body = _joined(body, mended, is_cut=is_cut)
    if len(packings) > MAX_PACKINGS:
        raise InvalidPage(Reason.UNDECODABLE, f"a body with {len(packings)} nested encodings")
    if body.startswith(MAGIC[Packing.GZIP]) and packings[-1:] != [Packing.GZIP]:
        packings = [Packing.GZIP]  # the headers are wrong
        mended.add(Mended.CONTENT_ENCODING)
    for packing in reversed(packings):
        body = _unpacked_once(body, packing, max_bytes, set() if is_cut else mended)
    return body


def _unpacked_once(body: bytes, packing: Packing, max_bytes: int, mended: set[Mended]) -> bytes:
    if not body:
        return body
    if packing in MAGIC and not body.startswith(MAGIC[packing]):
        return body  # the crawler decoded it, but kept the header
    try:
        unpacked = unpack_bounded(body, packing, max_bytes)
    except DamagedPacking as error:
        if body.lstrip()[:1] == b"<":  # the same, for encodings without a magic number
            return body
        unpacked = _as_far_as_whole(body, packing, max_bytes, error)
        if not unpacked:
            raise InvalidPage(Reason.UNDECODABLE, f"a body in {packing}: {error.args[0]}") from None
        mended.add(Mended.BODY)
    if len(unpacked) > max_bytes:
        raise InvalidPage(Reason.TOO_LARGE, f"{packing} of more than {max_bytes} bytes")
    return unpacked


def _as_far_as_whole(body: bytes, packing: Packing, max_bytes: int, error: DamagedPacking) -> bytes:
    """Return the data before a missing end, or before foreign bytes."""
    before: bytes = error.args[1] if error.args[0] in {CUT_SHORT, BYTES_AFTER_END} else b""
    if packing in {Packing.GZIP, Packing.DEFLATE}:
        inflated = _inflated(body, _header_bytes(body, packing), max_bytes)
        return max(before, inflated, key=len)
    return before


def _inflated(body: bytes, start: int, max_bytes: int) -> bytes:
    """Return the data after a header, even if the checksum is wrong; nothing if it is damaged."""
    state = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        return state.decompress(memoryview(body)[start:], max_bytes + 1)
    except zlib.error:
        return b""


def _header_bytes(body: bytes, packing: Packing) -> int:
    """Return the length of the header of a gzip member or a zlib stream."""
    if packing is Packing.DEFLATE:
        return 2 if body[0] & 15 == zlib.DEFLATED and not int.from_bytes(body[:2]) % 31 else 0
    found = _GZIP_HEADER.match(body)
    if found is None:
        return len(body)
    end, flags = found.end(), body[3]
    if flags & 4:
        end += 2 + int.from_bytes(body[end : end + 2], "little")
    for flag in (8, 16):  # a name and a comment, each zero-terminated
        if flags & flag:
            end = body.find(b"\0", end) + 1 or len(body)
    return end + 2 * bool(flags & 2)


_GZIP_HEADER: Final = re.compile(rb"\x1f\x8b\x08.{7}", re.DOTALL)


def _joined(body: bytes, mended: set[Mended], *, is_cut: bool) -> bytes:
    """Return the joined chunks of a body, even if it is cut short."""
    if not _CHUNK_SIZE.match(body):
        return body  # the crawler joined them, but kept the header
    view = memoryview(body)
    joined = bytearray()  # a list of small chunks would need a hundred times their bytes
    start = 0
    while size := _CHUNK_SIZE.match(body, start):
        length = int(size[1], 16)
        if not length:
            return bytes(joined)
        joined += view[size.end() : size.end() + length]
        start = size.end() + length
        start += 2 if body[start : start + 2] == b"\r\n" else body[start : start + 1] == b"\n"
    if not is_cut and not _is_end(body, start):
        raise InvalidPage(Reason.UNDECODABLE, f"a chunked body is damaged at byte {start}")
    if not is_cut:
        mended.add(Mended.BODY)
    return bytes(joined)


def _is_end(body: bytes, start: int) -> bool:
    """Whether a place has nothing, or only part of a chunk size."""
    return start >= len(body) or re.fullmatch(rb"[0-9A-Fa-f]{0,8}\r?", body[start:]) is not None
