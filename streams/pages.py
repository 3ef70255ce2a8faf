"""Records of the pages topic -> `Page`, whatever a crawler has put into them."""

import binascii
import re
from base64 import b64decode
from typing import Any, Final

import orjson

from models.document import Page
from models.errors import InvalidPage, Reason
from streams.records import Incoming, Withheld
from streams.topics import MAX_PAGE_BYTES

MAX_URL_BYTES: Final = 8192  # what servers and proxies take, with room to spare
MAX_SHORT_TEXT: Final = 1024  # content type, time of the fetch

_JSON_TYPE: Final = b"application/json"
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\x00-\x1f\x7f]+")
_UTF8_BOM: Final = b"\xef\xbb\xbf"


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
    try:
        fields = orjson.loads((record.value or b"").removeprefix(_UTF8_BOM))
    except orjson.JSONDecodeError as error:
        # never the text of the error: it may quote the page
        raise InvalidPage(Reason.UNDECODABLE, f"no JSON at character {error.pos}") from None
    if not isinstance(fields, dict):
        raise InvalidPage(Reason.UNDECODABLE, "JSON, but no object")
    url = _first_url(
        _string(fields, "url", MAX_URL_BYTES), _text(record.header("url")), _text(record.key)
    )
    content_type = _string(fields, "content_type", MAX_SHORT_TEXT)
    if (fields.get("html") is None) == (fields.get("body_base64") is None):
        raise InvalidPage(Reason.UNDECODABLE, "needs one of html and body_base64")
    if fields.get("html") is not None:
        body = _string(fields, "html", None).encode()
        # the text was decoded by the crawler: whatever charset it declares, here it is UTF-8
        content_type = f"{content_type.split(';', 1)[0].strip() or 'text/html'}; charset=utf-8"
    else:
        body = _base64(_string(fields, "body_base64", None))
    if not isinstance(fields.get("status") or 0, int):
        raise InvalidPage(Reason.UNDECODABLE, "status is no number")
    return Page(url, body, content_type, _string(fields, "fetched_at", MAX_SHORT_TEXT))


def _string(fields: dict[str, Any], name: str, limit: int | None) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidPage(Reason.UNDECODABLE, f"{name} is no string")
    if limit is not None and len(value) > limit:
        raise InvalidPage(Reason.UNDECODABLE, f"{name} has {len(value)} characters, limit {limit}")
    return value


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
