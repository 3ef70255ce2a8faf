"""A WARC file -> its records, whatever is damaged in it."""

import re
import sys
from base64 import b32encode
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1
from io import SEEK_CUR, SEEK_END, SEEK_SET
from typing import BinaryIO, Final, TypeVar, cast

from fastwarc.warc import ArchiveIterator, WarcRecordType
from fastwarc.warc import WarcRecord as FastRecord

from models.errors import InvalidPage, Reason, WinnowError
from worker.archives.entries import (
    BEGIN,
    END,
    Content,
    Entry,
    Place,
    Position,
    Response,
    Skipped,
    WarcRecord,
)
from worker.archives.responses import MAX_HEADER_BYTES
from worker.archives.unpacking import Packing, beginning, packing_of

MAX_FIELD_CHARS: Final = 8192
MAX_DICTIONARY_BYTES: Final = 1 << 24
SCAN_BYTES: Final = 1 << 20

_RECORD: Final = b"WARC/"
# where a record may begin in a file of each packing
_RECORD_STARTS: Final = {
    None: re.compile(rb"(?<![^\n])WARC/[01]\.\d"),
    Packing.GZIP: re.compile(rb"\x1f\x8b\x08"),
    Packing.ZSTD: re.compile(rb"\x28\xb5\x2f\xfd"),
}
_SKIPPABLE_FRAME: Final = b"\x5d\x2a\x4d\x18"  # of zstd: a WARC has its dictionary in one
_PEEK_BYTES: Final = 1 << 12

T = TypeVar("T")


def is_warc(begin: bytes) -> bool:
    """Whether a file that begins with these bytes is a WARC, packed or not."""
    if begin.startswith(_SKIPPABLE_FRAME):
        return True
    packing = packing_of(begin)
    if packing is None:
        return begin.startswith(_RECORD)
    return beginning(begin, packing, len(_RECORD)) == _RECORD


def warc_entries(
    open_file: Callable[[], BinaryIO],
    max_page_bytes: int,
    start: Position = BEGIN,
    end: int | None = None,
) -> Generator[Entry, None, Position]:
    """Yield an entry for each record of a file that can be sought in.

    What is damaged is one entry with its error; reading goes on at the next record that can be
    found behind it.

    Args:
        open_file: returns the file at its beginning.
        max_page_bytes: a larger record is one entry with its error.
        start: `then` of the last entry that was read.
        end: place of a record, in bytes of the file; it is not read, nor what stands behind it.

    Returns:
        Where to read on: at `end` if a record begins there for whoever reads in order.

    Raises:
        OSError: the file cannot be opened.
    """
    with open_file() as scanned:
        reader = _WarcReader(open_file, scanned, max_page_bytes, start, end)
        entries = reader.entries()
        for _ in range(start.passed):
            next(entries, None)
        yield from entries
        return reader.then


def record_starts(
    open_file: Callable[[], BinaryIO], start: int, distance_bytes: int
) -> Iterator[int]:
    """Yield places where a record seems to begin, each so far behind the last one or `start`.

    What stands in a record can look like the beginning of one: see what `warc_entries` returns.

    Raises:
        OSError: the file cannot be opened.
    """
    with open_file() as scanned:
        reader = _WarcReader(open_file, scanned, 0)
        while (found := reader.next_start(start + distance_bytes)) is not None:
            yield (start := found)


class _DamagedRecord(WinnowError):  # noqa: N818 - a fact about bytes of others
    """A record cannot be read on from here."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A record of which it is not known yet whether what follows begins where it says."""

    offset: int
    content: Content
    block_digest: str = ""  # as stated

    @property
    def is_proven(self) -> bool:
        """Whether a digest says that the block is what was stored."""
        if not isinstance(self.content, Response):
            return False
        digest = sha1(self.content.head, usedforsecurity=False)
        digest.update(self.content.body)
        return self.block_digest == "sha1:" + b32encode(digest.digest()).decode()


