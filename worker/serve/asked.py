"""Headers and query of a request -> checked values."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, OptionsError, Reason
from winnow.models.options import OPTION_NAMES, CleanerOptions, TextFormat
from winnow.streams.pages import is_url
from winnow.worker.batch.lines import LineTooLong
from winnow.worker.web.frames import BadRequest

# a memory of sites would let one request change another
OPTIONS: Final = tuple(name for name in OPTION_NAMES if name != "seen")
URL: Final = "url"


class Form(StrEnum):
    """Media types of answers to a page; the first is the default."""

    JSON = "application/json"
    MARKDOWN = "text/markdown"
    TEXT = "text/plain"


LINES: Final = "application/x-ndjson"
_FORMATS: Final[Mapping[str, TextFormat]] = {
    Form.MARKDOWN: TextFormat.MARKDOWN,
    Form.TEXT: TextFormat.TEXT,
}
# media types that are not pages, and what to do about them
_NO_PAGES: Final[Mapping[str, str]] = {
    "application/x-www-form-urlencoded": "give the type of the page: -H 'Content-Type: text/html'",
    "multipart/form-data": "the body must be the page itself, not a form",
    "application/json": f"send JSON messages as lines of {LINES}",
}


@dataclass(frozen=True, slots=True)
class PageAsked:
    """A page, how to clean it, and the media type of the answer."""

    page: Page
    options: CleanerOptions
    form: Form = Form.JSON


@dataclass(frozen=True, slots=True)
class LineAsked:
    """A JSON message of a batch, and how to clean its page."""

    line: bytes | LineTooLong
    options: CleanerOptions


def negotiated(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the client's preferred type, the first of equals; None if it accepts no type.

    Args:
        accept: value of the header; None if missing.
        offered: media types.
    """
    if accept is None or not accept.strip():
        return offered[0]
    ranges = [_range(each) for each in accept.split(",") if each.strip()]
    likings = {each: _liking(each, ranges) for each in offered}
    best = max(offered, key=lambda each: likings[each])
    return best if likings[best] > 0 else None


def _range(text: str) -> tuple[str, float]:
    name, *parameters = (each.strip().lower() for each in text.split(";"))
    quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
    try:
        liking = float(quality)
    except ValueError:
        liking = 0.0
    return name, liking if 0 <= liking <= 1 else 0.0


def _liking(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the quality of the most specific range that matches the type."""
    for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        for each, liking in ranges:
            if each == name:
                return liking
    return 0.0


def options_in(
    query: Iterable[tuple[str, str]], defaults: CleanerOptions, form: str
) -> CleanerOptions:
    """Return the options of a query; the media type of the answer sets the text format.

    Raises:
        BadRequest: a name is unknown or repeated, a value is invalid, or values contradict.
    """
    values = _values_in(query)
    try:
        options = defaults.with_values(values)
    except OptionsError as error:
        raise BadRequest(str(error)) from error
    if options.threshold is not None and not math.isfinite(options.threshold):
        raise BadRequest("threshold must be finite")
    written = _FORMATS.get(form)
    if written is None:
        return options
    if "format" in values and options.format is not written:
        raise BadRequest(f"format={options.format} and Accept: {form} contradict each other")
    return replace(options, format=written)


def _values_in(query: Iterable[tuple[str, str]]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, value in query:
        if name == URL:
            continue
        if name not in OPTIONS:
            raise BadRequest(f"unknown parameter {name!r}; use {URL}, {', '.join(OPTIONS)}")
        if name in values:
            raise BadRequest(f"{name}: given twice")
        values[name] = value
    return values


def page_in(
    headers: Mapping[str, str], query: Iterable[tuple[str, str]], body: bytes, form: Form
) -> Page:
    """Return the page of a request; headers are the same as of a record with raw page bytes.

    Raises:
        BadRequest: its URL is invalid or repeated.
        InvalidPage: it has no bytes, or lacks the URL that a document needs.
    """
    url = _url(headers, query)
    if not url and form is Form.JSON:
        why = f"a document needs a URL: give it as ?{URL}= or in the header Url"
        raise InvalidPage(Reason.NO_URL, why)
    if not body or body.isspace():
        raise InvalidPage(Reason.EMPTY, f"a body of {len(body)} bytes")
    content_type = headers.get("Content-Type", "")
    tags = headers.get("X-Robots-Tag", "")
    return Page(url, body, content_type, headers.get("Fetched-At", ""), tags)


def why_no_page(content_type: str) -> str:
    """Return why a body of this type is not a page, as a hint; empty if it may be one."""
    return _NO_PAGES.get(content_type.partition(";")[0].strip().lower(), "")


def _url(headers: Mapping[str, str], query: Iterable[tuple[str, str]]) -> str:
    given = {value for name, value in query if name == URL}
    if (in_header := headers.get("Url")) is not None:
        given.add(in_header)
    if len(given) > 1:
        raise BadRequest("url: given twice, with different values")
    url = given.pop() if given else ""
    if url and not (is_url(url) and _is_text(url)):
        raise BadRequest("url: must be absolute, with its scheme")
    return url


def _is_text(text: str) -> bool:
    """Whether the text came from valid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
