"""Titles that are never closed."""

import pytest

from tests.trees.rows import kernel_rows, lexbor_rows
from winnow.models.document import Page
from winnow.models.page import blocks_of

TEXT = "The council met on Monday."


def text_of(body: bytes) -> str:
    return blocks_of(Page("https://example.invalid/", body, "text/html"), wanted="shown").text


@pytest.mark.parametrize(
    "head", ["<title>News of the day\n", "<TITLE id=a>News\r\n", "<title>News", "<title>\n"]
)
def test_text_is_found_when_the_title_before_it_is_left_open(head: str) -> None:
    assert TEXT in text_of(f"<html><head>{head}<body><p>{TEXT}</p></body></html>".encode())


@pytest.mark.parametrize(
    "body",
    [
        "<title>News</title><p>x",
        "<TITLE>News\n</TITLE><p>x",
        "<title>News\n</tItLe \n><p>x",
        "<p>x",
        "<svg><title>\n<p>x",
        "<titles>\n<p>x",
        "<title>all of it",
        "<!-- <title>News\n --><p>x",
        "<title>News</title><textarea>x\n",
    ],
)
def test_the_tree_follows_the_standard_when_every_title_is_closed(body: str) -> None:
    assert kernel_rows(body) == lexbor_rows(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<title>News\n<p>x", "<title>News</title>\n<p>x"),
        ("<title>News<p>x", "<title>News</title><p>x"),
        ("<title>a</title><title>b\n<p>x", "<title>a</title><title>b</title>\n<p>x"),
        # a second one stays open: looking to the end for each would take the square of their number
        ("<title>a\n<title>b\n", "<title>a</title>\n<title>b\n"),
    ],
)
def test_title_is_closed_at_the_end_of_its_line(body: str, expected: str) -> None:
    assert kernel_rows(body) == lexbor_rows(expected)
