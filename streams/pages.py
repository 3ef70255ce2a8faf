"""Records of the pages topic -> `Page`, whatever a crawler has put into them."""

import binascii
import re
from base64 import b64decode
from typing import Final, TypeVar

import msgspec

from models.document import Page
from models.errors import InvalidPage, Reason
from streams.records import Incoming, Withheld
from streams.topics import MAX_PAGE_BYTES

MAX_URL_BYTES: Final = 8192  # what servers and proxies take, with room to spare
MAX_SHORT_TEXT: Final = 1024  # content type, time of the fetch

_JSON_TYPE: Final = b"application/json"
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\x00-\x1f\x7f]+")
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_NULL: Final = msgspec.Raw(b"null")

T = TypeVar("T")


class _Message(msgspec.Struct):
    """The members that are read, as they stand in the value; all others are passed over unbuilt.

    A member may be anything, so each is decoded only where it is wanted, and as nothing but what it
    has to be: a list of a million lists costs nothing in its place.
    """

    url: msgspec.Raw = _NULL
    html: msgspec.Raw = _NULL
    body_base64: msgspec.Raw = _NULL
    content_type: msgspec.Raw = _NULL
    status: msgspec.Raw = _NULL
    fetched_at: msgspec.Raw = _NULL

    def has(self, name: str) -> bool:
        """Return whether a member stands in the value and is not null."""
        return memoryview(getattr(self, name))[:5].tobytes() != b"null"


_MESSAGE: Final = msgspec.json.Decoder(_Message)
_TEXT: Final = msgspec.json.Decoder(str | None)
_NUMBER: Final = msgspec.json.Decoder(int | None)


def page_from(record: Incoming, max_page_bytes: int = MAX_PAGE_BYTES) -> Page:
    """Decode one record of the pages topic.

    JSON if the `content-type` header says so, or if there is none and the value begins with `{`;
    else the value is the page as it was fetched. The URL comes from the JSON, the `url` header
    or the key, whichever has one first.

    Raises:
        InvalidPage: TOMBSTONE, EMPTY, UNDECODABLE, NO_URL or TOO_LARGE.
    """
    if isinstance(record.value, Withheld):
        raise InvalidPage(record.value.reason, record.value.why)
    if record.value is None:
        raise InvalidPage(Reason.TOMBSTONE)
    if not record.value or record.value.isspace():
        raise InvalidPage(Reason.EMPTY, f"a value of {len(record.value)} bytes")
    page = _page_from_json(record) if _is_json(record) else _page_from_bytes(record)
    if len(page.body) > max_page_bytes:
        raise InvalidPage(Reason.TOO_LARGE, f"{len(page.body)} bytes, limit {max_page_bytes}")
    if not page.body or page.body.isspace():
        raise InvalidPage(Reason.EMPTY, f"a body of {len(page.body)} bytes")
    return page


def _is_json(record: Incoming) -> bool:
    declared = record.header("content-type")
    if declared is not None:
        media_type = declared.split(b";", 1)[0].strip().lower()
        return media_type == _JSON_TYPE or media_type.endswith(b"+json")
    return (record.value or b"").removeprefix(_UTF8_BOM).lstrip()[:1] == b"{"


def _page_from_bytes(record: Incoming) -> Page:
    return Page(
        url=_first_url(_text(record.header("url")), _text(record.key)),
        body=record.value or b"",
        content_type=_text(record.header("content-type")),
        fetched_at=_text(record.header("fetched-at")),
    )


def _page_from_json(record: Incoming) -> Page:
    message = _message(record.value or b"")
    url = _first_url(
        _string(message, "url", MAX_URL_BYTES), _text(record.header("url")), _text(record.key)
    )
    content_type = _string(message, "content_type", MAX_SHORT_TEXT)
    if message.has("html") == message.has("body_base64"):
        raise InvalidPage(Reason.UNDECODABLE, "needs one of html and body_base64")
    if message.has("html"):
        body = _string(message, "html", None).encode()
        # the text was decoded by the crawler: whatever charset it declares, here it is UTF-8
        content_type = f"{content_type.split(';', 1)[0].strip() or 'text/html'}; charset=utf-8"
    else:
        body = _base64(_string(message, "body_base64", None))
    _decoded(_NUMBER, message, "status", "whole number")
    return Page(url, body, content_type, _string(message, "fetched_at", MAX_SHORT_TEXT))


def stated_url(value: bytes) -> str:
    """Return the URL in a message, whatever else is wrong with it; empty if there is none."""
    try:
        return _string(_message(value), "url", MAX_URL_BYTES)
    except InvalidPage:
        return ""


def _message(value: bytes) -> _Message:
    try:
        return _MESSAGE.decode(value.removeprefix(_UTF8_BOM))
    except msgspec.ValidationError:
        raise InvalidPage(Reason.UNDECODABLE, "JSON, but no object") from None
    except msgspec.DecodeError as error:
        # the text of the error says what is wrong and at which byte; it never quotes the page
        raise InvalidPage(Reason.UNDECODABLE, f"no JSON: {error}") from None
    except RecursionError:
        raise InvalidPage(Reason.UNDECODABLE, "JSON that is nested too deep") from None


def _string(message: _Message, name: str, limit: int | None) -> str:
    value = _decoded(_TEXT, message, name, "string") or ""
    if limit is not None and len(value) > limit:
        raise InvalidPage(Reason.UNDECODABLE, f"{name} has {len(value)} characters, limit {limit}")
    return value


def _decoded(decoder: msgspec.json.Decoder[T], message: _Message, name: str, wanted: str) -> T:
    try:
        return decoder.decode(getattr(message, name))
    except msgspec.ValidationError:
        raise InvalidPage(Reason.UNDECODABLE, f"{name} is no {wanted}") from None
    except (msgspec.DecodeError, ValueError):  # no UTF-8, half a surrogate pair, too many digits
        raise InvalidPage(Reason.UNDECODABLE, f"{name} cannot be decoded") from None


def _base64(encoded: str) -> bytes:
    try:
        return b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidPage(Reason.UNDECODABLE, "body_base64 is no base64") from None


def _text(raw: bytes | None) -> str:
    """Return the text of a header or key; what is no short UTF-8 text says nothing."""
    if raw is None or len(raw) > MAX_URL_BYTES:
        return ""
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return ""


def is_url(text: str) -> bool:
    """Say whether a text is a URL that a page may have: absolute, and of bounded length."""
    return len(text) <= MAX_URL_BYTES and _URL.fullmatch(text) is not None


def _first_url(*candidates: str) -> str:
    for candidate in candidates:
        if is_url(candidate):
            return candidate
    raise InvalidPage(Reason.NO_URL, "no absolute URL in value, headers or key")
