"""The tree that the kernel builds, against lexbor's: names, depths, comments and texts."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.trees.pages import DEPARTURES, development_pages, differs, mutated_pages, random_page
from tests.trees.rows import kernel_rows, lexbor_rows

CONSTRUCTS: Final = (
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
)


@pytest.mark.parametrize("markup", CONSTRUCTS)
def test_the_tree_of_a_construct_equals_lexbors(markup: str) -> None:
    assert kernel_rows(markup, is_repaired=False) == lexbor_rows(markup)


@pytest.mark.parametrize(
    ("markup", "below_root"),
    [
        ("<body><table><image>", [(1, "head"), (1, "body"), (2, "img"), (2, "table")]),
        ("<body>a<?", [(1, "head"), (1, "body"), (2, "-text"), (2, "-comment")]),
        ("<body>]]><!", [(1, "head"), (1, "body"), (2, "-text"), (2, "-comment")]),
        (
            "<table><colgroup><!doctype x><!--c-->",
            [(1, "head"), (1, "body"), (2, "table"), (3, "colgroup"), (4, "-comment")],
        ),
        ("<frameset></frameset></html>a b", [(1, "head"), (1, "frameset"), (1, "-text")]),
    ],
)
def test_the_tree_follows_the_standard_where_lexbor_does_not(
    markup: str, below_root: list[tuple[int, str]]
) -> None:
    rows = kernel_rows(markup, is_repaired=False)

    assert [(depth, name) for depth, name, _ in rows[1:]] == below_root
    assert rows != lexbor_rows(markup)


def test_trees_of_random_pieces_of_markup_equal_lexbors() -> None:
    random = Random(52)
    pages = [random_page(random) for _ in range(2000)]

    assert [page for page in pages if differs(page)] == []
    assert sum(bool(DEPARTURES.search(page)) for page in pages) < len(pages) / 4


@pytest.mark.quality
def test_trees_of_development_pages_equal_lexbors(shared: Path) -> None:
    """A sample; `python -m tests.trees` compares all, in make quality."""
    pages = list(islice(development_pages(shared), 0, 600, 5))

    assert [page[:200] for page in pages if differs(page)] == []
    assert [page for page in mutated_pages(pages, 300, seed=52) if differs(page)] == []
