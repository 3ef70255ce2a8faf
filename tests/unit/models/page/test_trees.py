"""The tree that the kernel builds, against lexbor's: names, depths, comments and texts."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.fuzz.mutation import mutated
from tests.unit.models.page.trees import kernel_rows, lexbor_rows
from winnow.lab.sets.labelled import labelled_pages
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import decode

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

# beside which pieces of pages are set
_CONTEXTS: Final = (
    "", "<p>", "<table>", "<table><tr>", "<table><tr><td>", "<table><colgroup>", "<table><caption>",
    "<p>x<table>", "<select>", "<svg>", "<svg><title>", "<math><mi>", "<template>",
    "<template><table>", "<p>x</body>", "<p>x</body></html>", "<frameset>", "<frameset></frameset>",
    "<form>", "<button>", "<b><i>", "<a href=x>", "<ruby><rb>", "<object>", "<head>", "<pre>",
)  # fmt: skip
_NAMES: Final = (
    "a b big body br button caption center col colgroup dd div dl dt em font form frame frameset h1"
    " h2 head hr html i image img input li math mi mtext nobr noembed noframes noscript object ol"
    " optgroup option p plaintext pre rb rt rtc ruby script select span strong style svg table"
    " tbody td template textarea tfoot th thead title tr u ul x-y xmp desc foreignObject"
    " annotation-xml mglyph"
).split()
_OTHERS: Final = (
    "t", "some text ", " ", "\n", "x&amp;", "&notit;", "&#0;", "&#x80;", "&", "<", "</", "<!", "<?",
    "<!--c-->", "<!-->", "<!--", "-->", "--!>", "<!doctype html>", "<!doctype x>", "<?pi x>",
    "<![CDATA[cd]]>", "]]>", "</>", "< a>", "\0", "\f", "\u00e9", "\U0001f41d", '"', "'", "=", "/>",
)  # fmt: skip
_ATTRIBUTES: Final = (
    "", " id=a", " id=b", " class='x y'", ' href="?a=1&amp;b=2&copy=3"', " hidden", " / ",
    " a=1 a=2", " color=red", " encoding=text/html", " type=hidden", " =x", ' x="y', " z='>'", "/",
)  # fmt: skip


def _piece(random: Random) -> str:
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(_OTHERS)
    name = random.choice(_NAMES)
    if kind == 1:
        return f"</{name}>"
    return f"<{name}{random.choice(_ATTRIBUTES)}>"


def _random_page(random: Random) -> str:
    pieces = (_piece(random) for _ in range(random.randrange(1, 30)))
    return random.choice(_CONTEXTS) + "".join(pieces)


# Where lexbor departs from the standard: `image` is an `img` before the table, what ends in `<?` or
# `<!` is a comment, a doctype between columns is ignored and nothing more, and so is text behind
# frames but for its white space.
_DEPARTURES: Final = re.compile(r"<image|<[?!]$|<colgroup.*<!doctype|<frameset.*</html>", re.DOTALL)


def _differs(markup: str) -> bool:
    if _DEPARTURES.search(markup):
        return False
    try:
        return kernel_rows(markup, is_repaired=False) != lexbor_rows(markup)
    except InvalidPage:
        return False  # lexbor has no limits


@pytest.mark.parametrize("markup", CONSTRUCTS)
def test_the_tree_of_a_construct_is_that_of_lexbor(markup: str) -> None:
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
def test_where_lexbor_departs_from_the_standard_the_tree_does_not(
    markup: str, below_root: list[tuple[int, str]]
) -> None:
    rows = kernel_rows(markup, is_repaired=False)

    assert [(depth, name) for depth, name, _ in rows[1:]] == below_root
    assert rows != lexbor_rows(markup)


def test_trees_of_random_pieces_of_markup_are_those_of_lexbor() -> None:
    random = Random(52)
    pages = [_random_page(random) for _ in range(2000)]

    assert [page for page in pages if _differs(page)] == []
    assert sum(bool(_DEPARTURES.search(page)) for page in pages) < len(pages) / 4


def _development_pages(shared: Path) -> Iterator[str]:
    for archive in sorted((shared / "pages").glob("*.tar.zst")):
        for page in labelled_pages(archive):
            source = decode(Page("", page.html, "text/html"))
            if source.form == "html":
                yield source.markup.decode()


@pytest.mark.quality
def test_trees_of_all_development_pages_are_those_of_lexbor(shared: Path) -> None:
    different = [page[:200] for page in _development_pages(shared) if _differs(page)]

    assert different == []


@pytest.mark.quality
def test_trees_of_ten_thousand_mutated_pages_are_those_of_lexbor(shared: Path) -> None:
    random = Random(52)
    pages = [page.encode() for page in _development_pages(shared) if len(page) < 30_000]

    def changed() -> str:
        one, other = random.sample(pages, 2)
        return mutated(one, other, random).decode(errors="replace")

    different = [page for page in (changed() for _ in range(10_000)) if _differs(page)]

    assert different == []
