"""Entries of files -> their outcomes: a document, a reason for no document, or skipped."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.filtering import Unwanted
from winnow.models.options import CleanerOptions
from winnow.streams.isolation import PageCleaner
from winnow.streams.messages import document_value, with_meta
from winnow.streams.pages import Fetched, arrival_from, stated_url
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Incoming
from winnow.worker.batch.archives.entries import (
    Entry,
    Mended,
    Message,
    PageOf,
    Place,
    Response,
    Skipped,
    WarcRecord,
)
from winnow.worker.batch.archives.responses import page_of
from winnow.worker.batch.bulk import clean_batch
from winnow.worker.batch.choice import ALL, Choice
from winnow.worker.cleaning import open_cleaner

OUTCOME_BYTES: Final = 1024  # of an outcome, in addition to its result

Result = bytes | InvalidPage | Skipped | Unwanted
Render = Callable[[Document, PageOf], bytes]


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of an entry.

    Attributes:
        file: number of its file in the run.
        place: its place in its file, and where to continue reading.
        url: URL of the page, if known.
        record_id: id of its WARC record; empty if it was not in one.
        page_bytes: bytes of the page, decoded.
        result: the bytes to write, or why there is no document.
        fingerprint: fingerprint of the document, if the run drops copies.
        mended: violations of the standards in its record that were repaired.
    """

    file: int
    place: Place
    url: str
    record_id: str
    page_bytes: int
    result: Result
    mended: frozenset[Mended] = frozenset()
    fingerprint: int | None = None

    @property
    def is_no_response(self) -> bool:
        """Whether it comes from a record that is damaged or not a response."""
        if isinstance(self.result, InvalidPage):
            is_damaged = self.result.reason is Reason.UNDECODABLE
            return is_damaged and not self.record_id and not self.place.line
        return self.result in {Skipped.WARC_TYPE, Skipped.REVISIT}


class FileEntry(msgspec.Struct, frozen=True):
    """An entry, and the number of its file in the run."""

    file: int
    entry: Entry


def weight(each: FileEntry) -> int:
    """Return the bytes to clean; 0 if there is nothing to clean."""
    content = each.entry.content
    if isinstance(content, Response):
        return len(content.head) + len(content.body) + 1
    if isinstance(content, Message):
        return len(content.line) + 1
    return len(content.body) + 1 if isinstance(content, Page) else 0


def result_weight(outcome: Outcome) -> int:
    """Return the approximate memory of an outcome, in bytes."""
    written = len(outcome.result) if isinstance(outcome.result, bytes) else 0
    return written + OUTCOME_BYTES


def text_of(document: Document, _: PageOf) -> bytes:
    """Return the text of a document as bytes, with a line end."""
    return document.text.encode() + b"\n"


def value_of(document: Document, page: PageOf) -> bytes:
    """Return the message of a document, with the facts of its archive, as a line of JSON."""
    value = document_value(document, page.record.members() if page.record else None)
    return with_meta(value, page.meta) + b"\n"


class EntryCleaner:
    """Cleans batches of entries; can be sent to any process."""

    def __init__(
        self, cleaner: PageCleaner, render: Render, max_page_bytes: int, choice: Choice = ALL
    ) -> None:
        """Write chosen documents by `render`; refuse pages above `max_page_bytes`."""
        self._choice = choice
        self._cleaner = cleaner
        self._render = render
        self._max_page_bytes = max_page_bytes

    @classmethod
    def open(
        cls, options: CleanerOptions, model: Path | None, render: Render, choice: Choice = ALL
    ) -> "EntryCleaner":
        """Open a cleaner with its models.

        Raises:
            ModelError: the model file cannot be used.
            OptionsError: engine or options are wrong.
        """
        return cls(open_cleaner(options, model), render, options.limits.page_bytes, choice)

    @property
    def fingerprint(self) -> str:
        """The cleaner's fingerprint: equal fingerprints mean equal documents."""
        return self._cleaner.fingerprint

    def __call__(self, batch: Sequence[FileEntry]) -> list[Outcome]:
        """Return an outcome for each entry, in order."""
        pages = [page_in(each.entry, self._max_page_bytes) for each in batch]
        candidates = [each.page if isinstance(each, PageOf) else each for each in pages]
        cleaned = iter(clean_batch(
            self._cleaner, [each for each in candidates if not isinstance(each, Skipped)]
        ))  # fmt: skip
        return list(self._outcomes(batch, pages, cleaned))

    def _outcomes(
        self, batch: Sequence[FileEntry], pages: Sequence[PageOf | InvalidPage | Skipped],
        cleaned: Iterator[Document | InvalidPage],
    ) -> Iterator[Outcome]:  # fmt: skip
        for each, page in zip(batch, pages, strict=True):
            result = page if isinstance(page, Skipped) else next(cleaned)
            record = page.record if isinstance(page, PageOf) else _record_of(each.entry)
            yield Outcome(
                file=each.file,
                place=each.entry.place,
                url=page.page.url if isinstance(page, PageOf) else _url_of(each.entry),
                record_id=record.record_id if record else "",
                page_bytes=len(page.page.body) if isinstance(page, PageOf) else 0,
                result=self._written(result, page),
                fingerprint=self._fingerprint(result),
                mended=page.mended if isinstance(page, PageOf) else frozenset(),
            )

    def _written(
        self, result: Document | InvalidPage | Skipped, page: PageOf | InvalidPage | Skipped
    ) -> Result:
        if isinstance(result, Document):
            assert isinstance(page, PageOf)  # a document comes from a page
            return self._choice.documents.fault_of(result) or self._render(result, page)
        return result

    def _fingerprint(self, result: Document | InvalidPage | Skipped) -> int | None:
        rule = self._choice.dedup
        return rule.fingerprint_of(result) if rule and isinstance(result, Document) else None


def page_in(entry: Entry, max_page_bytes: int) -> PageOf | InvalidPage | Skipped:
    """Return the page of an entry, or why it has no page."""
    content = entry.content
    if isinstance(content, Page):
        return PageOf(content)
    if isinstance(content, InvalidPage | Skipped):
        return content
    try:
        if isinstance(content, Response):
            return page_of(content, max_page_bytes)
        arrival = arrival_from(_incoming(content.line), max_page_bytes)
    except InvalidPage as error:
        return error.as_value()
    if not isinstance(arrival, Fetched):
        return Skipped.STATUS
    return PageOf(arrival.page, meta=PassThrough().passed(_incoming(b""), arrival.meta).meta)


def lost(each: FileEntry, why: InvalidPage) -> Outcome:
    """Return the outcome of an entry that took too long, or that ended its process."""
    record = _record_of(each.entry)
    return Outcome(
        each.file, each.entry.place, _url_of(each.entry), record.record_id if record else "", 0, why
    )  # fmt: skip


def _incoming(line: bytes) -> Incoming:
    return Incoming("", 0, 0, None, line, (("content-type", b"application/json"),))


def _record_of(entry: Entry) -> WarcRecord | None:
    return entry.content.record if isinstance(entry.content, Response) else None


def _url_of(entry: Entry) -> str:
    """Return the URL of an entry, so that it can be found even if it is not a page."""
    content = entry.content
    if isinstance(content, Response):
        return content.record.target_uri
    if isinstance(content, Message):
        return stated_url(content.line)
    return content.url if isinstance(content, Page) else ""
