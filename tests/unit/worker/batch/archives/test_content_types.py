"""Content types and codings of records, as headers name them and as bodies are."""

import gzip

import pytest

from tests.archives import PROSE, a_response, page_in, pages, plain
from winnow.worker.batch.archives.entries import Mended
from winnow.worker.batch.archives.responses import is_html

BODY = f"<p>{PROSE}</p>".encode()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
HTML_PAGE = f"<!DOCTYPE html><html><body><p>{PROSE}</p></body></html>".encode()
XHTML_PAGE = b"<?xml version='1.0'?>\n<!-- made by hand -->\n" + HTML_PAGE
FEED = b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>"


@pytest.mark.parametrize("kind", [b"unknown/unknown", b"application/unknown", b"*/*"])
def test_a_generic_type_is_replaced_by_the_type_of_the_body(kind: bytes) -> None:
    page = page_in(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n" + BODY)

    assert page.page.body == BODY


@pytest.mark.parametrize(
    "coding", [b"", b"Content-Encoding: deflate\r\n", b"Content-Encoding: br\r\n"]
)
def test_gzip_is_read_if_the_headers_name_another_coding_or_none(coding: bytes) -> None:
    page = page_in(OK + coding + b"\r\n" + gzip.compress(BODY))

    assert page.page.body == BODY
    assert page.mended == {Mended.CONTENT_ENCODING}


@pytest.mark.parametrize("kind", [b"text/xml", b"application/xml; charset=utf-8", b""])
def test_xhtml_is_read_by_its_first_bytes(kind: bytes) -> None:
    field = b"Content-Type: " + kind + b"\r\n" if kind else b""

    assert page_in(b"HTTP/1.1 200 OK\r\n" + field + b"\r\n" + XHTML_PAGE).page.body == XHTML_PAGE
    for other in (FEED, b"<?xml version='1.0'?><svg/>"):
        response = a_response(b"HTTP/1.1 200 OK\r\n" + field + b"\r\n" + other)
        assert pages(plain([response])) == []


@pytest.mark.parametrize("filler", [b" \n", b"<!-- -->", b"<?a?>"])
def test_what_comes_before_xhtml_is_passed_over_once(filler: bytes) -> None:
    before = b"<?xml version='1.0'?>" + filler * 400

    assert is_html("text/xml", before + b"<html>")
    # a pattern that tries every division of the filler would not come to an end
    assert not is_html("text/xml", before + b"<feed>")


@pytest.mark.parametrize(
    ("declared", "identified", "is_read"),
    [
        (b"application/octet-stream", b"text/html", True),
        (b"", b"application/xhtml+xml", True),
        (b"application/octet-stream", b"application/pdf", False),
        (b"application/json", b"text/html", False),
        (b"text/plain", b"text/html", False),
    ],
)
def test_the_type_that_the_crawler_found_replaces_a_missing_one(
    declared: bytes, identified: bytes, is_read: bool
) -> None:
    field = b"Content-Type: " + declared + b"\r\n" if declared else b""
    block = b"HTTP/1.1 200 OK\r\n" + field + b"\r\nplain text"
    named = b"WARC-Identified-Payload-Type: " + identified + b"\r\nWARC-Date"
    record = a_response(block).changed(b"WARC-Date", named)

    assert bool(pages(plain([record]))) == is_read


def test_a_response_that_was_stored_without_its_head_is_a_page() -> None:
    record = a_response(HTML_PAGE).changed(b"WARC-Date", b"Content-Type: text/html\r\nWARC-Date")

    (page,) = pages(plain([record]))

    assert page.page.body == HTML_PAGE
    assert page.mended == {Mended.HTTP_HEADERS}
