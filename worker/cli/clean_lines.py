"""Messages on standard input -> documents, answered line by line."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import orjson

from winnow.models.document import Document
from winnow.models.errors import InvalidPage, Reason
from winnow.models.options import CleanerOptions
from winnow.streams.messages import document_value, with_meta
from winnow.streams.outcomes import Outcome
from winnow.streams.pages import Arrival, Deleted, Fetched, arrival_from, stated_url
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Incoming
from winnow.worker.batch.archives.reading import JSON_OVERHEAD
from winnow.worker.batch.bulk import BATCH_PAGES, Candidate, Work, clean_batch
from winnow.worker.batch.lines import LineTooLong, line_groups
from winnow.worker.batch.pool import InTime
from winnow.worker.cleaning import open_cleaner
from winnow.worker.cli.failure import CannotGoOn, complain

Answered = bytes | InvalidPage  # the message of a document, or why there is none


def clean_lines(options: CleanerOptions, model: Path | None, page_seconds: float) -> int:
    """Answer each line of standard input with one line, in order; return how many failed.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
        BrokenProcessPool: every process that cleans is killed, after a page took too long.
    """
    max_page_bytes = options.limits.page_bytes
    max_line_bytes = max_page_bytes * 4 // 3 + JSON_OVERHEAD
    work = Work(partial(_Values, options, model), _nothing, _nothing, _lost)
    failed = answered = 0
    with InTime(work, page_seconds) as in_time:
        for group in _line_groups(max_line_bytes):
            arrivals = [_arrival(line, max_page_bytes) for line in group]
            pages = [_candidate_of(each) for each in arrivals]
            results = iter(in_time([page for page in pages if page is not None]))
            for line, arrival, page in zip(group, arrivals, pages, strict=True):
                answered += 1
                result = None if page is None else next(results)
                if isinstance(result, InvalidPage):
                    failed += 1
                    name = f"page {answered} {_stated(line, arrival)}".rstrip()
                    complain(f"{name}: {result}")
                sys.stdout.buffer.write(_answer(line, arrival, result) + b"\n")
            sys.stdout.buffer.flush()
    return failed


class _Values:
    """Cleans batches of pages to the messages of their documents, in any process."""

    def __init__(self, options: CleanerOptions, model: Path | None) -> None:
        self._cleaner = open_cleaner(options, model)

    def __call__(self, batch: Sequence[Candidate]) -> list[Answered]:
        return [
            document_value(each) if isinstance(each, Document) else each
            for each in clean_batch(self._cleaner, batch)
        ]


def _nothing(_: object) -> int:
    return 0  # the lines are grouped already


def _lost(_: Candidate, why: InvalidPage) -> Answered:
    return why


def _line_groups(max_line_bytes: int) -> Iterator[list[bytes | LineTooLong]]:
    try:
        yield from line_groups(sys.stdin.buffer, max_line_bytes, BATCH_PAGES)
    except OSError as error:
        raise CannotGoOn(f"standard input: {error.strerror}") from error


def _arrival(line: bytes | LineTooLong, max_page_bytes: int) -> Arrival | InvalidPage:
    if isinstance(line, LineTooLong):
        return InvalidPage(Reason.TOO_LARGE, f"a line {line}")
    try:
        return arrival_from(_record_of(line), max_page_bytes)
    except InvalidPage as error:
        return error


def _record_of(line: bytes) -> Incoming:
    return Incoming("stdin", 0, 0, None, line, (("content-type", b"application/json"),))


def _candidate_of(arrival: Arrival | InvalidPage) -> Candidate | None:
    """Return what is to be cleaned; None of a page that its status says is none."""
    if isinstance(arrival, Fetched):
        return arrival.page
    return arrival if isinstance(arrival, InvalidPage) else None


def _answer(
    line: bytes | LineTooLong, arrival: Arrival | InvalidPage, result: Answered | None
) -> bytes:
    if isinstance(result, InvalidPage):
        url = _stated(line, arrival)
        return orjson.dumps({"url": url, "error": result.reason, "detail": result.detail})
    assert not isinstance(arrival, InvalidPage)  # it is its own result
    meta = PassThrough().passed(_record_of(b""), arrival.meta).meta
    if result is not None:
        return with_meta(result, meta)
    outcome = Outcome.DELETED if isinstance(arrival, Deleted) else Outcome.SKIPPED
    status = None if isinstance(arrival, Fetched) else arrival.status
    return with_meta(orjson.dumps({"url": arrival.url, "outcome": outcome, "status": status}), meta)


def _stated(line: bytes | LineTooLong, arrival: Arrival | InvalidPage) -> str:
    """Return the URL of a message, so that it can be found even when it is no page."""
    if not isinstance(arrival, InvalidPage):
        return arrival.url
    return stated_url(line) if isinstance(line, bytes) else ""
