"""Headers and query of a request -> what is asked for."""

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
    """The types of answers to a page, the default first."""

    JSON = "application/json"
    MARKDOWN = "text/markdown"
    TEXT = "text/plain"


LINES: Final = "application/x-ndjson"
_FORMATS: Final[Mapping[str, TextFormat]] = {
    Form.MARKDOWN: TextFormat.MARKDOWN,
    Form.TEXT: TextFormat.TEXT,
}
# what cannot be a page, and what to do about it
_NO_PAGES: Final[Mapping[str, str]] = {
    "application/x-www-form-urlencoded": "give the type of the page: -H 'Content-Type: text/html'",
    "multipart/form-data": "the body is the page itself, and no form",
    "application/json": f"messages in JSON are lines of {LINES}",
}


@dataclass(frozen=True, slots=True)
class PageAsked:
    """A page, how to clean it, and what to answer with."""

    page: Page
    options: CleanerOptions
    form: Form = Form.JSON


@dataclass(frozen=True, slots=True)
class LineAsked:
    """A message of a batch in JSON, and how to clean its page."""

    line: bytes | LineTooLong
    options: CleanerOptions


def negotiated(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the type that a client likes best, the first of several; None if it takes none.

    Args:
        accept: the header; None without one.
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
    """Return the quality of the narrowest range that the type is in."""
    for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        for each, liking in ranges:
            if each == name:
                return liking
    return 0.0


def options_in(
    query: Iterable[tuple[str, str]], defaults: CleanerOptions, form: str
) -> CleanerOptions:
    """Return the options of a query; the form of the answer decides how text is written.

    Raises:
        BadRequest: a name is unknown or stands twice, a value is none for it, or they contradict.
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
            raise BadRequest(f"no parameter {name!r}; there are {URL}, {', '.join(OPTIONS)}")
        if name in values:
            raise BadRequest(f"{name}: given twice")
        values[name] = value
    return values


def page_in(
    headers: Mapping[str, str], query: Iterable[tuple[str, str]], body: bytes, form: Form
) -> Page:
    """Return the page of a request; its headers are those of a record with the bytes of a page.

    Raises:
        BadRequest: its URL is none, or is given twice.
        InvalidPage: it has no URL, and a document needs one; or no bytes.
    """
    url = _url(headers, query)
    if not url and form is Form.JSON:
        why = f"a document has a URL: give it as ?{URL}= or in the header Url"
        raise InvalidPage(Reason.NO_URL, why)
    if not body or body.isspace():
        raise InvalidPage(Reason.EMPTY, f"a body of {len(body)} bytes")
    content_type = headers.get("Content-Type", "")
    tags = headers.get("X-Robots-Tag", "")
    return Page(url, body, content_type, headers.get("Fetched-At", ""), tags)


def why_no_page(content_type: str) -> str:
    """Return why a body of this type is none, as a hint; empty for all that may be one."""
    return _NO_PAGES.get(content_type.partition(";")[0].strip().lower(), "")


def _url(headers: Mapping[str, str], query: Iterable[tuple[str, str]]) -> str:
    given = {value for name, value in query if name == URL}
    if (in_header := headers.get("Url")) is not None:
        given.add(in_header)
    if len(given) > 1:
        raise BadRequest("url: given twice, and not the same")
    url = given.pop() if given else ""
    if url and not (is_url(url) and _is_text(url)):
        raise BadRequest("url: must be absolute, with its scheme")
    return url


def _is_text(text: str) -> bool:
    """Tell text from bytes that were no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
