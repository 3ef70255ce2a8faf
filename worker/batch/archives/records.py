"""A WARC file -> its records in order: version, fields and a reader of the block.

It reads all versions of the format, and accepts what other readers accept: field names in any
case, lines that end in only LF or only CR, empty lines and empty members between records.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from winnow.models.errors import WinnowError
from winnow.worker.batch.archives.unpacking import DamagedPacking, Packing, members

MAX_FIELDS_BYTES: Final = 1 << 20  # of the fields of a record
MAX_FIELDS_LINES: Final = 1 << 7  # where they do not end in CR LF CR LF
MAX_LINE_BYTES: Final = 1 << 16

_VERSION: Final = re.compile(rb"WARC/\d{1,3}\.\d{1,3}[ \t]*")
_FIRST_OF_CR: Final = re.compile(rb"(?:WARC|HTTP)/[^\r\n]{1,200}\r[^\r\n]", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d{1,18}")
_PIECE_BYTES: Final = 1 << 16
_CHUNK_BYTES: Final = 1 << 20  # packed; few members are in two


class DamagedRecord(WinnowError):  # noqa: N818 - a fact about bytes of others
    """Reading cannot continue at this place.

    Attributes:
        offset: place of the damage: of a record, or of a compressed member.
    """

    def __init__(self, why: str, offset: int) -> None:
        """Say why and where."""
        super().__init__(why)
        self.offset: Final = offset


class Readable(Protocol):
    """A file that is read from its current position."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes."""

    def tell(self) -> int:
        """Return the position."""


@dataclass(slots=True)
class Record:
    """A record whose block is not yet read.

    Attributes:
        offset: its start in the stored file; the start of its member if compressed.
        fields: the first value of each field, by name in lower case.
        length: bytes of its block.
        block: reads the block; valid until the next record.
        is_mended: whether its fields violate the standard.
    """

    offset: int
    fields: dict[bytes, bytes]
    length: int
    block: "Block"
    is_mended: bool = False

    def field(self, name: bytes) -> str:
        """Return the value of a field by its name in lower case; empty if it is missing."""
        return self.fields.get(name, b"").decode("utf-8", errors="replace")


class Block:
    """The unread rest of a record's block."""

    def __init__(self, stream: "Stream", size: int) -> None:
        """Read at most `size` bytes."""
        self._stream = stream
        self.left = size

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end.

        Raises:
            DamagedPacking: here the file is damaged.
        """
        content = self._stream.read(min(size, self.left))
        self.left -= len(content)
        return content

    def ends_in(self, offset: int) -> bool:
        """Whether the bytes read last are from the compressed member at this place."""
        return self._stream.is_in(offset)

    def head(self, max_bytes: int) -> bytes:
        """Return lines up to an empty one, or until they have `max_bytes`; see `header_lines`."""
        head = self._stream.plain_head(min(self.left, max_bytes)) if self.left else b""
        self.left -= len(head)
        return head or b"".join(header_lines(self, max_bytes))

    def line(self, size: int, ends: bytes = b"\n") -> bytes:
        """Return bytes up to the first end of a line, at most `size`."""
        line = self._stream.line(min(size, self.left), ends)
        self.left -= len(line)
        return line

    def unread(self, content: bytes) -> None:
        """Put back the bytes read last."""
        self._stream.unread(content)
        self.left += len(content)


class Stream:
    """Unpacked bytes in pieces, with the place in the file that they come from."""

    def __init__(self, file: Readable, packing: Packing | None, dictionary: bytes = b"") -> None:
        """Read a file from its current place on."""
        self._is_packed = packing is not None
        self._pieces = (
            members(_chunks(file), packing, file.tell(), dictionary) if packing else _plain(file)
        )
        self._piece = b""
        self._at = 0
        self._start = 0  # of the piece, or of the member that it is from

    @property
    def offset(self) -> int:
        """Offset of the next byte in the file, or of its compressed member."""
        self._fill()
        return self._start if self._is_packed else self._start + self._at

    def is_in(self, offset: int) -> bool:
        """Whether the bytes read last are from the compressed member at this place."""
        return self._is_packed and self._start == offset

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end."""
        parts: list[bytes] = []
        while size > 0 and self._fill():
            part = self._piece[self._at : self._at + size]
            self._at += len(part)
            size -= len(part)
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def line(self, size: int, ends: bytes = b"\n") -> bytes:
        """Return bytes up to the first end of a line, at most `size`."""
        parts: list[bytes] = []
        while size > 0 and self._fill():
            end = self._piece.find(ends, self._at, self._at + size)
            stop = min(self._at + size, len(self._piece)) if end < 0 else end + len(ends)
            parts.append(self._piece[self._at : stop])
            size -= stop - self._at
            self._at = stop
            if end >= 0:
                break
        return b"".join(parts)

    def plain_head(self, max_bytes: int) -> bytes:
        """Return lines up to an empty one if they are at hand and each ends in CR LF, else nothing.

        They are what `header_lines` yields, at a tenth of its cost.
        """
        if not self._fill():
            return b""
        end = self._piece.find(b"\r\n\r\n", self._at, self._at + min(max_bytes, MAX_LINE_BYTES))
        head = self._piece[self._at : end + 4] if end > self._at else b""
        is_plain = head.count(b"\r") == head.count(b"\n") == head.count(b"\r\n")
        if not is_plain or head.startswith(b"\r\n"):
            return b""
        self._at += len(head)
        return head

    def unread(self, content: bytes) -> None:
        """Put back the bytes read last."""
        if not self._is_packed:
            self._start += self._at - len(content)
        self._piece = content + self._piece[self._at :]
        self._at = 0

    def skip_blank_lines(self) -> None:
        """Pass over line ends and zeros, which some writers fill blocks with."""
        while self._fill():
            rest = _BLANK.match(self._piece, self._at)
            assert rest is not None  # it matches nothing too
            self._at = rest.end()
            if self._at < len(self._piece):
                return

    def _fill(self) -> bool:
        while self._at >= len(self._piece):
            following = next(self._pieces, None)
            if following is None:
                return False
            self._start, self._piece = following
            self._at = 0
        return True


