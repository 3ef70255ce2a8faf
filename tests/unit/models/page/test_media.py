"""What counts as a page."""

import pytest

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.page import decode

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF"


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (b"", "text/html", Reason.EMPTY),
        (b" \r\n\t ", "", Reason.EMPTY),
        (b"\xef\xbb\xbf", "text/html", Reason.EMPTY),
        (b"\xef\xbb\xbf\r\n ", "", Reason.EMPTY),
        ("\ufeff \n".encode("utf-16-le"), "", Reason.EMPTY),
        (b"%PDF-1.7 <html>", "text/html", Reason.NOT_HTML),
        (JPEG, "text/html", Reason.NOT_HTML),
        (b"\x89PNG\r\n\x1a\n", "", Reason.NOT_HTML),
        (b"PK\x03\x04", "", Reason.NOT_HTML),
        (b"\x1f\x8b\x08\x00", "text/html", Reason.NOT_HTML),
        (b"wOF2", "font/woff2", Reason.NOT_HTML),
        (b"GIF89a\x10\x00\x10\x00\x80\x00\x00", "image/gif", Reason.NOT_HTML),
        (b"RIFF\x24\x08\x00\x00WAVEfmt ", "audio/wav", Reason.NOT_HTML),
        (b"RIFF....WEBPVP8 ", "", Reason.NOT_HTML),
        (b"ID3\x04\x00\x00\x00\x00\x02\x01", "", Reason.NOT_HTML),
        (b"a" * 257 + b"ustar\x0000", "text/html", Reason.NOT_HTML),
        (b"a" * 257 + b"ustar  \x00", "text/html", Reason.NOT_HTML),
        (b"\x00\x00\x00\x20ftypisom", "", Reason.NOT_HTML),
        (b'{"a": 1}', "application/json", Reason.NOT_HTML),
        (b'{"a": 1}', "", Reason.NOT_HTML),
        (b"[1, 2]", "", Reason.NOT_HTML),
        (b"var x = 1;", "text/javascript", Reason.NOT_HTML),
        (b"p { color: red }", "text/css", Reason.NOT_HTML),
        (b"some text", "application/pdf", Reason.NOT_HTML),
        (b"\r\n\n %PDF-1.7\n", "text/html", Reason.NOT_HTML),
        (b"<?xml version='1.0'?><rss></rss>", "", Reason.NOT_HTML),
        (b"<feed></feed>", "application/atom+xml", Reason.NOT_HTML),
        (b"<?xml version='1.0'?><svg></svg>", "image/svg+xml", Reason.NOT_HTML),
        (b"\x00" * 100, "text/html", Reason.BINARY),
        (b"\x01" * 8, "text/html", Reason.BINARY),
        (b"<p>\x01\x02\x03\x04\x05\x06\x07\x08</p>", "text/html", Reason.BINARY),
        (b"\x0e\x0fs\x7f", "text/plain", Reason.BINARY),
        (b" \x1b\x1b\n", "text/html", Reason.EMPTY),
        (bytes(range(256)) * 8, "text/html", Reason.BINARY),
    ],
)
def test_decode_refuses_bytes_that_are_not_a_page(
    body: bytes, content_type: str, reason: Reason
) -> None:
    with pytest.raises(InvalidPage) as caught:
        decode(Page("", body, content_type))

    assert caught.value.reason is reason


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (b"filedesc://a.arc 0.0.0.0 20050314120000 text/plain 73\n1 0 Archive\n", "ARC archive"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n", "WARC archive"),
        (b" CDX N b a m s k r M S V g\n", "CDX index"),
        (b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n", "MHTML archive"),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n", "MHTML archive"),
        (b"PAR1\x15\x04", "Parquet file"),
        (b"bplist00\xd1", "property list"),
        (b'org,example)/a 20250503100000 {"url": "http://example.org/a"}\n', "CDX index"),
        (b"org,example)/ 20250503100000 http://example.org/ text/html 200 A - -\n", "CDX index"),
        (b"Return-Path: <ann@hive.invalid>\r\nSubject: Bees\r\n\r\n", "mail, not a page"),
        (b"Received: from a.invalid by b.invalid; Sat, 3 May 2025\r\n", "mail, not a page"),
        (b"Delivered-To: ann@hive.invalid\r\n", "mail, not a page"),
        (b"From ann@hive.invalid Sat May  3 10:00:00 2025\nSubject: Bees\n", "mailbox"),
        (b"From - Sat May  3 10:00:00 2025\n", "mailbox"),
    ],
)
def test_a_file_of_pages_or_an_index_is_not_read_as_one_page(begin: bytes, name: str) -> None:
    body = begin + b"<html><p>Bees</p></html>"
    with pytest.raises(InvalidPage, match=name) as caught:
        decode(Page("", body, "text/html"))

    assert caught.value.reason is Reason.NOT_HTML