class _WarcReader:
    """Reads records with fastwarc, and finds the next one where fastwarc gives up."""

    def __init__(
        self, open_file: Callable[[], BinaryIO], scanned: BinaryIO, max_page_bytes: int,
        start: Position = BEGIN, end: int | None = None,
    ) -> None:  # fmt: skip
        self._open = open_file
        self._scanned = scanned
        self._max_bytes = max_page_bytes + MAX_HEADER_BYTES
        self._dictionary = _dictionary_frame(scanned)
        is_zstd = bool(self._dictionary)
        self._packing = Packing.ZSTD if is_zstd else packing_of(self._bytes_at(0))
        self._end = sys.maxsize if end is None else end
        self.then = Position(start.offset)
        self._shift = 0
        self._failures: list[Exception] = []  # of the file

    def entries(self) -> Iterator[Entry]:
        """Yield entries; `then` is behind the last one."""
        at: int | None = self.then.offset
        while at is not None and at < self._end:
            at = yield from self._entries_from(at)
        if at is None:
            self.then = END
        elif at == self._end:
            self.then = Position(at)

    def _entries_from(self, offset: int) -> Generator[Entry, None, int | None]:
        """Yield entries up to the end or the first damage, and return where to read on."""
        last: _Read | None = None
        with self._records_from(offset) as records:
            while True:
                try:
                    record = next(records, None)
                    read = self._read(record) if record else None
                except _DamagedRecord as error:
                    if last and last.offset != offset and self._starts_at(last.offset):
                        return last.offset  # fastwarc reads ahead: how far depends on its start
                    return (yield from self._behind_damage(last, offset, error))
                if last:
                    yield self._entry(last.offset, last.content)
                if read is None:
                    yield from self._cut_at_end(last)
                    return None
                if read.offset >= self._end:
                    return read.offset
                last = read

    def _cut_at_end(self, last: _Read | None) -> Iterator[Entry]:
        """Yield the error of a record that begins, and ends within its headers."""
        if last and (cut := self.next_start(last.offset + 1)) is not None:
            yield self._entry(cut, InvalidPage(Reason.UNDECODABLE, "record: cut short"))

    def _behind_damage(
        self, last: _Read | None, offset: int, error: _DamagedRecord
    ) -> Generator[Entry, None, int | None]:
        """Blame the damage on the record that has it, and return where the next one begins."""
        damaged = InvalidPage(Reason.UNDECODABLE, f"record: {error}")
        if last is None:
            yield self._entry(offset, damaged)
            return self.next_start(offset + 1)
        follower = self.next_start(last.offset + 1)
        if last.is_proven or (follower is not None and not self._begins_whole(follower)):
            yield self._entry(last.offset, last.content)
            if follower is None or self._begins_whole(follower):
                yield self._entry(
                    last.offset, InvalidPage(damaged.reason, f"behind this {damaged.detail}")
                )
        else:
            yield self._entry(last.offset, damaged)
        return follower

    def _begins_whole(self, offset: int) -> bool:
        with self._records_from(offset) as records:
            try:
                record = next(records, None)
                return record is not None and bool(self._read(record))
            except _DamagedRecord:
                return False

    def _read(self, record: FastRecord) -> _Read:
        """Read a record as far as it is wanted.

        Raises:
            _DamagedRecord: its bytes are damaged, or fewer than it says.
        """
        if record.headers.get("Content-Length") is None:
            raise _DamagedRecord("without Content-Length")
        content = _skipped(record)
        offset = record.stream_pos + self._shift
        if content is not None:
            return _Read(offset, content)
        length = record.content_length
        if length > self._max_bytes:
            if self._guarded(record.consume) < length:
                raise _DamagedRecord("cut short, or with a wrong Content-Length")
            why = InvalidPage(Reason.TOO_LARGE, f"a record of {length} bytes")
            return _Read(offset, why)
        head = self._guarded(lambda: _head(record))
        body = self._guarded(lambda: record.reader.read(length - len(head)))
        if len(head) + len(body) < length:
            raise _DamagedRecord("cut short, or with a wrong Content-Length")
        digest = record.headers.get("WARC-Block-Digest") or ""
        return _Read(offset, Response(_warc_record(record), head, body), digest)

    def _entry(self, offset: int, content: Content) -> Entry:
        """Return an entry; reading can begin anew where a record begins in the file as stored."""
        if offset > self.then.offset and self._starts_at(offset):
            self.then = Position(offset)
        self.then = Position(self.then.offset, self.then.passed + 1)
        return Entry(Place(self.then, offset), content)

    def _starts_at(self, offset: int) -> bool:
        return bool(_RECORD_STARTS[self._packing].match(self._bytes_at(offset)))

    def _is_start(self, offset: int) -> bool:
        """Whether a record begins where its magic number stands, as far as that can be told."""
        is_readable = self._packing is not None and not self._dictionary
        return not is_readable or is_warc(self._bytes_at(offset))

    def next_start(self, offset: int) -> int | None:
        """Return where the next record begins that can be told by its first bytes."""
        begins = _RECORD_STARTS[self._packing]
        overlap = 8  # longer than any beginning
        while block := self._bytes_at(offset, SCAN_BYTES):
            for found in begins.finditer(block):
                if self._is_start(offset + found.start()):
                    return offset + found.start()
            if len(block) <= overlap:
                return None
            offset += len(block) - overlap
        return None

    def _records(self, file: BinaryIO) -> Iterator[FastRecord]:
        """Yield records.

        Raises:
            _DamagedRecord: here reading cannot go on.
        """
        records = iter(
            self._guarded(lambda: ArchiveIterator(file, parse_http=False, strict_mode=False))
        )
        while (record := self._guarded(lambda: next(records, None))) is not None:
            yield record

    def _guarded(self, step: Callable[[], T]) -> T:
        """Do what fastwarc may refuse; its panics on foreign bytes are no `Exception`."""
        try:
            done = step()
        except (OSError, ValueError, EOFError) as error:
            self._raise_failure()
            raise _DamagedRecord(
                f"{str(error) or type(error).__name__}, or a wrong Content-Length"
            ) from None
        except BaseException as error:
            self._raise_failure()
            if type(error).__name__ != "PanicException":
                raise
            raise _DamagedRecord("cannot be read") from None
        self._raise_failure()  # fastwarc may take it for the end
        return done

    def _raise_failure(self) -> None:
        """Raise what the file itself has raised, which is no damage of what stands in it."""
        if self._failures:
            raise self._failures[0]

    def _bytes_at(self, offset: int, size: int = _PEEK_BYTES) -> bytes:
        self._scanned.seek(offset)
        return self._scanned.read(size)

    @contextmanager
    def _records_from(self, offset: int) -> Iterator[Iterator[FastRecord]]:
        with self._open() as file:
            file.seek(offset)
            is_inside = bool(self._dictionary and offset)
            self._shift = offset - len(self._dictionary) if is_inside else 0
            watched = _Watched(file, self._failures)
            read = _Prefixed(self._dictionary, watched) if is_inside else watched
            yield self._records(cast("BinaryIO", read))


