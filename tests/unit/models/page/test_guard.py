"""Guards before the parse: hostile pages are refused, ordinary ones are counted rightly."""

import time
from contextlib import suppress

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.hostile_pages import HOSTILE
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.page import DEFAULT_LIMITS, Limits, blocks_of, prepare

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
        ("<p " + "a " * 513 + ">", Reason.TOO_MANY_ATTRIBUTES),
        ("<p " + "a " * 513, Reason.TOO_MANY_ATTRIBUTES),
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


GROWING = {
    "ignored start tags": "<p>" + "<td k=value>some text " * 20_000,
    "ignored end tags": "<p>" + "</hr k=value>some text " * 20_000,
    "ignored form tags": "<form>" + "<form k=value>some text " * 20_000,
    "text before tables": "<table>" + "<!--c-->some text " * 20_000,
    "text before tables, from rows": "<table>" + "<tr k=value>some text " * 20_000,
    "text before tables, from forms": "<table>" + "<form k=value>some text " * 20_000,
    "text before tables, beside cells": "<table>" + "<td>x</td>some text " * 20_000,
    "text before tables, beside columns": "<table><tr><td>" + "<col>\nsome text " * 20_000,
    "long text before a table": "x" * 300_000 + "<table>" + "<!--c-->x" * 20_000,
    "comments behind the body": "<p>x" + "</body><!--c-->some text " * 20_000,
    "end tags in templates": "<template>" + "</p k=value>some text " * 20_000,
    "text in svg": "<svg>" + "</hr k=value>some text " * 20_000,
    "blanks between frames": "<frameset>" + (" " * 10 + "<br k=value>") * 20_000,
    "blanks in texts between frames": "<frameset></frameset>" + "<dt>t<p>some text " * 20_000,
    "blanks between frames, behind raw text": "<frameset><style>"
    + (" " * 10 + "<br k=value>") * 20_000,
    "framesets in tables": "<p>x<table>" + "<frameset k=value>some text\n<col>" * 20_000,
    "parts of tables in templates": "<template>"
    + "<frame>x&amp;some text<caption k=value>" * 20_000,
    "blanks in rows": "<table><tr>" + (" " * 10 + "<input k=value>") * 20_000,
    "doctypes": "<p>" + "some text <!doctype x></p-p k=value>" * 20_000,
}


@pytest.mark.parametrize("markup", GROWING.values(), ids=GROWING)
def test_prepare_refuses_a_page_whose_texts_would_take_up_gigabytes(markup: str) -> None:
    with pytest.raises(InvalidPage, match="bytes of texts that grow, at most") as caught:
        prepare(Page("", markup.encode(), "text/html"))

    assert caught.value.reason is Reason.TOO_MANY_NODES


@pytest.mark.parametrize(
    "markup",
    [
        "<p>" + "some text</x>" * 20_000,
        "<p>" + "some text<!--c-->" * 20_000,
        "<p>" + "some text<br k=value>" * 20_000,
        "<div>some text<p k=value>more</p></div>" * 20_000,
        "<table>" + "<tr><td k=value>some text</td> <!--c-->" * 20_000,
        "<table>" + "some text<tr>" * 20_000,
        "<table>" + "some text<b k=value>" * 300,
        "some text<table k=value><td>x</table>" * 20_000,
        "<svg>" + "some text<g k='value'/>" * 20_000,
        "<frameset>" + "<frame k=value> " * 1000,
        "<body><frameset><frame></frameset>" + "<p k=value>some text" * 20_000,
        "会议<frameset><frame></frameset>" + "<p k=value>some text" * 20_000,
        "<p>some text" + "<frameset k=value><p>some text" * 300,
    ],
)
def test_prepare_does_not_take_for_growth_what_starts_a_new_text(markup: str) -> None:
    census = dict(prepare(Page("", markup.encode(), "text/html")).census)

    assert census["moved"] < 1_000_000


_BOUNDS = ("depth", "nodes", "attributes", "names", "steps", "moved")


