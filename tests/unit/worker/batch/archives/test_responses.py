"""Responses of HTTP as archives keep them, from all kinds of servers."""

import gzip
import re
import zlib

import brotli
import pytest
import zstandard

from tests.archives import DATE, PROSE
from winnow.models.errors import InvalidPage
from winnow.worker.batch.archives.entries import PageOf, Response, Skipped, WarcRecord
from winnow.worker.batch.archives.responses import page_of

BODY = f"<p>{PROSE}</p>".encode()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def a_response(block: bytes, truncated: str = "", uri: str = "https://a.invalid/") -> Response:
    record = WarcRecord("<urn:uuid:1>", DATE, uri, truncated=truncated)
    end = re.search(rb"\r?\n\r?\n", block)
    return (
        Response(record, block[: end.end()], block[end.end() :])
        if end
        else Response(record, block, b"")
    )


def body_of(block: bytes, truncated: str = "", max_page_bytes: int = 10_000) -> bytes:
    found = page_of(a_response(block, truncated), max_page_bytes)
    assert isinstance(found, PageOf)
    return found.page.body


def chunked(body: bytes) -> bytes:
    half = len(body) // 2
    parts = (body[:half], body[half:], b"")
    return b"".join(b"%x;x=y\r\n%s\r\n" % (len(part), part) for part in parts)


def test_a_page_has_the_url_date_and_content_type_of_its_record() -> None:
    found = page_of(
        a_response(b"HTTP/1.0 200\r\ncontent-type: Text/HTML;a=b\r\n\r\n" + BODY), 10_000
    )

    assert isinstance(found, PageOf)
    assert found.record is not None
    page = found.page
    assert (page.url, page.body) == ("https://a.invalid/", BODY)
    assert (page.content_type, page.fetched_at) == ("Text/HTML;a=b", DATE)


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>", Skipped.STATUS),
        (b"HTTP/1.1 304\r\n\r\n", Skipped.STATUS),
        (b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<p>", Skipped.CONTENT_TYPE),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n<p>", Skipped.CONTENT_TYPE),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.7", Skipped.CONTENT_TYPE),
        (b"HTTP/1.1 200 OK\r\n\r\n<?xml version='1.0'?><rss>", Skipped.CONTENT_TYPE),
    ],
)
def test_a_record_that_is_not_html_is_skipped(block: bytes, why: Skipped) -> None:
    assert page_of(a_response(block), 10_000) is why


def test_a_response_of_another_protocol_is_skipped() -> None:
    assert page_of(a_response(b"20261101\n192.0.2.1", uri="dns:a.invalid"), 100) is Skipped.NOT_HTTP


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_a_page_without_a_content_type_is_recognised_by_its_first_byte(end: bytes) -> None:
    assert body_of(b"HTTP/2 200" + end + b"Server: x" + end + end + b" <p>a") == b" <p>a"


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        (b"Content-Encoding: gzip", gzip.compress(BODY)),
        (b"Content-Encoding: x-gzip", gzip.compress(BODY)),
        (b"content-encoding: DEFLATE", zlib.compress(BODY)),
        (b"Content-Encoding: deflate", zlib.compress(BODY)[2:-4]),
        (b"Content-Encoding: br", brotli.compress(BODY)),
        (b"Content-Encoding: zstd", zstandard.compress(BODY)),
        (b"Content-Encoding: identity", BODY),
        (b"Content-Encoding: gzip, br", brotli.compress(gzip.compress(BODY))),
        (b"Transfer-Encoding: chunked", chunked(BODY)),
        (b"Transfer-Encoding: gzip, chunked", chunked(gzip.compress(BODY))),
        (b"Transfer-Encoding: chunked\r\nContent-Encoding: br", chunked(brotli.compress(BODY))),
        (b"Transfer-Encoding: chunked", BODY),  # crawlers undo it, and keep the header
        (b"Content-Encoding: gzip", BODY),
        (b"Content-Encoding: zstd", BODY),
        (b"Content-Encoding: br", BODY),
        (b"Content-Encoding: deflate", BODY),
        (b"Content-Encoding:\r\n gzip", gzip.compress(BODY)),
        (b"no field\r\n: x\r\n\xff\xfe: \xff", BODY),
    ],
)
def test_encodings_are_undone(fields: bytes, body: bytes) -> None:
    assert body_of(OK + fields + b"\r\n\r\n" + body) == BODY


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (b"", "undecodable: a response without an HTTP status line"),
        (b"<html>", "undecodable: a response without an HTTP status line"),
        (OK, "undecodable: HTTP headers without an end"),
        (OK + b"x" * 100_000 + b"\r\n\r\n", "undecodable: HTTP headers without an end"),
        (OK + b"Content-Encoding: gzip,gzip,gzip,gzip,gzip\r\n\r\nx", "5 nested encodings"),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(BODY)[:9], "gzip: cut short"),
        (OK + b"Content-Encoding: zstd\r\n\r\n" + zstandard.compress(BODY)[:-9], "zstd: cut"),
        (OK + b"Content-Encoding: br\r\n\r\n" + b"\xff" * 9, "br: damaged"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\nzz\r\n", "body is damaged at byte"),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(99_999)), "too_large: gzip"),
    ],
)
def test_a_damaged_response_is_named(block: bytes, why: str) -> None:
    with pytest.raises(InvalidPage) as caught:
        page_of(a_response(block), 10_000)

    assert why in str(caught.value)


@pytest.mark.parametrize(
    "packed",
    [
        b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(BODY, 0)[:60],
        b"Transfer-Encoding: chunked\r\n\r\n" + chunked(BODY)[:60],
    ],
)
def test_a_page_that_the_crawler_cut_is_kept_as_far_as_it_goes(packed: bytes) -> None:
    body = body_of(OK + packed, truncated="length")

    assert body
    assert BODY.startswith(body)


def test_a_page_needs_a_url() -> None:
    with pytest.raises(InvalidPage, match="no_url: WARC-Target-URI"):
        page_of(a_response(OK + b"\r\n" + BODY, uri="http:// a.invalid/ b"), 100)