@pytest.mark.parametrize(
    ("body", "content_type", "form"),
    [
        (b"<p>x", "", "html"),
        (b"<p>x", "text/html", "html"),
        (b"<p>a form\x00 in a short page", "text/html", "html"),
        (b"<p>\x1b[1mbold\x1b[0m", "text/html", "html"),
        (b"<p>x", "TEXT/HTML; charset=UTF-8", "html"),
        (b"<p>x", "nonsense", "html"),
        (b"<p>x", "application/rdf+xml", "html"),
        (b"[<i>x</i>]", "", "html"),
        (b"<p>x", "application/octet-stream", "html"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html/>", "application/xml", "html"),
        (b"<html xmlns='http://www.w3.org/1999/xhtml'/>", "application/xhtml+xml", "html"),
        (b"<!-- x --> <!DOCTYPE HTML><p>x", "application/pdf", "html"),
        (b"<!doctype html><p>x", "text/plain", "html"),
        (b"a <b> c", "text/plain", "text"),
        (b"just text", "text/html", "text"),
        (b"a < b, a & b", "", "text"),
        (b"caf&eacute;", "text/html", "html"),
        (b"{one, two}", "", "text"),
        (b"ID3 tags hold what a player shows of a song.", "text/plain", "text"),
        (b"RIFFLE shuffles mix a pack of cards.", "text/plain", "text"),
        (b"GIF89a is a format for pictures.", "text/plain", "text"),
        (b"From the sea came Saturday at 10:00 a ship.", "text/plain", "text"),
        (b"From Sat to Sun the pier is closed at 10:00.", "text/plain", "text"),
        (b"Received: one letter, which nobody had read.", "text/plain", "text"),
        (b"ship,year,length\nAnna,1911,31\n", "", "text"),
        (b"Call (555) 20250503100000 here.", "text/plain", "text"),
        (b"<h1>ftyp is a box of a film file", "text/html", "html"),
        (b"<html><!-- ".ljust(257) + b"ustar --><p>x", "text/html", "html"),
    ],
)
def test_decode_finds_the_form(body: bytes, content_type: str, form: str) -> None:
    source = decode(Page("", body, content_type))

    assert source.form == form


def test_a_refusal_quotes_a_content_type_in_part() -> None:
    content_type = "application/" + "x" * 87 + "é" * 5000

    with pytest.raises(InvalidPage) as caught:
        decode(Page("", b"abc", content_type))

    assert caught.value.detail == content_type[:100]


@pytest.mark.parametrize(
    ("controls", "text", "is_binary"),
    [
        (8, 73, False), (8, 71, True),  # up to eight: 1 in 10
        (20, 981, False), (20, 979, True),  # more: 1 in 50
    ],
)  # fmt: skip
def test_a_body_is_binary_by_its_share_of_control_characters(
    controls: int, text: int, *, is_binary: bool
) -> None:
    page = Page("", b"a" * text + b"\x01" * controls, "text/plain")

    if is_binary:
        with pytest.raises(InvalidPage) as caught:
            decode(page)
        assert caught.value.reason is Reason.BINARY
    else:
        decode(page)


def test_control_characters_count_in_the_first_64_kib_alone() -> None:
    decode(Page("", b"a " * (1 << 15) + b"\x01" * 5000, "text/plain"))