def test_limits_are_what_a_page_may_just_reach() -> None:
    page = Page("", b"<p>" + b"some text <!doctype x></p-p k=v l=w>" * 9, "text/html")
    census = dict(prepare(page).census)
    reached = {name: census[name] for name in _BOUNDS}

    prepare(page, Limits(**reached))
    for name, most in reached.items():
        with pytest.raises(InvalidPage, match=f"{most} .*at most {most - 1}"):
            prepare(page, Limits(**(reached | {name: most - 1})))


def _depth(node: LexborNode) -> int:
    deepest, waiting = 0, [(node, 1)]
    while waiting:
        at, depth = waiting.pop()
        if at.tag and not at.tag.startswith(("-", "!", "#")):
            deepest = max(deepest, depth)
        waiting.extend((child, depth + 1) for child in at.iter(include_text=False))
    return deepest


def _nodes(node: LexborNode) -> int:
    found, waiting = 0, [node]
    while waiting:
        found += 1
        waiting.extend(waiting.pop().iter(include_text=True))
    return found


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
        "<template>x</template>" + "<frameset>" * 30,
        "<img><frameset><script><!--</script>" + "<div>" * 30,
        "<svg><title><div><div></svg><p>x",
    ],
)
def test_prepare_never_counts_fewer_levels_than_the_tree_has(markup: str) -> None:
    census = dict(prepare(Page("", markup.encode(), "text/html")).census)

    root = LexborHTMLParser(markup).root
    assert root is not None
    assert census["depth"] >= _depth(root)


@pytest.mark.parametrize(
    "markup",
    [
        "<p><b id=1><b id=2><b id=1><b id=2><p></p></b></b></b></b>",
        "<p><b><b><b><b></p>",
        "<b><b><b><b></b></b></b></b><i>",
        "<a><b><a><b><a>",
        "<p><i></p><table><td>x</table>x<div>",
        "<p><i></p><object></object>x<div>",
        "<object><p></object></p><div>",
        "<applet><b></applet>x<div>",
        "<i></br></p>",
        "<nobr><b><nobr><b>x",
        "<table><tr><td>x</td></tr><tbody><tr><th>",
        "<table><td><b><i></table>",
        "<table><form><tr><td><form>",
        "<form></form><form></form><form><div>",
        "<button><button><button>",
        "<ruby><rb><rtc><rb>",
        "<ol><li><div></li>",
        "<h2><b></h3>",
        "<option><option><option>",
        "<select><option><select><div>",
        "<select><option><optgroup><option><optgroup>",
        "<html><body><html><body><div>",
        "<x-a></x-b>",
        "<x-y></x-z></X-Y><i>",
        "<svg><g><font><g><g>",
        "<svg><g><font color=red><div>",
        "<svg><g></p>",
        "<svg><g></x>",
        "<svg/><svg>x<g/>",
        "<p><svg><desc><p></desc></svg></p>",
        "<svg><![CDATA[<p><p><p>]]><g><g>",
        "<math><annotation-xml><svg><g>",
        "<math><annotation-xml encoding=text/html><p><b><div>",
        "<math><mrow><mi></mrow><div>",
        "1 < 2<div></<div>",
        "<div a='x>y' b=\">\"><div c=d/><div>",
        "<div><!-- > --><div><!-- -- ><div>--><div>",
        "<script><!--<script></script></script><div>",
        "<script><!--x--><script></script><div>",
        "<script>><!-- <script >x</script > --></script ><i>",
        "<script></ script></script>",
    ],
)
def test_prepare_counts_the_levels_and_nodes_of_the_tree(markup: str) -> None:
    # the deepest level is then one that is open at the end
    markup += "<x-x>" * 20

    census = dict(prepare(Page("", markup.encode(), "text/html")).census)

    root = LexborHTMLParser(markup).root
    assert root is not None
    assert (census["depth"], census["nodes"]) == (_depth(root), _nodes(root))


@pytest.mark.parametrize("bound", ["page_bytes", *_BOUNDS])
def test_limits_must_be_positive(bound: str) -> None:
    with pytest.raises(ValueError, match=bound):
        Limits(**{bound: 0})


def test_limits_must_fit_the_offsets_of_the_kernel() -> None:
    with pytest.raises(ValueError, match="1 GiB"):
        Limits(page_bytes=(1 << 30) + 1)