_BLANK: Final = re.compile(rb"[\r\n\0]*")


def records(stream: Stream) -> Iterator[Record]:
    """Yield records; what is left of the block of one is passed over before the next.

    Raises:
        DamagedRecord: here reading cannot go on.
        DamagedPacking: the same.
    """
    while True:
        stream.skip_blank_lines()
        offset = stream.offset
        head = stream.plain_head(MAX_FIELDS_BYTES)
        try:
            lines = head.splitlines(keepends=True)
            if not lines:
                read = header_lines(stream, MAX_FIELDS_BYTES)
                lines = list(islice(read, MAX_FIELDS_LINES))
        except DamagedPacking as error:
            raise DamagedPacking(error.args[0], offset=offset) from None
        if not lines:
            return
        record = _record(stream, offset, lines, is_plain=bool(head))
        yield record
        while record.block.left and record.block.read(_PIECE_BYTES):
            pass
        if record.block.left:
            raise DamagedRecord("cut short, or with a wrong Content-Length", offset)


def _record(stream: Stream, offset: int, lines: list[bytes], *, is_plain: bool) -> Record:
    begin = lines[0].rstrip(b"\r\n")
    if not _VERSION.fullmatch(begin):
        raise DamagedRecord("bytes that belong to no record, or a wrong Content-Length", offset)
    if lines[-1].strip(b"\r\n"):
        raise DamagedRecord("fields without an end", offset)
    fields = fields_of(lines[1:-1])
    length = fields.get(b"content-length")
    if length is None:
        raise DamagedRecord("without Content-Length", offset)
    digits = _DIGITS.fullmatch(length.decode("latin-1"))
    if digits is None:
        raise DamagedRecord("with a wrong Content-Length", offset)
    size = int(digits[0])
    is_mended = not is_plain and any(
        not line.endswith(b"\r\n") or line.endswith(b"\r\r\n") for line in lines
    )
    return Record(offset, fields, size, Block(stream, size), is_mended)


def fields_of(lines: list[bytes]) -> dict[bytes, bytes]:
    """Return the first value of each field; a line that begins with white space goes on."""
    if not any(line.startswith((b" ", b"\t")) for line in lines):
        split = [line.partition(b":") for line in reversed(lines)]
        return {name.strip().lower(): value.strip() for name, colon, value in split if colon}
    fields: dict[bytes, list[bytes]] = {}
    parts: list[bytes] = []  # of the last field
    for line in lines:
        if line[:1] in {b" ", b"\t"}:
            parts.append(line.strip())
            continue
        name, colon, value = line.partition(b":")
        parts = [value.strip()]
        if colon:
            fields.setdefault(name.strip().lower(), parts)
    return {name: b" ".join(parts) for name, parts in fields.items()}


class Lines(Protocol):
    """What lines are read from."""

    def line(self, size: int, ends: bytes = b"\n") -> bytes:
        """Return bytes up to the first end of a line, at most `size`."""

    def unread(self, content: bytes) -> None:
        """Put back the bytes read last."""


def header_lines(lines: Lines, max_bytes: int) -> Iterator[bytes]:
    """Yield lines up to an empty one, with their ends, or until they have `max_bytes`.

    Lines end in LF. If the first one has a CR in its middle, all end in CR alone.
    """
    line = lines.line(MAX_LINE_BYTES)
    end = b"\n"
    if _FIRST_OF_CR.match(line):
        first, end = line[: line.index(b"\r") + 1], b"\r"
        lines.unread(line[len(first) :])
        line = first
    size = 0
    while line:
        yield line
        size += len(line)
        if not line.strip(b"\r\n") or size > max_bytes:
            return
        line = lines.line(MAX_LINE_BYTES, end)


def _chunks(file: Readable) -> Iterator[bytes]:
    return iter(lambda: file.read(_CHUNK_BYTES), b"")


def _plain(file: Readable) -> Iterator[tuple[int, bytes]]:
    offset = file.tell()
    while piece := file.read(_PIECE_BYTES):
        yield offset, piece
        offset += len(piece)
