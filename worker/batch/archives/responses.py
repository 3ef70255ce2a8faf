"""A response of HTTP, as an archive keeps it -> the page in it."""

import re
from collections.abc import Iterator
from typing import Final

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.pages import is_url
from winnow.worker.batch.archives.entries import PageOf, Response, Skipped
from winnow.worker.batch.archives.unpacking import MAGIC, DamagedPacking, Packing, unpack_bounded

MAX_HEADER_BYTES: Final = 1 << 16
MAX_PACKINGS: Final = 4  # of one body, one in the other: more is no server's doing
HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})

_STATUS_LINE: Final = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})(?= |\r?\n|\r?\Z)")
_CHUNK_SIZE: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
_ALIASES: Final = {"x-gzip": Packing.GZIP}


class Headers:
    """Fields of HTTP by their names in lower case; bytes that are no ASCII are Latin-1."""

    def __init__(self, lines: list[bytes]) -> None:
        """Read fields, one a line; what is none is passed over."""
        fields: dict[str, list[list[str]]] = {}
        folded: list[str] | None = None  # the lines of the last field
        for line in lines:
            text = line.decode("latin-1").rstrip("\r")
            if text[:1] in {" ", "\t"} and folded:
                folded.append(text.strip())
            elif ":" in text:
                name, _, value = text.partition(":")
                folded = [value.strip()]
                fields.setdefault(name.strip().lower(), []).append(folded)
        self._fields: dict[str, list[str]] = {
            name: [" ".join(parts) for parts in values] for name, values in fields.items()
        }

    def first(self, name: str) -> str:
        """Return the first value of a field, empty without one."""
        return self._fields.get(name, [""])[0]

    def tokens(self, name: str) -> list[str]:
        """Return the elements of a field that is a list, in lower case."""
        values = ",".join(self._fields.get(name, []))
        return [token.strip().lower() for token in values.split(",") if token.strip()]


def page_of(response: Response, max_page_bytes: int) -> PageOf | Skipped:
    """Return the page of a response with HTML.

    Raises:
        InvalidPage: NO_URL, UNDECODABLE or TOO_LARGE.
    """
    begin = _STATUS_LINE.match(response.head)
    if begin is None:
        if response.record.target_uri.lower().startswith(("http:", "https:")):
            raise InvalidPage(Reason.UNDECODABLE, "a response without a status line of HTTP")
        return Skipped.NOT_HTTP
    if not 200 <= int(begin[1]) <= 299:  # noqa: PLR2004 - of HTTP
        return Skipped.STATUS
    if not response.head.endswith((b"\n\r\n", b"\n\n")) or len(response.head) > MAX_HEADER_BYTES:
        raise InvalidPage(
            Reason.UNDECODABLE, f"headers of HTTP without an end in {MAX_HEADER_BYTES} bytes"
        )
    headers = Headers(response.head.split(b"\n")[1:-2])
    body = response.body
    content_type = headers.first("content-type")
    if not is_html(content_type, body):
        return Skipped.CONTENT_TYPE
    record = response.record
    if not is_url(record.target_uri):
        raise InvalidPage(Reason.NO_URL, "WARC-Target-URI is no absolute URL")
    body = unpacked_body(headers, body, max_page_bytes, is_cut=bool(record.truncated))
    return PageOf(Page(record.target_uri, body, content_type, record.date), record)


def is_html(content_type: str, body: bytes) -> bool:
    """Whether a body is HTML, by what is said of it or else by its beginning."""
    if content_type:
        return content_type.split(";", 1)[0].strip().lower() in HTML_TYPES
    return body.lstrip()[:1] == b"<" and not body.lstrip().startswith(b"<?xml")


def unpacked_body(headers: Headers, body: bytes, max_bytes: int, *, is_cut: bool) -> bytes:
    """Undo transfer and content encodings; of a body that was cut on purpose what is there."""
    packings = headers.tokens("content-encoding")
    packings += [name for name in headers.tokens("transfer-encoding") if name != "chunked"]
    if "chunked" in headers.tokens("transfer-encoding"):
        body = _joined(body, is_cut=is_cut)
    if len(packings) > MAX_PACKINGS:
        raise InvalidPage(Reason.UNDECODABLE, f"a body that is packed {len(packings)} times")
    for name in reversed(packings):
        body = _unpacked_once(body, name, max_bytes, is_cut=is_cut)
    return body


def _unpacked_once(body: bytes, name: str, max_bytes: int, *, is_cut: bool) -> bytes:
    if name == "identity" or not body:
        return body
    packing = _ALIASES.get(name) or next((each for each in Packing if each == name), None)
    if packing is None:
        raise InvalidPage(Reason.UNDECODABLE, f"content encoding {name[:40]!r} is not known")
    if packing in MAGIC and not body.startswith(MAGIC[packing]):
        return body  # the crawler unpacked it, and left the header as it was
    try:
        unpacked = unpack_bounded(body, packing, max_bytes)
    except DamagedPacking as error:
        if body.lstrip()[:1] == b"<":  # the same, for packings without a magic number
            return body
        if not is_cut:
            raise InvalidPage(Reason.UNDECODABLE, f"a body in {packing}: {error.args[0]}") from None
        unpacked = error.args[1]
    if len(unpacked) > max_bytes:
        raise InvalidPage(Reason.TOO_LARGE, f"{packing} of more than {max_bytes} bytes")
    return unpacked


def _joined(body: bytes, *, is_cut: bool) -> bytes:
    """Return the chunks of a body as one."""
    if not _CHUNK_SIZE.match(body):
        return body  # the crawler joined them, and left the header as it was
    joined = bytearray()  # a list of chunks would need a hundred times the bytes of small ones
    for chunk in _chunks(body, is_cut=is_cut):
        joined += chunk
    return bytes(joined)


def _chunks(body: bytes, *, is_cut: bool) -> Iterator[memoryview]:
    view = memoryview(body)
    start = 0
    while size := _CHUNK_SIZE.match(body, start):
        length = int(size[1], 16)
        if not length:
            return
        chunk = view[size.end() : size.end() + length]
        yield chunk
        if len(chunk) < length:
            break
        start = size.end() + length
        start += 2 if body[start : start + 2] == b"\r\n" else body[start : start + 1] == b"\n"
    if not is_cut:
        raise InvalidPage(
            Reason.UNDECODABLE, f"a chunked body is cut short or damaged at byte {start}"
        )
