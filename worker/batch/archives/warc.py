"""A WARC file -> its records, whatever is damaged in it.

After damage, reading goes on at the next place that looks like a record.
"""

import sys
from base64 import b32encode
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha1
from typing import BinaryIO, Final, TypeVar, cast

from fastwarc.warc import ArchiveIterator, WarcRecordType
from fastwarc.warc import WarcRecord as FastRecord

from winnow.models.errors import InvalidPage, Reason, WinnowError
from winnow.worker.batch.archives.entries import (
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
from winnow.worker.batch.archives.record_search import RESTART_DEBT, RecordSearch, Scanned
from winnow.worker.batch.archives.responses import MAX_HEADER_BYTES
from winnow.worker.batch.archives.watched import Prefixed, Watched

MAX_FIELD_CHARS: Final = 8192
PRODUCED_PER_READ: Final = 8  # unpacked bytes that cost as much as one that is read

_PIECE_BYTES: Final = 1 << 20

T = TypeVar("T")


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
    with open_file() as file, open_file() as scanned:
        reader = _WarcReader(file, Scanned(scanned), max_page_bytes, start, end)
        entries = reader.entries()
        for _ in range(start.passed):
            next(entries, None)
        yield from entries
        return reader.then


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
        self, file: BinaryIO, scanned: Scanned, max_page_bytes: int,
        start: Position = BEGIN, end: int | None = None,
    ) -> None:  # fmt: skip
        self._file = file
        self._max_bytes = max_page_bytes + MAX_HEADER_BYTES
        self._search = RecordSearch(scanned)
        self._end = sys.maxsize if end is None else end
        self._search.begin(start.offset, start.debt)
        self.then = replace(start, passed=0)
        self._shift = 0
        self._watched = Watched(file, 0, [])
        self._produced_bytes = 0  # since reading began at a place
        self._failures: list[Exception] = []  # of the file

    def entries(self) -> Iterator[Entry]:
        """Yield entries; `then` is behind the last one."""
        at: int | None = self.then.offset
        while at is not None and at < self._end:
            at = yield from self._entries_from(at)
        if at is None:
            self.then = END
        elif at == self._end:
            self.then = Position(at, 0, self._search.debt_at(at))

    def _entries_from(self, offset: int) -> Generator[Entry, None, int | None]:
        """Yield entries up to the end or the first damage, and return where to read on."""
        last: _Read | None = None
        records = self._records_from(offset)
        while True:
            try:
                record = next(records, None)
                read = self._read(record) if record else None
            except _DamagedRecord as error:
                if last and last.offset != offset and self._search.starts_at(last.offset):
                    return last.offset  # fastwarc reads ahead: how far depends on its start
                return (yield from self._after_damage(last, offset, error))
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
        if last and (cut := self._search.next_start(last.offset + 1)) is not None:
            yield self._entry(cut, InvalidPage(Reason.UNDECODABLE, "record: cut short"))

    def _after_damage(
        self, last: _Read | None, offset: int, error: _DamagedRecord
    ) -> Generator[Entry, None, int | None]:
        """Blame the damage on the record that has it, and return where the next one begins."""
        at = last.offset if last else offset
        self._reach(at)
        step = self._search.owe(at, self._cost() - (at - offset))
        why = f"; {step} bytes are passed over, because too much is damaged" if step > 1 else ""
        damaged = InvalidPage(Reason.UNDECODABLE, f"record: {error}{why}")
        follower = self._search.next_start(at + step)
        if last is None:
            yield self._entry(offset, damaged)
            return follower
        is_whole = follower is None or self._begins_whole(follower)
        if last.is_proven or not is_whole:
            yield self._entry(last.offset, last.content)
            if is_whole:
                yield self._entry(
                    last.offset, InvalidPage(damaged.reason, f"behind this {damaged.detail}")
                )
        else:
            yield self._entry(last.offset, damaged)
        return follower

    def _begins_whole(self, offset: int) -> bool:
        records = self._records_from(offset)
        try:
            record = next(records, None)
            return record is not None and bool(self._read(record))
        except _DamagedRecord:
            return False
        finally:
            self._search.owe(offset, self._cost())

    def _cost(self) -> int:
        """Return what it has cost to read from the last place on, in bytes that are read."""
        produced = self._produced_bytes // PRODUCED_PER_READ
        return RESTART_DEBT + self._watched.delivered_bytes + produced

    def _read(self, record: FastRecord) -> _Read:
        """Read a record as far as it is wanted.

        Raises:
            _DamagedRecord: its bytes are damaged, or fewer than it says.
        """
        if record.headers.get("Content-Length") is None:
            raise _DamagedRecord("without Content-Length")
        content = _skipped(record)
        offset = record.stream_pos + self._shift
        length = record.content_length
        if content is not None or length > self._max_bytes:
            passed = sum(map(len, self._pieces(record, length)))
            if content is not None:
                return _Read(offset, content)
            if passed < length:
                raise _DamagedRecord("cut short, or with a wrong Content-Length")
            why = InvalidPage(Reason.TOO_LARGE, f"a record of {length} bytes")
            return _Read(offset, why)
        head = self._guarded(lambda: _head(record))
        body = b"".join(self._pieces(record, length - len(head)))
        if len(head) + len(body) < length:
            raise _DamagedRecord("cut short, or with a wrong Content-Length")
        digest = record.headers.get("WARC-Block-Digest") or ""
        return _Read(offset, Response(_warc_record(record), head, body), digest)

    def _pieces(self, record: FastRecord, size: int) -> Iterator[bytes]:
        """Yield what is left of a record, up to a size."""
        while size > 0:
            asked = min(size, _PIECE_BYTES)
            piece = self._guarded(partial(record.reader.read, asked))
            self._produced_bytes += len(piece)
            yield piece
            if len(piece) < asked:
                return
            size -= asked

    def _entry(self, offset: int, content: Content) -> Entry:
        """Return an entry; reading can begin anew where a record begins in the file as stored."""
        self._reach(offset)
        self.then = replace(self.then, passed=self.then.passed + 1)
        return Entry(Place(self.then, offset), content)

    def _reach(self, offset: int) -> None:
        if offset > self.then.offset and self._search.starts_at(offset):
            self.then = Position(offset, 0, self._search.debt_at(offset))

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

    def _records_from(self, offset: int) -> Iterator[FastRecord]:
        dictionary = self._search.dictionary
        is_inside = bool(dictionary and offset)
        self._shift = offset - len(dictionary) if is_inside else 0
        self._produced_bytes = 0
        self._watched = Watched(self._file, offset, self._failures)
        read = Prefixed(dictionary, self._watched) if is_inside else self._watched
        return self._records(cast("BinaryIO", read))


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