class _Watched:
    """A file that keeps what it raises: fastwarc tells errors of files and of records alike."""

    def __init__(self, file: BinaryIO, failures: list[Exception]) -> None:
        self._file = file
        self._failures = failures

    def read(self, size: int = -1) -> bytes:
        with self._kept():
            return self._file.read(size)

    def tell(self) -> int:
        with self._kept():
            return self._file.tell()

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        with self._kept():
            return self._file.seek(offset, whence)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._failures.append(error)
            raise


class _Prefixed:
    """A file from some place on, with the dictionary of its frames before it.

    Its beginning is 0, as fastwarc looks for a dictionary there alone.
    """

    def __init__(self, dictionary: bytes, file: _Watched) -> None:
        self._dictionary = dictionary
        self._file = file
        self._shift = file.tell() - len(dictionary)
        self._offset = 0

    def read(self, size: int = -1) -> bytes:
        rest = self._dictionary[self._offset :]
        if rest:
            chunk = rest if size < 0 else rest[:size]
        else:
            self._file.seek(self._offset + self._shift)
            chunk = self._file.read(size)
        self._offset += len(chunk)
        return chunk

    def tell(self) -> int:
        return self._offset

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        if whence == SEEK_END:
            self._offset = self._file.seek(offset, whence) - self._shift
        else:
            self._offset = offset + (self._offset if whence == SEEK_CUR else 0)
        return self._offset


def _skipped(record: FastRecord) -> Skipped | None:
    if record.record_type == WarcRecordType.response:
        return None
    is_revisit = record.record_type == WarcRecordType.revisit
    return Skipped.REVISIT if is_revisit else Skipped.WARC_TYPE


def _head(record: FastRecord) -> bytes:
    """Read lines up to an empty one, or as many as headers of HTTP may have bytes."""
    lines: list[bytes] = []
    size = 0
    # what is longer comes in pieces, of which one may look like an empty line
    while size <= MAX_HEADER_BYTES and (line := record.reader.readline(MAX_HEADER_BYTES)):
        lines.append(line)
        size += len(line)
        if line in {b"\r\n", b"\n"}:
            break
    return b"".join(lines)


def _warc_record(record: FastRecord) -> WarcRecord:
    stated = record.headers.get_bytes

    def field(name: bytes) -> str:
        raw = stated(name)
        return raw[:MAX_FIELD_CHARS].decode("utf-8", errors="replace").strip() if raw else ""

    return WarcRecord(
        record_id=field(b"WARC-Record-ID"),
        date=field(b"WARC-Date"),
        target_uri=field(b"WARC-Target-URI").removeprefix("<").removesuffix(">"),
        payload_digest=field(b"WARC-Payload-Digest"),
        ip_address=field(b"WARC-IP-Address"),
        truncated=field(b"WARC-Truncated"),
    )


def _dictionary_frame(file: BinaryIO) -> bytes:
    """Return the frame with the dictionary that all others of a file need; empty for none."""
    file.seek(0)
    begin = file.read(8)
    if not begin.startswith(_SKIPPABLE_FRAME):
        return b""
    size = int.from_bytes(begin[4:], "little")
    return begin + file.read(size) if size <= MAX_DICTIONARY_BYTES else b""
