"""A run that can be continued: files -> entries -> outcomes -> shards, errors and a ledger."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Final, cast

import orjson

from winnow.models.errors import InvalidPage, Reason
from winnow.worker.batch.archives.cleaning import (
    EntryCleaner,
    FileEntry,
    Outcome,
    lost,
    result_weight,
    weight,
)
from winnow.worker.batch.archives.copies import CopyLog
from winnow.worker.batch.archives.entries import BEGIN, END, Entry, Place, Position
from winnow.worker.batch.archives.fetch_rules import FetchRules
from winnow.worker.batch.archives.folders import Folder
from winnow.worker.batch.archives.inputs import Input, WebPage
from winnow.worker.batch.archives.ledger import ERRORS, Ledger
from winnow.worker.batch.archives.parts import Part, parts_of
from winnow.worker.batch.archives.reading import file_entries
from winnow.worker.batch.archives.record_search import is_warc
from winnow.worker.batch.archives.remote import LocalCopy, RemoteFile
from winnow.worker.batch.archives.shards import Form, Shards
from winnow.worker.batch.bulk import Jobs, Work, batches
from winnow.worker.batch.choice import ALL, Choice
from winnow.worker.batch.inputs import (
    STANDARD_INPUT,
    InputError,
    PageFile,
    read_standard_input,
    url_below,
    url_of,
)
from winnow.worker.batch.pool import work_on_all

Watch = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Source:
    """The inputs of a run, and the size limit of a page.

    Attributes:
        page_url: URL of the only page, on standard input or in a file.
        web: how pages are fetched, if not by the default rules.
        url_prefix: prefix of the URLs of pages in files, before their paths; empty: `file://`.
    """

    inputs: Sequence[Input]
    max_page_bytes: int
    page_url: str = ""
    web: FetchRules | None = None
    url_prefix: str = ""

    def entries(self, file: int = 0, position: Position = BEGIN) -> Iterator[FileEntry]:
        """Yield the entries of all files from a place on; for a file that fails, its error."""
        for number in range(file, len(self.inputs)):
            yield from self._file_entries(number, position if number == file else BEGIN)

    def _file_entries(self, file: int, start: Position) -> Iterator[FileEntry]:
        yield from _reported(file, self._entries_of(self.inputs[file], start))

    def batches(self, file: int, position: Position) -> Iterator[list[FileEntry]]:
        """Yield the entries in batches."""
        return batches(self.entries(file, position), weight)

    def tasks(self, file: int, position: Position) -> Iterator[Part | list[FileEntry]]:
        """Yield the entries as work for several processes: parts of archives, and batches."""
        pieces = self._pieces(file, position)
        for is_part, group in groupby(pieces, key=lambda piece: isinstance(piece, Part)):
            if is_part:
                yield from cast("Iterator[Part]", group)
            else:
                yield from batches(cast("Iterator[FileEntry]", group), weight)

    def _pieces(self, file: int, position: Position) -> Iterator[FileEntry | Part]:
        for number in range(file, len(self.inputs)):
            yield from self._pieces_of(number, position if number == file else BEGIN)

    def _pieces_of(self, file: int, start: Position) -> Iterator[FileEntry | Part]:
        """Yield the parts of a file, or its entries if it cannot be read in parts."""
        found = self.inputs[file]
        if start == END or found.path == STANDARD_INPUT or isinstance(found, InputError | WebPage):
            yield from self._file_entries(file, start)
            return
        try:
            copy = _local(found)
        except InputError as error:
            yield _unreadable(file, error)
            return
        is_in_parts = False
        for part in parts_of(file, copy.path, self.max_page_bytes, start, copy):
            is_in_parts = True
            yield part
        if not is_in_parts:
            yield from _reported(file, self._local_entries(found, copy.path, start))

    def sizes(self) -> list[int]:
        """Return the size of each file in bytes, 0 if unknown."""
        return [_size(found) for found in self.inputs]

    def _entries_of(self, found: Input, start: Position) -> Iterator[Entry]:
        if start == END:
            return
        if isinstance(found, InputError):
            raise found
        if isinstance(found, WebPage):
            from winnow.worker.batch.archives.web import fetch_page  # noqa: PLC0415 - aiohttp is slow to import

            rules = self.web or FetchRules(self.max_page_bytes)
            yield Entry(Place(END), fetch_page(found.path, rules))
        elif found.path == STANDARD_INPUT:
            content = read_standard_input(self.max_page_bytes + 1)
            if is_warc(content):
                raise InputError(
                    found.path, "is an archive, which cannot be read from a pipe: give a file"
                )
            yield from file_entries(
                found.path, self.page_url, lambda: BytesIO(content), self.max_page_bytes, start
            )
        else:
            copy = _local(found)
            yield from self._local_entries(found, copy.path, start)

    def _local_entries(
        self, found: PageFile | RemoteFile, path: Path, start: Position
    ) -> Iterator[Entry]:
        """Yield the entries of a local file."""
        opened = partial(_opened, path)
        if isinstance(found, RemoteFile):
            yield from file_entries(found.name, found.path, opened, self.max_page_bytes, start)
        else:
            url = self.page_url or url_below(self.url_prefix, found) or url_of(path)
            for entry in file_entries(path, url, opened, self.max_page_bytes, start):
                if self.page_url and not entry.place.is_whole_file:
                    raise InputError(path, "--url is for one page, but this is an archive")
                yield entry

    def name_of(self, file: int) -> str:
        r"""Return the path of a file as it was given; bytes that are not text appear as `\xff`."""
        raw = str(self.inputs[file].path).encode("utf-8", errors="surrogateescape")
        return raw.decode("utf-8", errors="backslashreplace")


def _local(found: PageFile | RemoteFile) -> PageFile | LocalCopy:
    """Return an object with a local `path`, which exists as long as the object."""
    return LocalCopy(found) if isinstance(found, RemoteFile) else found


def _reported(file: int, entries: Iterator[Entry]) -> Iterator[FileEntry]:
    """Yield the entries of a file; if it fails, its error."""
    try:
        for entry in entries:
            yield FileEntry(file, entry)
    except InputError as error:
        yield _unreadable(file, error)


def _unreadable(file: int, error: InputError) -> FileEntry:
    return FileEntry(file, Entry(Place(END), InvalidPage(Reason.UNREADABLE, error.why)))


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")


def _size(found: Input) -> int:
    if isinstance(found, RemoteFile):
        return found.size
    if isinstance(found, InputError | WebPage) or found.path == STANDARD_INPUT:
        return 0
    try:
        return found.path.stat().st_size
    except OSError:
        return 0


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run continues.

    Attributes:
        file: number of the file.
        position: position in it.
        has_response: whether that file already had a response.
    """

    file: int = 0
    position: Position = BEGIN
    has_response: bool = False


