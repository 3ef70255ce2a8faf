"""Records of the pages topic -> a page, a deletion or nothing, whatever a crawler has sent."""

import binascii
import re
from base64 import b64decode
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import msgspec

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.records import Incoming, UnreadValue
from winnow.streams.topics import MAX_PAGE_BYTES

MAX_URL_BYTES: Final = 8192  # what servers and proxies take, with room to spare
MAX_SHORT_TEXT: Final = 1024  # content type, time of the fetch

GONE: Final = frozenset({404, 410})

_OK: Final = range(200, 300)
_STATUSES: Final = range(100, 600)
_STATUS: Final = re.compile(rb"[0-9]{3}")
_JSON_TYPE: Final = b"application/json"
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\x00-\x1f\x7f]+")
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_NULL: Final = msgspec.Raw(b"null")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page to be cleaned.

    Attributes:
        meta: what the crawler says in JSON beside the page, not looked at yet; empty for nothing.
    """

    page: Page
    meta: bytes | msgspec.Raw = b""

    @property
    def url(self) -> str:
        """That of the page."""
        return self.page.url


@dataclass(frozen=True, slots=True)
class Deleted:
    """A page that is gone: a status of `GONE`, or no status but a null value under its key."""

    url: str
    status: int | None
    meta: bytes | msgspec.Raw = b""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An answer of the site's that is no page, and says nothing of the page of before."""

    url: str
    status: int
    meta: bytes | msgspec.Raw = b""


Arrival: TypeAlias = Fetched | Deleted | Skipped


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
    meta: msgspec.Raw = _NULL
    x_robots_tag: msgspec.Raw = _NULL

    def has(self, name: str) -> bool:
        """Return whether a member stands in the value and is not null."""
        return memoryview(getattr(self, name))[:5].tobytes() != b"null"


_MESSAGE: Final = msgspec.json.Decoder(_Message)
_TEXT: Final = msgspec.json.Decoder(str | None)
_NUMBER: Final = msgspec.json.Decoder(int | None)


def arrival_from(record: Incoming, max_page_bytes: int = MAX_PAGE_BYTES) -> Arrival:
    """Decode one record of the pages topic.

    JSON if the `content-type` header says so, or if there is none and the value begins with `{`;
    else the value is the page as it was fetched. The URL comes from the JSON, the `url` header
    or the key, whichever has one first; status and meta from the JSON or the header of that name.
    Of a page that is gone or skipped the body is not looked at.

    Raises:
        InvalidPage: TOMBSTONE, EMPTY, UNDECODABLE, NO_URL or TOO_LARGE.
    """
    value = record.value
    if isinstance(value, UnreadValue):
        raise InvalidPage(value.reason, value.why)
    if value is None:
        return _tombstone(record)
    is_blank = not value or value.isspace()
    message = _message(value) if not is_blank and _is_json(record) else None
    status = _status(message, record)
    if is_blank and status in _OK:
        raise InvalidPage(Reason.EMPTY, f"a value of {len(value)} bytes")
    url = _url_of(message, record)
    meta = _meta(message, record)
    if status in GONE:
        return Deleted(url, status, meta)
    if status not in _OK:
        return Skipped(url, status, meta)
    page = _page_from_json(url, message, record) if message else _page_from_bytes(url, record)
    if len(page.body) > max_page_bytes:
        raise InvalidPage(Reason.TOO_LARGE, f"{len(page.body)} bytes, limit {max_page_bytes}")
    if not page.body or page.body.isspace():
        raise InvalidPage(Reason.EMPTY, f"a body of {len(page.body)} bytes")
    return Fetched(page, meta)


def _tombstone(record: Incoming) -> Deleted:
    if record.key is None:
        raise InvalidPage(Reason.TOMBSTONE, "no key: nothing says which page is gone")
    return Deleted(_url_of(None, record), None, _meta(None, record))


def _is_json(record: Incoming) -> bool:
    declared = record.header("content-type")
    if declared is not None:
        media_type = declared.split(b";", 1)[0].strip().lower()
        return media_type == _JSON_TYPE or media_type.endswith(b"+json")
    return (record.value or b"").removeprefix(_UTF8_BOM).lstrip()[:1] == b"{"


def _status(message: _Message | None, record: Incoming) -> int:
    """Return the status of the answer that the page is, 200 when nothing says one."""
    status: int | None = None
    if message and message.has("status"):
        status = _decoded(_NUMBER, message, "status", "whole number")
    elif raw := (record.header("status") or b"").strip():
        status = int(raw) if _STATUS.fullmatch(raw) else 0
    if status is None:
        return _OK.start
    if status not in _STATUSES:
        raise InvalidPage(Reason.UNDECODABLE, "status is no whole number from 100 to 599")
    return status


def _url_of(message: _Message | None, record: Incoming) -> str:
    stated = _string(message, "url", MAX_URL_BYTES) if message else ""
    return _first_url(stated, _text(record.header("url")), _text(record.key))


def _meta(message: _Message | None, record: Incoming) -> bytes | msgspec.Raw:
    return message.meta if message and message.has("meta") else record.header("meta") or b""


def _page_from_bytes(url: str, record: Incoming) -> Page:
    return Page(
        url=url,
        body=record.value or b"",
        content_type=_text(record.header("content-type")),
        fetched_at=_text(record.header("fetched-at")),
        robots_tag=_text(record.header("x-robots-tag")),
    )


def _page_from_json(url: str, message: _Message, record: Incoming) -> Page:
    content_type = _string(message, "content_type", MAX_SHORT_TEXT)
    if message.has("html") == message.has("body_base64"):
        raise InvalidPage(Reason.UNDECODABLE, "needs one of html and body_base64")
    if message.has("html"):
        body = _string(message, "html", None).encode()
        # the text was decoded by the crawler: whatever charset it declares, here it is UTF-8
        content_type = f"{content_type.split(';', 1)[0].strip() or 'text/html'}; charset=utf-8"
    else:
        body = _base64(_string(message, "body_base64", None))
    return Page(
        url,
        body,
        content_type,
        _string(message, "fetched_at", MAX_SHORT_TEXT),
        _string(message, "x_robots_tag", MAX_SHORT_TEXT) or _text(record.header("x-robots-tag")),
    )


def stated_meta(record: Incoming) -> bytes | msgspec.Raw:
    """Return the meta of a record, whatever else is wrong with it; empty if there is none."""
    try:
        message = _message(record.value) if record.value and _is_json(record) else None
    except InvalidPage:
        message = None
    return _meta(message, record)


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
