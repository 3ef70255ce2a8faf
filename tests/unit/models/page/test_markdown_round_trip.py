"""Markdown read again by a parser has the same text, and only markup of the page."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.models._kernel import Reader, render
from winnow.models.document import Page
from winnow.models.page import DEFAULT_LIMITS, read

URL: Final = "https://page.invalid/folder/page"
# A character other than white space, with its styles and its link.
Sign = tuple[str, frozenset[str], str]

_STYLES: Final = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "s", "del": "s",
    "code": "code", "kbd": "code", "figcaption": "em", "caption": "em",
}  # fmt: skip
_NASTY: Final = (
    *"*_`~$|[]()<>!^\\#-+=:&.'\"{}@x9é«… ",
    *("**", "__", "***", "```", "~~~", "$$", "](", "[^1]", "[^1]:", "![", "&amp;", "&copy;"),
    *("<b>", "</b>", "<!--", "<a@b.c>", "1. ", "2) ", "- ", "+ ", "# ", "> ", "---", "==="),
    *("| - | - |", ":-", "    ", "$5", "snake_case", "中文", "http://x.y", "javascript:x"),
)
# what a page shows as a formula: it is written without the marks of the page
_FORMULA: Final = re.compile(r"\$\$.*[\\^_].*\$\$|\$.*[\^_]\{.*\$|\\\(.*\\\)|\\\[.*\\\]", re.DOTALL)
# text that was escaped twice is read as if it was escaped once
_ESCAPED_TWICE: Final = re.compile(r"\w\s*&amp;\s*\w|\w&copy;|&copy;\w")
# without marks, nor signs of their block: the kernel composes a text that has any (NFC); and
# without what may stand for the first byte of a character that was encoded twice
# the link of a number that an item has
_NUMBER: Final = "number"
_UNUSUAL: Final = st.characters(
    exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "M"),
    exclude_characters="".join(map(chr, (*range(0xC2, 0xF5), *range(0x300, 0x380)))),
)
_TEXTS: Final = st.lists(
    st.sampled_from(_NASTY) | st.text(_UNUSUAL, max_size=3), min_size=1, max_size=8
).map("".join)


def parser() -> MarkdownIt:
    """Return a parser of CommonMark with what the kernel writes beyond it."""
    made = MarkdownIt("commonmark")
    made.enable(["table", "strikethrough"])
    made.use(footnote_plugin, inline=False)
    made.use(dollarmath_plugin, allow_digits=False, allow_space=False)
    return made.disable("footnote_tail")


def markdown(markup: str, *, links: bool = True, images: bool = True, url: str = URL) -> str:
    """Return all of a page as Markdown."""
    page = Page(url, markup.encode(), "text/html; charset=utf-8")
    blocks = read(Reader("every", DEFAULT_LIMITS, inline=True), page)
    rendered = render(
        blocks, None, bytes(len(blocks)), "markdown", mark=False,
        url=url, links=links, images=images,
    )  # fmt: skip
    return rendered.text


def _parsed(written: str) -> list[Sign]:
    signs: list[Sign] = []
    for token in parser().parse(written):
        assert token.type != "html_block", written
        if token.type in {"fence", "code_block", "math_block"}:
            styles = frozenset({"fence"})
            signs += [(each, styles, "") for each in token.content if not each.isspace()]
        if token.type == "list_item_open":
            number = f"{token.info}{token.markup}" if token.info else ""
            link = f"{_NUMBER}{len(signs)}"
            signs += [(each, frozenset(), link) for each in number]
        if token.type == "inline":
            signs += _inline(token.children or [], written)
    return signs


def _inline(tokens: Sequence[Token], written: str) -> Iterator[Sign]:
    open_styles: list[str] = []
    link = ""
    for token in tokens:
        kind, _, side = token.type.rpartition("_")
        if token.type in {"text", "code_inline", "math_inline"}:
            own = {"code"} if token.type == "code_inline" else set()
            styles = frozenset(own.union(open_styles))
            yield from ((each, styles, link) for each in token.content if not each.isspace())
        elif kind == "link":
            link = str(token.attrs["href"]) if side == "open" else ""
        elif side == "open":
            open_styles.append(kind)
        elif side == "close":
            open_styles.remove(kind)
        else:
            assert token.type in {"softbreak", "hardbreak", "image"}, (token.type, written)


def _with_typed_numbers(read: list[Sign], text: str) -> list[Sign]:
    """Leave out the numbers of items, except those that the page writes."""
    numbers = (sign[2] if sign[2].startswith(_NUMBER) else "" for sign in read)
    parts = groupby(zip(numbers, read, strict=True), lambda pair: pair[0])
    runs = [(number, [sign for _, sign in pairs]) for number, pairs in parts]
    words = (re.escape("".join(sign for sign, _, _ in run)) for _, run in runs)
    optional = zip(words, runs, strict=True)
    pattern = "".join(f"({own})?" if number else f"({own})" for own, (number, _) in optional)
    found = re.fullmatch(pattern, text, re.DOTALL)
    written = found.groups() if found else [None if number else "" for number, _ in runs]
    kept = (run for run, own in zip(runs, written, strict=True) if own is not None)
    return [(sign, had, "" if number else link) for number, run in kept for sign, had, link in run]


def _stated(tree: LexborHTMLParser) -> Iterator[Sign]:
    """What the page says, from its tree."""
    waiting: list[tuple[LexborNode | None, frozenset[str], str]] = [(tree.body, frozenset(), "")]
    while waiting:
        node, styles, link = waiting.pop()
        if node is None:
            continue
        if node.parent is not None and node is not tree.body and node.tag != "body":
            waiting.append((node.next, styles, link))
        name = node.tag or ""
        if name == "-text":
            text = node.text_content or ""
            yield from ((each, styles, link) for each in text if not each.isspace())
            continue
        inside = styles | {_STYLES[name]} if name in _STYLES else styles
        inside = frozenset() if name == "pre" else inside
        href = node.attributes.get("href") or link if name == "a" else link
        waiting.append((node.first_child, inside, href))


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=3).map("".join)


def _element(names: Sequence[str], content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(names), content).map(
        lambda made: f"<{made[0]}>{made[1]}</{made[0]}>"
    )


_ESCAPED: Final = _TEXTS.map(escape)
_LINKED: Final = st.tuples(st.integers(1, 9), _ESCAPED).map(
    lambda made: f"<a href=https://to.invalid/{made[0]}>{made[1]}</a>"
)
_INLINE: Final = st.recursive(
    _ESCAPED | _LINKED | st.just("<br>") | st.just("<img src=/i.png alt='a]b*'>"),
    lambda inner: _element(["b", "i", "s", "code", "strong", "em", "span"], _joined(inner)),
    max_leaves=6,
)
_RUNS: Final = st.lists(_INLINE, min_size=1, max_size=4).map("".join)
_TABLE: Final = st.lists(_RUNS, min_size=4, max_size=4).map(
    lambda cells: "<table><tr><th>{}<th>{}<tr><td>{}<td>{}</table>".format(*cells)
)
_ITEMS: Final = st.lists(_RUNS, min_size=1, max_size=3).map(
    lambda items: "<ol><li>" + "<li>".join(items) + "</ol>"
)
_BLOCKS: Final = st.recursive(
    _element(["p", "h2", "div", "figcaption", "blockquote"], _RUNS)
    | _TABLE
    | _element(["pre"], _ESCAPED),
    lambda inner: (
        _ITEMS | _element(["blockquote", "ul", "li", "ol", "div", "section"], _joined(inner))
    ),
    max_leaves=4,
)
_PAGES: Final = st.lists(_BLOCKS, min_size=1, max_size=4).map("".join)


@settings(max_examples=300, deadline=None)
@given(_PAGES)
@example("<table><tr><th>*<th>*<tr><td>*<td><b>$1. </b><br><br><code>$$</code></table>")
def test_markdown_renders_to_the_text_of_the_page_without_more_markup(markup: str) -> None:
    tree = LexborHTMLParser(f"<body>{markup}")

    stated = list(_stated(tree))
    text = "".join(sign for sign, _, _ in stated)
    assume(not _FORMULA.search(text) and not _ESCAPED_TWICE.search(text))
    written = markdown(markup)
    read = _with_typed_numbers(_parsed(written), text)

    assert [sign for sign, _, _ in read] == [sign for sign, _, _ in stated], written
    for (sign, styles, link), (_, said, led) in zip(read, stated, strict=True):
        assert styles - {"fence"} <= said, (sign, written)
        assert "code" not in said or styles & {"code", "fence"}, (sign, written)
        assert link == led or "fence" in styles, (sign, written)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>$5$$<a href=//b.c>1</a>", "$5\\$\\$[1](https://b.c)"),
        ("<p>a <b>bold </b>and <i>it</i>", "a **bold** and _it_"),
        ("<p>in<b>side</b> <i>a</i>b", "in**side** ab"),
        ("<p>use <code>a`b</code>", "use ``a`b``"),
        ("<p><s>old</s> new", "~~old~~ new"),
        (
            "<figcaption><b>*</b><a href=//b.c>*</a><b>*</b></figcaption>",
            "_**\\***[\\*](https://b.c)**\\***_",
        ),
        ("<figcaption>a <b>b</b></figcaption>", "_a **b**_"),
        (
            ("<ul><li><input type=checkbox checked disabled> a"
            "<li><input type=checkbox DISABLED>b<li>c"),
            "- [x] a\n- [ ] b\n- c",
        ),
        ("<ol><li><p><label><input disabled type=checkbox>a</label><p>b", "1. [ ] a\n\n   b"),
        (
            ("<ul class=contains-task-list><li><input type=checkbox checked>a"
            "<li><input type=checkbox>b"),
            "- [x] a\n- [ ] b",
        ),
        ("<ul><li class='x task-list-item'><p><input type=checkbox>a", "- [ ] a"),
        # for readers to tick
        ("<ul><li><input type=checkbox>a<li><input type=checkbox checked>b", "- a\n- b"),
        ("<ol class=filter><li><label><input type=checkbox name=f>a</label>", "1. a"),
        ("<div class=task-list><p><ul><li><input type=checkbox aria-disabled=true>a", "- a"),
        ("<ul class=ingredients><li><input type=checkbox disabled>a", "- a"),
        (
            "<ul><li><div class='checkbox checkbox-on'></div> a<li><div class=checkbox></div>b",
            "- [x] a\n- [ ] b",
        ),
        ("<ul class=ingredients><li><label><input type=checkbox>a</label><li>b</ul>", "- a\n- b"),
        ("<ul><li itemprop=recipeIngredient><b><input type=checkbox></b>a", "- a"),
        ("<div id=recipe-3><ul><li><span><input type=checkbox></span>a</ul></div>", "- a"),
        ("<ol class=Instructions><li><input type=checkbox>a<li>b</ol>", "1. a\n2. b"),
        ("<ul class=todo><li><input type=checkbox>a recipe", "- [ ] a recipe"),
        ("<p><input type=checkbox>a<ul><li>b <input type=checkbox> c", "a\n\n- b c"),
        ("<p>H<sub>2</sub>O x<sup>2</sup> 1<sup>st</sup> V<sub>max</sub>", "H₂O x² 1st V_max"),
        ("<h2><b>a</b> <i>b</i></h2>", "## a _b_"),
        ("<p>see <a href=x?y=(1)>it</a>", "see [it](https://page.invalid/folder/x?y=%281%29)"),
        ("<p>end!<a href=//b.c>d]</a>", "end\\![d\\]](https://b.c)"),
        ("<p><a href=javascript:x>a</a> <a href='java\tscript:x'>b</a> <a>c</a>", "a b c"),
        (
            "<a href=x><h3>a</h3><p>b</p></a>",
            "### [a](https://page.invalid/folder/x)\n\n[b](https://page.invalid/folder/x)",
        ),
        ("<base href=/b/><p><a href=x>a</a>", "[a](https://page.invalid/b/x)"),
        (
            "<p>a<p><img src=/i.png alt='b [c]'><p>d",
            "a\n\n![b \\[c\\]](https://page.invalid/i.png)\n\nd",
        ),
        ("<p>a<img src=//b.c/i>d <img src='data:x'>e", "a ![](https://b.c/i) d e"),
        ("<pre class=language-py><code>x = 1\n</code></pre>", "```py\nx = 1\n```"),
        ("<pre class='rust x'><code>a</code></pre>", "```rust\na\n```"),
        (
            "<p>t<sup><a href=#n>[1]</a></sup>: u<ol><li id=n>note<li>b</ol>",
            "t[^1]\\: u\n\n[^1]: note\n\n2. b",
        ),
        (
            "<table><tr><th align=right>a<th>b<tr><td style=text-align:right>1<td><code>c|d</code>",
            "| a | b |\n| ---: | --- |\n| 1 | `c\\|d` |",
        ),
        (
            "<p>$5 and $6, US$ <math><msup><mi>x</mi><mn>2</mn></msup></math>",
            "\\$5 and \\$6, US\\$ $x^2$",
        ),
        ("<math display=block><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "$$\n\\frac{a}{b}\n$$"),
    ],
)  # fmt: skip
def test_markdown_keeps_the_markup_inside_blocks(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("marks", "notes", "expected"),
    [
        # Word
        (
            "<p>t<a href=#_ftn1 name=_ftnref1>[1]</a> u<a href=#_ftn2>[2]</a>",
            "<p><a href=#_ftnref1 name=_ftn1>[1]</a> a<p><a href=#_ftnref2>[2]</a> b",
            "t[^1] u[^2]\n\n[^1]: a\n\n[^2]: b",
        ),
        # Substack
        (
            "<p>t<a id=footnote-anchor-1-9 href=#footnote-1-9>1</a>",
            "<div><a id=footnote-1-9 href=#footnote-anchor-1-9>1</a><div><p>a</div></div><p>b",
            "t[^1]\n\n[^1]: a\n\nb",
        ),
        # LibreOffice
        (
            "<p>t<a name=sdfootnote1anc href=#sdfootnote1sym><sup>i</sup></a>",
            "<div id=sdfootnote1><p><a name=sdfootnote1sym href=#sdfootnote1anc>i</a> a</div>",
            "t[^1]\n\n[^1]: a",
        ),
        # docutils: brackets around the link, ids that count
        (
            "<p>t<a id=id1 href=#id2>[1]</a> u<a id=id3 href=#id4>[2]</a>",
            ("<aside><span>[<a href=#id1>1</a>]</span><p>a</aside>"
            "<aside><span>[<a href=#id3>2</a>]</span><p>b</aside>"),
            "t[^1] u[^2]\n\n[^1]: a\n\n[^2]: b",
        ),
        (
            "<p>t<a id=footnote-reference-1 href=#footnote-1>[1]</a>",
            "<div>[<a href=#footnote-reference-1>1</a>]</div><p>a",
            "t[^1]\n\n[^1]: a",
        ),
        ("<p>t<a href=#id2>[1]</a>", "<p>[<a href=#idea>1</a>] a", "t\\[1]\n\n\\[1] a"),
        ("<p>t<a href=#id2>[1]</a>", "<p>(see <a href=#id1>1</a>) a", "t\\[1]\n\n(see 1) a"),
        # links to other places, with other texts, and to places below
        ("<p>t<a href=#fn1>[1]</a>", "<p><a href=#fnref2>[1]</a> a", "t\\[1]\n\n\\[1] a"),
        ("<p>t<a href=#fn1>[1]</a>", "<p><a href=#fnref1>[2]</a> a", "t\\[1]\n\n\\[2] a"),
        ("<p>t<a href=#fn1>the</a>", "<p><a href=#fnref1>the</a> a", "tthe\n\nthe a"),
        ("<p><a href=#fnref1>[1]</a> a", "<p>t<a href=#fn1>[1]</a>", "\\[1] a\n\nt\\[1]"),
    ],
)  # fmt: skip
def test_notes_that_are_paragraphs_are_notes(marks: str, notes: str, expected: str) -> None:
    assert markdown(marks + notes, links=False) == expected


def test_markdown_drops_links_and_images_that_are_not_asked_for() -> None:
    written = markdown("<p>a <a href=x>b</a> <img src=i.png> c", links=False, images=False)

    assert written == "a b c"


def test_markdown_of_a_page_without_address_keeps_links_that_have_their_own() -> None:
    written = markdown("<p><a href=x>a</a> <a href=https://b.invalid/>c</a>", url="")

    assert written == "a [c](https://b.invalid/)"


def test_short_references_to_a_long_address_do_not_multiply_it() -> None:
    url = "https://a.invalid/" + "x" * 2000 + "/"

    assert len(markdown("<a href=a>b</a>" * 10_000, url=url)) < 2_000_000


@pytest.mark.parametrize(("words", "most_links"), [(1, 45), (40, 90)])
def test_a_small_page_has_no_more_addresses_than_text_and_a_little(
    words: int, most_links: int
) -> None:
    text = "flowers " * words
    markup = f"<base href=https://b.c/{'a' * 1500}/>" + f"<p>{text}<a href=x>bees</a>" * 200

    written = markdown(markup)

    assert most_links * 0.8 < written.count("](https://") <= most_links
    assert written.count("bees") == 200


def test_a_page_of_links_keeps_all_its_addresses() -> None:
    written = markdown("".join(f"<p><a href=/hives/{at}>The bees fly</a>" for at in range(1000)))

    assert written.count("](https://page.invalid/hives/") == 1000