def outcomes(
    source: Source, build: Callable[[], EntryCleaner], jobs: Jobs, start: Start | None = None
) -> Generator[Outcome, None, None]:
    """Yield the outcomes of all entries from a place on, in order; close the generator.

    An archive without any response gives an error, after its entries.

    Raises:
        ModelError: from `build`, at once.
        OptionsError: the same.
        BrokenProcessPool: while it yields: all processes were killed.
    """
    start = start or Start()
    read = source.tasks if jobs.count > 1 else source.batches
    tasks = read(start.file, start.position)
    found = work_on_all(tasks, Work(build, weight, result_weight, lost), jobs)
    return _with_empty_archives(found, start)


def _with_empty_archives(
    found: Generator[Outcome, None, None], start: Start
) -> Generator[Outcome, None, None]:
    """Yield an error after the last entry of an archive without a response."""
    file = start.file if start.position not in {BEGIN, END} else None
    has_response = start.has_response
    with closing(found):
        for outcome in found:
            if outcome.file != file:
                if file is not None and not has_response:
                    yield _without_response(file)
                file, has_response = outcome.file, False
            # an entry that is its whole file: a page, or an unreadable archive
            has_response |= outcome.place.is_whole_file or not outcome.is_no_response
            yield outcome
    if file is not None and not has_response:
        yield _without_response(file)


def _without_response(file: int) -> Outcome:
    why = InvalidPage(Reason.UNREADABLE, "is an archive without a response: nothing to clean")
    return Outcome(file, Place(END), "", "", 0, why)


@dataclass(frozen=True, slots=True)
class Output:
    """Where and how a run writes, and which documents."""

    folder: Folder
    form: Form
    shard_bytes: int
    choice: Choice = ALL


class Run:
    """Writes outcomes so that a run can be continued after any stop.

    A shard gets its name when it is complete, and counts when the ledger lists it. Until then
    its pages will be cleaned again.
    """

    def __init__(
        self, source: Source, output: Output, ledger: Ledger,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """Continue where the ledger ends.

        Raises:
            OSError: the folder cannot be written to.
        """
        self.ledger = ledger
        self._source = source
        self._output = output
        self._clock = clock
        self._shards = Shards(
            output.folder, output.form, output.shard_bytes, first=len(ledger.shards)
        )
        self._errors = output.folder.log(ERRORS, ledger.errors_bytes)
        self.copies: Final = CopyLog(output.choice, output.folder, ledger.fingerprints_bytes)
        self._since = clock()

    def write_all(
        self,
        outcomes: Iterator[Outcome],
        watch: Callable[[Outcome], None],
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Write outcomes and pass each to `watch`, to the end or until `is_stopped`.

        Raises:
            OSError: the disk is full, for example; the ledger lists what is complete.
        """
        try:
            self.ledger.write(
                self._output.folder
            )  # before the first shard, to mark the folder as ours
            for each in outcomes:
                outcome = self.copies.without_copy(each)
                self._write(outcome)
                watch(outcome)
                if is_stopped():
                    self._commit(is_complete=False)
                    return
                if self._shards.is_full:
                    self._commit(is_complete=False)
            self._commit(is_complete=True)
        finally:
            self._shards.discard()
            self._errors.close()
            self.copies.close()

    def _write(self, outcome: Outcome) -> None:
        if isinstance(outcome.result, bytes):
            self._shards.write(outcome.result)
            self.copies.keep(outcome.fingerprint)
        elif isinstance(outcome.result, InvalidPage):
            self._errors.write(self._error_line(outcome, outcome.result))
        self.ledger.counts.add(outcome)
        self.ledger.move(outcome)

    def _error_line(self, outcome: Outcome, error: InvalidPage) -> bytes:
        place = outcome.place
        fields = {
            "file": self._source.name_of(outcome.file),
            **({"line": place.line} if place.line else {"offset": place.offset}),
            "record_id": outcome.record_id,
            "url": outcome.url,
            "reason": error.reason,
            "detail": error.detail,
        }
        return orjson.dumps({name: value for name, value in fields.items() if value != ""}) + b"\n"

    def _commit(self, *, is_complete: bool) -> None:
        self.ledger.shards += self._shards.finish()
        self.ledger.errors_bytes = self._errors.sync()
        self.ledger.fingerprints_bytes = self.copies.sync()
        now = self._clock()
        self.ledger.counts.seconds += now - self._since
        self._since = now
        self.ledger.is_complete = is_complete
        self.ledger.write(self._output.folder)
