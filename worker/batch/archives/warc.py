"""A WARC file -> its records, even if parts of it are damaged.

After damage, reading continues at the next place that looks like a record.
"""

import sys
from base64 import b32encode
from collections.abc import Callable, Generator, Iterator
from hashlib import sha1
from typing import BinaryIO, Final

import msgspec

from winnow.models.errors import InvalidPage, Reason
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
from winnow.worker.batch.archives.record_search import (
    RESTART_DEBT,
    RecordSearch,
    Scanned,
    dictionary_in,
)
from winnow.worker.batch.archives.records import DamagedRecord, Record, Stream, records
from winnow.worker.batch.archives.responses import MAX_HEADER_BYTES, is_html
from winnow.worker.batch.archives.unpacking import DamagedPacking
from winnow.worker.batch.archives.watched import Watched

MAX_FIELD_CHARS: Final = 8192
PRODUCED_PER_READ: Final = 8  # decompressed bytes that cost as much as one byte read

_PIECE_BYTES: Final = 1 << 20


def warc_entries(
    open_file: Callable[[], BinaryIO],
    max_page_bytes: int,
    start: Position = BEGIN,
    end: int | None = None,
) -> Generator[Entry, None, Position]:
    """Yield an entry for each record of a seekable file.

    A damage is one entry with its error; reading continues at the next record found after it.

    Args:
        open_file: opens the file at its beginning.
        max_page_bytes: a larger record is one entry with its error.
        start: `then` of the last entry that was read.
        end: place of a record, in bytes of the file; reading stops before it.

    Returns:
        Where to continue: at `end` if a record begins there in a sequential read.

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


class _Read(msgspec.Struct, frozen=True):
    """A record that is not yet confirmed by a valid record after it."""

    offset: int
    content: Content
    block_digest: str = ""  # from its fields
    is_in_member: bool = False  # it begins and ends in one compressed member

    @property
    def is_proven(self) -> bool:
        """Whether the digest confirms the block."""
        if not isinstance(self.content, Response):
            return False
        digest = sha1(self.content.head, usedforsecurity=False)
        digest.update(self.content.body)
        return self.block_digest == "sha1:" + b32encode(digest.digest()).decode()


class _WarcReader:
    """Reads records in order, and searches for the next one after damage."""

    def __init__(
        self, file: BinaryIO, scanned: Scanned, max_page_bytes: int,
        start: Position = BEGIN, end: int | None = None,
    ) -> None:  # fmt: skip
        self._file = file
        self._max_bytes = max_page_bytes + MAX_HEADER_BYTES
        self._search = RecordSearch(scanned)
        self._end = sys.maxsize if end is None else end
        self._search.begin(start.offset, start.debt)
        self.then = Position(start.offset, debt=start.debt)
        self._watched = Watched(file, 0)
        self._produced_bytes = 0  # since reading began at a place
        self._last = -1, 0  # the place of the last entry, and its number there

    def entries(self) -> Iterator[Entry]:
        """Yield entries; `then` is after the last one."""
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
            except DamagedRecord as error:
                if last and last.is_in_member and last.offset < error.offset:
                    yield self._entry_of(last)  # its member is whole
                    return error.offset
                if last and last.offset != offset and self._search.starts_at(last.offset):
                    return last.offset  # records found after damage do not depend on the start
                return (yield from self._after_damage(last, offset, error))
            if last:
                yield self._entry_of(last)
            if read is None:
                return None
            if read.offset >= self._end:
                return read.offset
            last = read

    def _after_damage(
        self, last: _Read | None, offset: int, error: DamagedRecord
    ) -> Generator[Entry, None, int | None]:
        """Report the damage at the record that has it, and return where the next one begins."""
        at = last.offset if last else offset
        self._reach(at)
        step = self._search.owe(at, self._cost() - (at - offset))
        why = f"; {step} bytes are skipped, because too much is damaged" if step > 1 else ""
        damaged = InvalidPage(Reason.UNDECODABLE, f"record: {error}{why}")
        follower = self._search.next_start(at + step)
        if last is None:
            yield self._entry(offset, damaged)
            return follower
        is_whole = follower is None or self._begins_whole(follower)
        if last.is_proven or not is_whole:
            yield self._entry_of(last)
            if is_whole:
                yield self._entry(
                    last.offset, InvalidPage(damaged.reason, f"after this {damaged.detail}")
                )
        else:
            yield self._entry(last.offset, damaged)
        return follower

    def _begins_whole(self, offset: int) -> bool:
        records = self._records_from(offset)
        try:
            record = next(records, None)
            return record is not None and bool(self._read(record))
        except DamagedRecord:
            return False
        finally:
            self._search.owe(offset, self._cost())

    def _cost(self) -> int:
        """Return the cost of reading from the last place on, in bytes read."""
        produced = self._produced_bytes // PRODUCED_PER_READ
        return RESTART_DEBT + self._watched.delivered_bytes + produced

    def _read(self, record: Record) -> _Read:
        """Read a record, or skip it if it is not needed.

        Raises:
            DamagedRecord: its bytes are damaged, or fewer than its length.
        """
        content: Content | None = _not_read(record)
        if content is None and record.length > self._max_bytes:
            content = InvalidPage(Reason.TOO_LARGE, f"a record of {record.length} bytes")
        try:
            content = content or self._response(record)
            self._pass_over(record)
        except DamagedPacking as error:
            raise self._damaged(error, record.offset) from None
        return _Read(
            record.offset,
            content,
            record.field(b"warc-block-digest"),
            record.block.ends_in(record.offset),
        )

    def _response(self, record: Record) -> Response:
        resource_type = _resource_type(record)
        head = b"" if resource_type else record.block.head(MAX_HEADER_BYTES)
        body = record.block.read(record.block.left)
        self._produced_bytes += len(body)
        return Response(
            _warc_record(record),
            head,
            body,
            resource_type,
            record.is_mended,
            block_type=record.field(b"content-type"),
            identified_type=record.field(b"warc-identified-payload-type"),
        )

    def _pass_over(self, record: Record) -> None:
        """Read and discard the rest of a block.

        Raises:
            DamagedRecord: it has fewer bytes than its length.
        """
        while record.block.left:
            piece = record.block.read(_PIECE_BYTES)
            self._produced_bytes += len(piece)
            if not piece:
                raise DamagedRecord("cut short, or with a wrong Content-Length", record.offset)

    def _entry_of(self, read: _Read) -> Entry:
        return self._entry(read.offset, read.content, is_start=read.is_in_member)

    def _entry(self, offset: int, content: Content, *, is_start: bool = False) -> Entry:
        """Return an entry; reading can restart where a record begins in the stored file."""
        self._reach(offset, is_start=is_start)
        then = self.then
        self.then = Position(then.offset, then.passed + 1, then.debt)
        last, number = self._last
        self._last = offset, number + 1 if offset == last else 0
        return Entry(Place(self.then, offset, number=self._last[1]), content)

    def _reach(self, offset: int, *, is_start: bool = False) -> None:
        if offset > self.then.offset and (is_start or self._search.starts_at(offset)):
            self.then = Position(offset, 0, self._search.debt_at(offset))

    def _records(self, file: Watched) -> Iterator[Record]:
        """Yield records.

        Raises:
            DamagedRecord: here reading cannot go on.
        """
        search = self._search
        try:
            dictionary = dictionary_in(search.dictionary)
            yield from records(Stream(file, search.packing, dictionary))
        except DamagedPacking as error:
            raise self._damaged(error, error.offset) from None

    def _damaged(self, error: DamagedPacking, offset: int) -> DamagedRecord:
        is_foreign = error.offset and not self._search.starts_at(error.offset)
        why = "bytes that belong to no record" if is_foreign else error.args[0]
        return DamagedRecord(f"{why}, or a wrong Content-Length", offset)

    def _records_from(self, offset: int) -> Iterator[Record]:
        self._produced_bytes = 0
        self._watched = Watched(self._file, max(offset, len(self._search.dictionary)))
        return self._records(self._watched)


# the standard's other types, apart from response and revisit; they hold no fetched page
_OTHER_TYPES: Final = frozenset(
    {"warcinfo", "resource", "request", "metadata", "conversion", "continuation"}
)


def _not_read(record: Record) -> Skipped | InvalidPage | None:
    """Return why a record is not read; None for a response or an HTML resource."""
    kind = record.field(b"warc-type").lower()
    if kind == "response" or (kind == "resource" and _resource_type(record)):
        return None
    if kind == "revisit":
        return Skipped.REVISIT
    if kind in _OTHER_TYPES:
        return Skipped.WARC_TYPE
    what = f"unknown WARC-Type {kind[:40]!r}" if kind else "without WARC-Type"
    return InvalidPage(Reason.UNDECODABLE, f"record: {what}")


def _resource_type(record: Record) -> str:
    """Return the content type of an HTML resource, which has no HTTP headers."""
    if record.field(b"warc-type").lower() != "resource":
        return ""
    content_type = record.field(b"content-type")
    return content_type if content_type and is_html(content_type, b"") else ""


def _warc_record(record: Record) -> WarcRecord:
    def field(name: bytes) -> str:
        raw = record.fields.get(name, b"")
        return raw[:MAX_FIELD_CHARS].decode("utf-8", errors="replace").strip()

    return WarcRecord(
        record_id=field(b"warc-record-id"),
        date=field(b"warc-date"),
        target_uri=field(b"warc-target-uri").removeprefix("<").removesuffix(">").strip(),
        payload_digest=field(b"warc-payload-digest"),
        ip_address=field(b"warc-ip-address"),
        truncated=field(b"warc-truncated"),
    )
