"""Limits of pages: hostile ones are refused or read in linear time, ordinary ones stay below."""

import time
from contextlib import suppress

import pytest

from tests.hostile_pages import HOSTILE
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.page import DEFAULT_LIMITS, Limits, blocks_of, tree_of

# the bound of a hostile megabyte, end to end; a factor of two over what the slowest one takes
MAX_CPU_S = 0.5


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_blocks_of_answers_within_its_time_when_a_page_is_hostile(body: bytes) -> None:
    started = time.thread_time()
    with suppress(InvalidPage):
        blocks_of(Page("", body, "text/html"))

    assert time.thread_time() - started < MAX_CPU_S


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<div>" * 513, Reason.TOO_DEEP),
        ("<template><p></p><tr>" + "<form>" * 513, Reason.TOO_DEEP),
        ("<br>" * 1_000_000, Reason.TOO_MANY_NODES),
        ("<p>" + "x" * DEFAULT_LIMITS.page_bytes, Reason.TOO_LARGE),
    ],
)
def test_a_page_beyond_a_limit_is_refused(markup: str, reason: Reason) -> None:
    with pytest.raises(InvalidPage) as caught:
        blocks_of(Page("", markup.encode(), "text/html"))

    assert caught.value.reason is reason
    assert caught.value.detail.startswith("more than ")


@pytest.mark.parametrize(
    "markup",
    [
        "<p " + "a " * 200_000 + ">x",
        "<p " + " ".join(f"a{n}=b" for n in range(50_000)) + ">x",
        "".join(f"<p data-{n}>" for n in range(50_000)) + "x",
        "".join(f"<x-{n}></x-{n}>" for n in range(50_000)) + "x",
        "".join(f"<html a{n}><body b{n}>" for n in range(20_000)) + "x",
    ],
    ids=["attributes", "names of attributes", "attributes of all tags", "elements", "merged"],
)
def test_any_number_of_attributes_and_names_is_read(markup: str) -> None:
    started = time.thread_time()

    assert blocks_of(Page("", markup.encode(), "text/html")).text == "x\n"

    assert time.thread_time() - started < MAX_CPU_S


@pytest.mark.parametrize(
    "markup",
    [
        "<p>x" * 2000,
        "<ul>" + "<li>x" * 2000,
        "<dl>" + "<dt>x<dd>y" * 2000,
        "<table>" + "<tr><td>x<td>y" * 2000,
        "<select>" + "<option>x" * 2000,
        "<img><br><hr><input><wbr>" * 2000,
        "<div/></div>" * 2000,
        "<table><tr><td><font size=2>x</table>" * 2000,
        "<p><b>x</b></i>" * 2000,
        "<p><a href=1>x<a href=2>y" * 2000,
        "<svg><path/><g/></svg>" * 2000,
        "<script>document.write('<div>')</script>" * 2000,
        "<!-- <div> --><style>a { content: '<div>' }</style><textarea><div></textarea>" * 2000,
        "<h1>a<h2>b" * 2000,
        "<form><input>" * 2000,
        "<table><tr><td>x</tr></table></td>" * 2000,
    ],
)
def test_elements_that_end_by_themselves_add_no_depth(markup: str) -> None:
    tree_of(markup, Limits(depth=11))


GROWING = {
    "ignored start tags": "<p>" + "<td k=value>some text " * 20_000,
    "ignored end tags": "<p>" + "</hr k=value>some text " * 20_000,
    "ignored form tags": "<form>" + "<form k=value>some text " * 20_000,
    "text before tables": "<table>" + "<!--c-->some text " * 20_000,
    "text before tables, from rows": "<table>" + "<tr k=value>some text " * 20_000,
    "text before tables, from forms": "<table>" + "<form k=value>some text " * 20_000,
    "text before tables, next to cells": "<table>" + "<td>x</td>some text " * 20_000,
    "text before tables, next to columns": "<table><tr><td>" + "<col>\nsome text " * 20_000,
    "long text before a table": "x" * 300_000 + "<table>" + "<!--c-->x" * 20_000,
    "comments after the body": "<p>x" + "</body><!--c-->some text " * 20_000,
    "end tags in templates": "<template>" + "</p k=value>some text " * 20_000,
    "text in svg": "<svg>" + "</hr k=value>some text " * 20_000,
    "blanks between frames": "<frameset>" + (" " * 10 + "<br k=value>") * 20_000,
    "blanks in texts between frames": "<frameset></frameset>" + "<dt>t<p>some text " * 20_000,
    "blanks between frames, after raw text": "<frameset><style>"
    + (" " * 10 + "<br k=value>") * 20_000,
    "framesets in tables": "<p>x<table>" + "<frameset k=value>some text\n<col>" * 20_000,
    "parts of tables in templates": "<template>"
    + "<frame>x&amp;some text<caption k=value>" * 20_000,
    "blanks in rows": "<table><tr>" + (" " * 10 + "<input k=value>") * 20_000,
    "doctypes": "<p>" + "some text <!doctype x></p-p k=value>" * 20_000,
}


@pytest.mark.parametrize("markup", GROWING.values(), ids=GROWING)
def test_a_page_whose_texts_grow_piece_by_piece_is_read_in_linear_time(markup: str) -> None:
    started = time.thread_time()
    with suppress(InvalidPage):
        blocks_of(Page("", markup.encode(), "text/html"))

    assert time.thread_time() - started < MAX_CPU_S * len(markup) / 1e6 + 0.05


@pytest.mark.parametrize(
    ("bound", "markup"),
    [
        ("page_bytes", "<p>some text"),
        ("depth", "<div><div><p><b>x"),
        ("nodes", "<p>some text <!doctype x><b>x</b>y"),
        ("steps", "<p><b>x<i>y</b>z" * 9),
    ],
)
def test_a_page_may_reach_a_limit_but_not_exceed_it(bound: str, markup: str) -> None:
    def why_refused(most: int) -> str:
        try:
            blocks_of(Page("", markup.encode(), "text/html"), Limits(**{bound: most}))
        except InvalidPage as refused:
            return refused.detail
        return ""

    least = next(most for most in range(1, 10_000) if not why_refused(most))

    assert least > 1
    assert why_refused(least - 1).startswith(f"more than {least - 1} ")
    assert not any(why_refused(most) for most in range(least, least + 50))


@pytest.mark.parametrize("bound", ["page_bytes", "depth", "nodes", "steps"])
def test_limits_must_be_positive(bound: str) -> None:
    with pytest.raises(ValueError, match=bound):
        Limits(**{bound: 0})


def test_limits_must_fit_the_offsets_of_the_kernel() -> None:
    with pytest.raises(ValueError, match="1 GiB"):
        Limits(page_bytes=(1 << 30) + 1)
