"""JSON messages, one per line -> answer lines: documents, or why there is no document."""

import orjson

from winnow.models.errors import InvalidPage, Reason
from winnow.models.filtering import Unwanted
from winnow.streams.messages import with_meta
from winnow.streams.outcomes import Outcome
from winnow.streams.pages import Arrival, Deleted, Fetched, arrival_from, stated_url
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Incoming
from winnow.worker.batch.bulk import Candidate
from winnow.worker.batch.lines import LineTooLong

Answered = bytes | InvalidPage  # the message of a document, or the error


def arrival_of(line: bytes | LineTooLong, max_page_bytes: int) -> Arrival | InvalidPage:
    """Read the message in a line."""
    if isinstance(line, LineTooLong):
        return InvalidPage(Reason.TOO_LARGE, f"a line {line}")
    try:
        return arrival_from(_record_of(line), max_page_bytes)
    except InvalidPage as error:
        return error


def _record_of(line: bytes) -> Incoming:
    return Incoming("stdin", 0, 0, None, line, (("content-type", b"application/json"),))


def candidate_of(arrival: Arrival | InvalidPage) -> Candidate | None:
    """Return the page to clean; None if its status marks it as not a page."""
    if isinstance(arrival, Fetched):
        return arrival.page
    return arrival if isinstance(arrival, InvalidPage) else None


def answer_of(
    line: bytes | LineTooLong,
    arrival: Arrival | InvalidPage,
    result: Answered | Unwanted | None,
) -> bytes:
    """Return the answer to a line; `result` is None for a message that is not cleaned."""
    if isinstance(result, InvalidPage):
        url = stated_in(line, arrival)
        return orjson.dumps({"url": url, "error": result.reason, "detail": result.detail})
    assert not isinstance(arrival, InvalidPage)  # an invalid message is its own result
    meta = PassThrough().passed(_record_of(b""), arrival.meta).meta
    if isinstance(result, bytes):
        return with_meta(result, meta)
    if result is not None:
        dropped = {"url": arrival.url, "outcome": "dropped", "reason": result.value}
        return with_meta(orjson.dumps(dropped), meta)
    outcome = Outcome.DELETED if isinstance(arrival, Deleted) else Outcome.SKIPPED
    status = None if isinstance(arrival, Fetched) else arrival.status
    return with_meta(orjson.dumps({"url": arrival.url, "outcome": outcome, "status": status}), meta)


def stated_in(line: bytes | LineTooLong, arrival: Arrival | InvalidPage) -> str:
    """Return the URL of a message, so that it can be found even if it is not a page."""
    if not isinstance(arrival, InvalidPage):
        return arrival.url
    return stated_url(line) if isinstance(line, bytes) else ""
