"""Titles that are never closed."""

import pytest

from models._kernel import prepare as prepare_body
from models.document import Page
from models.page import DEFAULT_LIMITS, cut, parse, prepare
from models.page.titles import with_title_closed

TEXT = "The council met on Monday."


def text_of(body: bytes) -> str:
    prepared = prepare(Page("https://example.invalid/", body, "text/html"))
    return cut(prepared, parse(prepared)).text


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
        b"",
    ],
)
def test_page_stays_as_it_is_when_no_title_is_left_open(body: bytes) -> None:
    assert with_title_closed(body) is None


def test_title_is_closed_at_the_end_of_its_line() -> None:
    assert with_title_closed(b"<title>News\n<p>x") == b"<title>News</title>\n<p>x"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<title>News\n<p>x", True),
        (b"<title>News</title>\n<p>x", False),
        (b"<svg><title>News\n</svg><p>x", False),
        (b"<!-- <title>News --><p>x", False),
        (b"<title>News</title><textarea>x", False),
    ],
)
def test_a_title_left_open_is_noticed_while_the_page_is_checked(
    body: bytes, expected: bool
) -> None:
    prepared = prepare_body(body, "text/html", "", DEFAULT_LIMITS)

    assert prepared.leaves_title_open is expected
