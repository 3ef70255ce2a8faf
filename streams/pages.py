"""Records of the pages topic -> a page, a deletion or nothing, for any input."""

import re
from base64 import b64decode
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import msgspec

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.records import Incoming, UnreadValue
from winnow.streams.topics import MAX_PAGE_BYTES

MAX_URL_BYTES: Final = 8192  # more than common servers and proxies accept
MAX_SHORT_TEXT: Final = 1024  # content type, time of the fetch

GONE: Final = frozenset({404, 410})

_OK: Final = range(200, 300)
_STATUSES: Final = range(100, 600)
_STATUS: Final = re.compile(rb"[0-9]{3}")
_JSON_TYPE: Final = b"application/json"
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\x00-\x1f\x7f]+")
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_NULL: Final = msgspec.Raw(b"null")
_OF_URLS: Final = str.maketrans("-_", "+/")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page to be cleaned.

    Attributes:
        meta: the crawler's JSON metadata, still unparsed; empty if there is none.
    """

    page: Page
    meta: bytes | msgspec.Raw = b""

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.page.url


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deleted page: a status in `GONE`, or no status and a null value under its key."""

    url: str
    status: int | None
    meta: bytes | msgspec.Raw = b""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An answer that is not a page; the earlier version of the page stays valid."""

    url: str
    status: int
    meta: bytes | msgspec.Raw = b""


Arrival: TypeAlias = Fetched | Deleted | Skipped


class _Message(msgspec.Struct):
    """The members that are read, undecoded; other members are skipped without building objects.

    A member may be anything, so each is decoded only where it is needed and only as its own type: a
    list of a million lists in its place costs nothing.
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
        """Return whether the value has the member and it is not null."""
        return memoryview(getattr(self, name))[:5].tobytes() != b"null"


_MESSAGE: Final = msgspec.json.Decoder(_Message)
_TEXT: Final = msgspec.json.Decoder(str | None)
_NUMBER: Final = msgspec.json.Decoder(int | None)


def arrival_from(record: Incoming, max_page_bytes: int = MAX_PAGE_BYTES) -> Arrival:
    """Decode one record of the pages topic.

    The value is JSON if the `content-type` header says so, or if there is no such header and the
    value begins with `{`; otherwise it is the page as it was fetched. The URL comes from the JSON,
    the `url` header or the key, in this order; status and meta from the JSON or the header of that
    name. The body of a deleted or skipped page is not read.

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
        raise InvalidPage(Reason.EMPTY, f"the value has {len(value)} bytes")
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
        raise InvalidPage(Reason.EMPTY, f"the body has {len(page.body)} bytes")
    return Fetched(page, meta)


def _tombstone(record: Incoming) -> Deleted:
    if record.key is None:
        raise InvalidPage(Reason.TOMBSTONE, "no key: cannot tell which page is deleted")
    return Deleted(_url_of(None, record), None, _meta(None, record))


def _is_json(record: Incoming) -> bool:
    declared = record.header("content-type")
    if declared is not None:
        media_type = declared.split(b";", 1)[0].strip().lower()
        return media_type == _JSON_TYPE or media_type.endswith(b"+json")
    return (record.value or b"").removeprefix(_UTF8_BOM).lstrip()[:1] == b"{"


def _status(message: _Message | None, record: Incoming) -> int:
    """Return the status of the answer, 200 when none is given."""
    status: int | None = None
    if message and message.has("status"):
        status = _decoded(_NUMBER, message, "status", "an integer")
    elif raw := (record.header("status") or b"").strip():
        status = int(raw) if _STATUS.fullmatch(raw) else 0
    if status is None:
        return _OK.start
    if status not in _STATUSES:
        raise InvalidPage(Reason.UNDECODABLE, "status must be an integer from 100 to 599")
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
        raise InvalidPage(Reason.UNDECODABLE, "needs either html or body_base64")
    if message.has("html"):
        body = _string(message, "html", None).encode()
        # the crawler has decoded the text: any declared charset is ignored, it is UTF-8 here
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
    """Return the meta of a record even if the rest is invalid; empty if there is none."""
    try:
        message = _message(record.value) if record.value and _is_json(record) else None
    except InvalidPage:
        message = None
    return _meta(message, record)


def stated_url(value: bytes) -> str:
    """Return the URL in a message even if the rest is invalid; empty if there is none."""
    try:
        return _string(_message(value), "url", MAX_URL_BYTES)
    except InvalidPage:
        return ""


def _message(value: bytes) -> _Message:
    try:
        return _MESSAGE.decode(value.removeprefix(_UTF8_BOM))
    except msgspec.ValidationError:
        raise InvalidPage(Reason.UNDECODABLE, "expected a JSON object") from None
    except msgspec.DecodeError as error:
        # the error text gives the problem and its byte offset; it never quotes the page
        raise InvalidPage(Reason.UNDECODABLE, f"invalid JSON: {error}") from None
    except RecursionError:
        raise InvalidPage(Reason.UNDECODABLE, "the JSON is nested too deep") from None


def _string(message: _Message, name: str, limit: int | None) -> str:
    value = _decoded(_TEXT, message, name, "a string") or ""
    if limit is not None and len(value) > limit:
        raise InvalidPage(Reason.UNDECODABLE, f"{name} has {len(value)} characters, limit {limit}")
    return value


def _decoded(decoder: msgspec.json.Decoder[T], message: _Message, name: str, wanted: str) -> T:
    try:
        return decoder.decode(getattr(message, name))
    except msgspec.ValidationError:
        raise InvalidPage(Reason.UNDECODABLE, f"{name} must be {wanted}") from None
    except (msgspec.DecodeError, ValueError):  # not UTF-8, half a surrogate pair, too many digits
        raise InvalidPage(Reason.UNDECODABLE, f"{name} cannot be decoded") from None


def _base64(encoded: str) -> bytes:
    try:
        return b64decode(encoded, validate=True)
    except ValueError:
        pass
    # encoders also write lines (MIME) and the alphabet for URLs; without padding it may be cut
    try:
        return b64decode("".join(encoded.split()).translate(_OF_URLS), validate=True)
    except ValueError:
        raise InvalidPage(Reason.UNDECODABLE, "body_base64 is not valid base64") from None


def _text(raw: bytes | None) -> str:
    """Return the text of a header or key; empty if it is too long or not UTF-8."""
    if raw is None or len(raw) > MAX_URL_BYTES:
        return ""
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return ""


def is_url(text: str) -> bool:
    """Return whether a text is a valid URL of a page: absolute, and of limited length."""
    return len(text) <= MAX_URL_BYTES and _URL.fullmatch(text) is not None


def _first_url(*candidates: str) -> str:
    for candidate in candidates:
        if is_url(candidate):
            return candidate
    raise InvalidPage(Reason.NO_URL, "no absolute URL in value, headers or key")
