"""Tables of pages, or of paths of archives -> tables of documents. Needs pyarrow.

Each input row gives one output row. Without a document, or if it is dropped, `error` has the
reason.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import pyarrow as pa

from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.filtering import DocumentFilter, Unwanted
from winnow.models.options import CleanerOptions
from winnow.streams.arrow import MessageTable
from winnow.worker.batch.archives.cleaning import EntryCleaner, FileEntry, Outcome, value_of, weight
from winnow.worker.batch.archives.entries import END, Entry, Place, Skipped
from winnow.worker.batch.archives.inputs import find_inputs
from winnow.worker.batch.archives.run import Source
from winnow.worker.batch.bulk import batches
from winnow.worker.batch.choice import Choice
from winnow.worker.batch.inputs import argument_of

_TABLE: Final = MessageTable("document")
SCHEMA: Final = pa.schema([*_TABLE.schema, pa.field("error", pa.string())])


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns with pages.

    Attributes:
        body: bytes of the page.
        url: URL of the page.
        content_type: HTTP `Content-Type`; empty if there is no such column.
        fetched_at: time of the fetch; empty if there is no such column.
    """

    body: str = "body"
    url: str = "url"
    content_type: str = ""
    fetched_at: str = ""


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How pages are cleaned, and which documents are kept."""

    options: CleanerOptions = field(default_factory=CleanerOptions)
    documents: DocumentFilter = field(default_factory=DocumentFilter)


@lru_cache(maxsize=4)
def entry_cleaner(cleaning: Cleaning) -> EntryCleaner:
    """Return the cleaner of this process, which maps its models once."""
    return EntryCleaner.open(cleaning.options, None, value_of, Choice(cleaning.documents))


def clean_pages(
    rows: Sequence[dict[str, Any]], columns: Columns, cleaning: Cleaning
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of pages, in order."""
    entries = [FileEntry(0, Entry(Place(END), _page(row, columns))) for row in rows]
    yield from _cleaned(entries, cleaning)


def clean_archives(paths: Iterable[str], cleaning: Cleaning) -> Iterator[pa.RecordBatch]:
    """Yield the documents of archives; records that `winnow clean` skips give no row."""
    inputs = find_inputs(map(argument_of, paths))
    yield from _cleaned(Source(inputs, cleaning.options.limits.page_bytes).entries(), cleaning)


def _cleaned(entries: Iterable[FileEntry], cleaning: Cleaning) -> Iterator[pa.RecordBatch]:
    cleaner = entry_cleaner(cleaning)
    for batch in batches(entries, weight):
        rows = [_row(each) for each in cleaner(batch) if not isinstance(each.result, Skipped)]
        if rows:
            yield pa.RecordBatch.from_pylist(rows, SCHEMA)


def _page(row: dict[str, Any], columns: Columns) -> Page:
    def text(column: str) -> str:
        return str(row[column] or "") if column else ""

    return Page(
        text(columns.url), row[columns.body] or b"", text(columns.content_type),
        text(columns.fetched_at),
    )  # fmt: skip


def _row(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome.result, bytes):
        return _TABLE.row(outcome.result)
    assert isinstance(outcome.result, InvalidPage | Unwanted)
    is_dropped = isinstance(outcome.result, Unwanted)
    error = f"dropped: {outcome.result}" if is_dropped else str(outcome.result)
    source = {"record_id": outcome.record_id} if outcome.record_id else None
    return {"url": outcome.url, "warc": source, "error": error}
