"""An archived HTTP response -> its page."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.pages import is_url
from winnow.worker.batch.archives.bodies import Coding, unpacked_body
from winnow.worker.batch.archives.entries import Mended, PageOf, Response, Skipped, WarcRecord

MAX_HEADER_BYTES: Final = 1 << 16
MAX_INTERIM: Final = 8  # interim responses before the final one, in one record
HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
XML_TYPES: Final = frozenset({"text/xml", "application/xml"})  # of XHTML, feeds and others

# `HTTP/2 200`, `HTTP/1.1 200OK`, and `ICY 200 OK` too, as browsers and curl read them
_STATUS_LINE: Final = re.compile(
    rb"(?:HTTP(?:/\d{1,3}(?:\.\d{1,3})?)?|ICY)[ \t]+(\d{3})(?!\d)", re.IGNORECASE
)
_PLAIN_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? \d{3}(?= |\r?\n)")
_TUNNEL: Final = re.compile(rb"[ \t]+connection established\b", re.IGNORECASE)  # of a proxy
_END_OF_HEADERS: Final = re.compile(rb"\r*\n\r*\n|\r\r")
_MIME_TYPE: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNKNOWN_TYPES: Final = frozenset({"*/*", "unknown/unknown", "application/unknown"})
_NO_TYPES: Final = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_OPENING_BYTES: Final = 4096
_XHTML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<[?][^>]*>|<!--.*?-->)*+<(?:!doctype\s+)?html\b",
    re.IGNORECASE | re.DOTALL,
)
_AUTHORITY: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]+")


class Headers:
    """HTTP fields by their names in lower case; non-ASCII bytes are read as Latin-1."""

    def __init__(self, lines: list[bytes]) -> None:
        """Read fields, one per line; other lines are skipped."""
        fields: dict[str, list[list[str]]] = {}
        folded: list[str] | None = None  # the lines of the last field
        for line in lines:
            text = line.decode("latin-1")
            if text[:1] in {" ", "\t"} and folded:
                folded.append(text.strip())
            elif ":" in text:
                name, _, value = text.partition(":")
                folded = [value.strip()]
                fields.setdefault(name.strip().lower(), []).append(folded)
        self._fields: dict[str, list[str]] = {
            name: [" ".join(parts) for parts in values] for name, values in fields.items()
        }

    def content_type(self) -> tuple[str, bool]:
        """Return the content type that browsers use, and whether there were several.

        The last valid one is used. Without a charset it takes the charset of an earlier, equal one
        (Fetch standard, "extract a MIME type").
        """
        values = ",".join(self._fields.get("content-type", []))
        found = [value.strip() for value in _elements(values) if _is_type(value)]
        if not found:
            return "", False
        last = found[-1]
        equal = [value for value in found if _essence(value) == _essence(last)]
        if "charset=" not in last.lower():
            last = next((value for value in equal[::-1] if "charset=" in value.lower()), last)
        return last, len(found) > 1

    def tokens(self, name: str) -> list[str]:
        """Return the elements of a list field, in lower case."""
        values = ",".join(self._fields.get(name, []))
        return [token.strip().lower() for token in values.split(",") if token.strip()]


def _elements(values: str) -> Iterator[str]:
    """Yield the parts between commas that are not in quotation marks."""
    element: list[str] = []
    is_quoted = False
    for part in values.split(","):
        element.append(part)
        is_quoted ^= part.count('"') % 2 == 1
        if not is_quoted:
            yield ",".join(element)
            element = []
    yield ",".join(element)


def _is_type(value: str) -> bool:
    return bool(_MIME_TYPE.fullmatch(_essence(value))) and _essence(value) not in _UNKNOWN_TYPES


def _essence(value: str) -> str:
    return value.split(";", 1)[0].strip().lower()


def page_of(response: Response, max_page_bytes: int) -> PageOf | Skipped:
    """Return the page of an HTML response.

    Raises:
        InvalidPage: NO_URL, UNDECODABLE or TOO_LARGE.
    """
    mended = {Mended.WARC_FIELDS} if response.is_mended else set[Mended]()
    if response.resource_type:
        return _page(response.record, response.body, response.resource_type, mended)
    if not _STATUS_LINE.match(response.head) and is_html(response.block_type, b""):
        mended.add(Mended.HTTP_HEADERS)
        return _page(response.record, response.head + response.body, response.block_type, mended)
    head, body = _final(response, mended)
    if (skipped := _status(head, response.record.target_uri)) is not None:
        return skipped
    if not _PLAIN_STATUS.match(head) or _has_odd_lines(head):
        mended.add(Mended.HTTP_HEADERS)
    headers = Headers(_lines(head)[1:])
    content_type, is_several = headers.content_type()
    mended |= {Mended.CONTENT_TYPE} if is_several else set()
    if _essence(content_type) in _NO_TYPES and is_html(response.identified_type, b""):
        content_type = response.identified_type
    if content_type and _essence(content_type) not in HTML_TYPES | XML_TYPES:
        return Skipped.CONTENT_TYPE
    coding = Coding(
        headers.tokens("content-encoding"),
        headers.tokens("transfer-encoding"),
        is_cut=bool(response.record.truncated),
    )
    body = unpacked_body(coding, body, max_page_bytes, mended)
    if not is_html(content_type, body):
        return Skipped.CONTENT_TYPE
    return _page(response.record, body, content_type, mended)


def _status(head: bytes, uri: str) -> Skipped | None:
    """Return why a response is skipped because of its head; None if it is not skipped."""
    status = _STATUS_LINE.match(head)
    if status is None:
        if uri.lower().startswith(("http:", "https:")):
            raise InvalidPage(Reason.UNDECODABLE, "a response without an HTTP status line")
        return Skipped.NOT_HTTP
    if not 200 <= int(status[1]) <= 299:  # noqa: PLR2004 - of HTTP
        return Skipped.STATUS
    if len(head) > MAX_HEADER_BYTES or not _END_OF_HEADERS.search(head, max(len(head) - 8, 0)):
        raise InvalidPage(
            Reason.UNDECODABLE, f"HTTP headers without an end in {MAX_HEADER_BYTES} bytes"
        )
    return None


def _page(record: WarcRecord, body: bytes, content_type: str, mended: set[Mended]) -> PageOf:
    url = record.target_uri
    if not is_url(url) and (authority := _AUTHORITY.match(url)):
        url = authority[0] + quote(url[authority.end() :], safe=_URL_SIGNS)
        mended.add(Mended.TARGET_URI)
    if not is_url(url):
        raise InvalidPage(Reason.NO_URL, "WARC-Target-URI is not an absolute URL")
    page = Page(url, body, content_type, record.date)
    return PageOf(page, record, mended=frozenset(mended))


_URL_SIGNS: Final = "!#$%&'()*+,/:;=?@[]~|{}^`\\\"<>"  # only white space and controls are escaped


def _final(response: Response, mended: set[Mended]) -> tuple[bytes, bytes]:
    """Return head and body of the final response, after interim ones."""
    head, body = response.head, response.body
    for _ in range(MAX_INTERIM):
        status = _STATUS_LINE.match(head)
        is_interim = status is not None and status[1] in {b"100", b"102", b"103"}
        is_tunnel = status is not None and bool(_TUNNEL.match(head, status.end()))
        is_more = bool(_STATUS_LINE.match(body))
        if not is_interim and not (is_more and (is_tunnel or not head.strip(b"\r\n"))):
            break
        mended.add(Mended.INTERIM if is_interim or is_tunnel else Mended.HTTP_HEADERS)
        end = _END_OF_HEADERS.search(body, 0, MAX_HEADER_BYTES)
        if end is None:
            break
        head, body = body[: end.end()], body[end.end() :]
    return head, body


def _lines(head: bytes) -> list[bytes]:
    if b"\n" not in head:
        return head.split(b"\r")
    return [line.rstrip(b"\r") for line in head.split(b"\n")]


def _has_odd_lines(head: bytes) -> bool:
    """Whether a line does not end in CR LF."""
    return head.count(b"\n") != head.count(b"\r\n") or b"\n" not in head


def is_html(content_type: str, body: bytes) -> bool:
    """Whether a body is HTML, by its content type or otherwise by its first bytes."""
    essence = _essence(content_type)
    if essence in HTML_TYPES:
        return True
    if essence and essence not in XML_TYPES:
        return False
    begins = body[:_OPENING_BYTES].lstrip()
    is_tag = not essence and begins[:1] == b"<" and not begins.startswith(b"<?xml")
    return is_tag or _XHTML.match(begins) is not None
