"""Titles that are never closed."""

import pytest

from winnow.models.document import Page
from winnow.models.page import cut, parse, prepare

TEXT = "The council met on Monday."


def markup_of(body: bytes) -> bytes:
    return prepare(Page("https://example.invalid/", body, "text/html")).markup


def text_of(body: bytes) -> str:
    prepared = prepare(Page("https://example.invalid/", body, "text/html"))
    return cut(parse(prepared)).text


@pytest.mark.parametrize(
    "head", ["<title>News of the day\n", "<TITLE id=a>News\r\n", "<title>News", "<title>\n"]
)
def test_text_is_found_when_the_title_before_it_is_left_open(head: str) -> None:
    assert TEXT in text_of(f"<html><head>{head}<body><p>{TEXT}</p></body></html>".encode())


@pytest.mark.parametrize(
    "body",
    [
        b"<title>News</title><p>x",
        b"<TITLE>News\n</TITLE><p>x",
        b"<title>News\n</tItLe \n><p>x",
        b"<p>x",
        b"<svg><title>\n<p>x",
        b"<titles>\n<p>x",
        b"<title>all of it",
        b"<!-- <title>News\n --><p>x",
        b"<title>News</title><textarea>x\n",
    ],
)
def test_page_stays_as_it_is_when_no_title_is_left_open(body: bytes) -> None:
    assert markup_of(body) == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<title>News\n<p>x", b"<title>News</title>\n<p>x"),
        (b"<title>News<p>x", b"<title>News</title><p>x"),
        (b"<title>a</title><title>b\n<p>x", b"<title>a</title><title>b</title>\n<p>x"),
        # a second one stays open: looking to the end for each would take the square of their number
        (b"<title>a\n<title>b\n", b"<title>a</title>\n<title>b\n"),
    ],
)
def test_title_is_closed_at_the_end_of_its_line(body: bytes, expected: bytes) -> None:
    assert markup_of(body) == expected
