"""Messages on standard input -> documents, answered line by line."""

import sys
from collections.abc import Iterator

import orjson

from models.errors import InvalidPage, Reason
from streams.cleaning import Outcome, PageCleaner
from streams.messages import document_value, with_meta
from streams.pages import Arrival, Deleted, Fetched, arrival_from, stated_url
from streams.pass_through import PassThrough
from streams.records import Incoming
from worker.archives.reading import JSON_OVERHEAD
from worker.bulk import BATCH_PAGES, Candidate, Cleaned, clean_batch
from worker.cli.failure import CannotGoOn, complain
from worker.lines import LineTooLong, line_groups


def clean_lines(cleaner: PageCleaner, max_page_bytes: int) -> int:
    """Answer each line of standard input with one line, in order; return how many failed."""
    failed = answered = 0
    max_line_bytes = max_page_bytes * 4 // 3 + JSON_OVERHEAD
    for group in _line_groups(max_line_bytes):
        arrivals = [_arrival(line, max_page_bytes) for line in group]
        pages = [_candidate_of(each) for each in arrivals]
        results = iter(clean_batch(cleaner, [page for page in pages if page is not None]))
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
    line: bytes | LineTooLong, arrival: Arrival | InvalidPage, result: Cleaned | None
) -> bytes:
    if isinstance(result, InvalidPage):
        url = _stated(line, arrival)
        return orjson.dumps({"url": url, "error": result.reason, "detail": result.detail})
    assert not isinstance(arrival, InvalidPage)  # it is its own result
    meta = PassThrough().passed(_record_of(b""), arrival.meta).meta
    if result is not None:
        return with_meta(document_value(result), meta)
    outcome = Outcome.DELETED if isinstance(arrival, Deleted) else Outcome.SKIPPED
    status = None if isinstance(arrival, Fetched) else arrival.status
    return with_meta(orjson.dumps({"url": arrival.url, "outcome": outcome, "status": status}), meta)


def _stated(line: bytes | LineTooLong, arrival: Arrival | InvalidPage) -> str:
    """Return the URL of a message, so that it can be found even when it is no page."""
    if not isinstance(arrival, InvalidPage):
        return arrival.url
    return stated_url(line) if isinstance(line, bytes) else ""
