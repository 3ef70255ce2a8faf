"""Guards before the parse: hostile pages are refused, ordinary ones are counted rightly."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.document import Page
from models.errors import InvalidPage, Reason
from models.page import DEFAULT_LIMITS, Limits, blocks_of, prepare

MEGABYTE = 1_000_000
# the bound of a hostile megabyte, end to end; a factor of five over what the slowest one takes
MAX_CPU_S = 0.5


def _repeated(piece: str) -> bytes:
    return (piece * (MEGABYTE // len(piece) + 1)).encode()[:MEGABYTE]


def _numbered(piece: Callable[[int], str]) -> bytes:
    count = MEGABYTE // len(piece(0))
    return "".join(map(piece, range(count))).encode()[:MEGABYTE]


HOSTILE = {
    "div": _repeated("<div>"),
    "inline": _repeated('<a href="x"><b class="y"><i id="z">'),
    "unknown elements": _repeated("<x-y>"),
    "new elements": _numbered(lambda i: f"<a{i}></a{i}>"),
    "entities": _repeated("&amp;&notit;&#x41;&CounterClockwiseContourIntegral;"),
    "attributes": b"<p " + _numbered(lambda i: f"a{i} ") + b">",
    "attributes without end": b"<p " + _numbered(lambda i: f"a{i} "),
    "new attributes": _numbered(lambda i: f"<p a{i}>"),
    "attributes of body": _numbered(lambda i: f"<body a{i}>"),
    "attributes of html": _numbered(lambda i: f"<html a{i}>"),
    "endless tag": b"<p a='" + _repeated("x"),
    "endless name": b"<" + _repeated("p"),
    "nul": b"\0" * MEGABYTE,
    "nul in text": b"<p>" + _repeated("some text\0"),
    "tables": _repeated("<table><tr><td>"),
    "tables side by side": _repeated("<table>"),
    "text in tables": b"<table>" + _repeated("a<tr>"),
    "formatting in tables": b"<table>" + _repeated("x<b>"),
    "unclosed comment": b"<!--" + _repeated("- "),
    "comments": _repeated("<!--"),
    "dashes": b"<!--" + _repeated("-"),
    "closed paragraphs": _repeated("</p>"),
    "closed unknown": _repeated("a</x>"),
    "select": _repeated("<select><option>"),
    "options": b"<select>" + _repeated("<option>"),
    "selectedcontent": b"<select><button><selectedcontent></button>"
    + _repeated("<option selected>text"),
    "svg": _repeated("<svg>"),
    "svg style": b"<svg><style>" + _repeated("<g>"),
    "svg title": _repeated("<svg><title>"),
    "math": _repeated("<math><mi>"),
    "template": _repeated("<template>"),
    "frameset": _repeated("<frameset>"),
    "hidden frameset": b"<frameset><style>" + _repeated("<frameset>"),
    "formatting": b"".join(b"<b id=%d>" % i for i in range(300)) + _repeated("<p>x"),
    "formatting in paragraphs": _numbered(lambda i: f"<p><b id={i}>"),
    "formatting before tables": b"".join(b"<b id=%d>" % i for i in range(400))
    + _repeated("<table><td>x</table>"),
    "adoption": b"<div>" * 400 + _repeated("<b><p></b>"),
    "deep paragraphs": b"<span>" * 400 + _repeated("<p>"),
    "deep items": b"<span>" * 400 + _repeated("<li>"),
    "deep end tags": b"<span>" * 400 + _repeated("</i>"),
    "links": _repeated("<a>"),
    "links and blocks": _repeated("<a><div>"),
    "nested script": b"<script><!--" + _repeated("<script>"),
    "less than": _repeated("<"),
    "ampersands": _repeated("&"),
    "headings": _repeated("<h1>"),
    "line breaks": _repeated("<br>"),
    "styles": _repeated("<p style='a:b;display:x'>"),
    "preformatted": b"<pre>" + _repeated("\n x"),
    "spaces": b"<p>" + _repeated(" "),
}


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
        ("<p " + "a " * 513 + ">", Reason.TOO_MANY_ATTRIBUTES),
        ("".join(f"<p data-{n}>" for n in range(9000)), Reason.TOO_MANY_ATTRIBUTES),
        ("<br>" * 600_000, Reason.TOO_MANY_NODES),
        ("<p>" + "x" * DEFAULT_LIMITS.page_bytes, Reason.TOO_LARGE),
    ],
)
def test_prepare_refuses_a_page_beyond_a_limit(markup: str, reason: Reason) -> None:
    with pytest.raises(InvalidPage) as caught:
        prepare(Page("", markup.encode(), "text/html"))

    assert caught.value.reason is reason
    assert "at most" in caught.value.detail


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
def test_prepare_does_not_take_for_depth_what_ends_by_itself(markup: str) -> None:
    census = dict(prepare(Page("", markup.encode(), "text/html")).census)

    assert census["depth"] < 12


def _depth(node: LexborNode) -> int:
    deepest, waiting = 0, [(node, 1)]
    while waiting:
        at, depth = waiting.pop()
        if at.tag and not at.tag.startswith(("-", "!", "#")):
            deepest = max(deepest, depth)
        waiting.extend((child, depth + 1) for child in at.iter(include_text=False))
    return deepest


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 30 + "</x>" * 30,
        "<div><span>" * 20 + "</div>",
        "<b>" * 10 + "<p>x</p>" * 3,
        "<b id=1><i id=2><p>x<p>y<p>z",
        "<table>" * 5 + "<tr><td>" * 5,
        "<a><div>" * 12,
        "<ul><li>" * 20,
        "<svg><g><g><foreignObject><div><svg><p>x",
        "<math><mi><b><mglyph><p>x",
        "<template><tr><td><template><div>",
        "<object><b><object><i></object>x",
        "<table><caption><table><td><b>x",
        "<select><option><div><optgroup><option>",
        "<button><div><button><div>",
        "<nobr><div><nobr><div><nobr>",
        "<ruby><rb><rt><rp><rtc><rt>x",
        "<script><!--<script></script><div><div>--></script><div>",
        "<svg><title><div><div></svg><p>x",
    ],
)
def test_prepare_never_counts_fewer_levels_than_the_tree_has(markup: str) -> None:
    census = dict(prepare(Page("", markup.encode(), "text/html")).census)

    root = LexborHTMLParser(markup).root
    assert root is not None
    assert census["depth"] >= _depth(root)


@pytest.mark.parametrize("bound", ["page_bytes", "depth", "nodes", "attributes", "names", "steps"])
def test_limits_must_be_positive(bound: str) -> None:
    with pytest.raises(ValueError, match=bound):
        Limits(**{bound: 0})


def test_limits_must_fit_the_offsets_of_the_kernel() -> None:
    with pytest.raises(ValueError, match="1 GiB"):
        Limits(page_bytes=(1 << 30) + 1)
