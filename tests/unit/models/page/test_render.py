"""Kept blocks to text."""

import pytest

from winnow.models._kernel import Blocks, render
from winnow.models.document import Page
from winnow.models.ngram import NgramModel
from winnow.models.page import blocks_of

KEPT, DROPPED = 0, 1
PROSE = "The first meeting was held in the back room of the bakery."
MENU = "Home Login Cart Sitemap"


def _blocks(markup: str) -> Blocks:
    return blocks_of(Page("", markup.encode(), "text/html"))


def _text(markup: str) -> str:
    blocks = _blocks(markup)
    return render(blocks, None, bytes(len(blocks)), "text", False).text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h1>a</h1><p>b<p>c", "a\n\nb\n\nc"),
        ("<p>x<ul><li>a<li>b<ul><li>c</ul></ul>y", "x\n\na\nb\nc\n\ny"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<table><tr><td>a<br>b<td>c<tr><td><p>d<p>e<td>f</table>", "a b\tc\nd e\tf"),
        ("<table><tr><th>a<th>b<th>c<tr><td>d<td><td>e</table>", "a\tb\tc\nd\t\te"),
        ("<table><tr><th>a<th>b<th>c<tr><td><td>d<td>e</table>", "a\tb\tc\n\td\te"),
        ("<table><tr><th>a<th>b<th>c<tr><td>d<td> <td>&nbsp;</table>", "a\tb\tc\nd"),
        ("<table><tr><th><th>b<tr><th>c<td>d</table>", "\tb\nc\td"),
        ("<p>x<table><tr><th><th>b<tr><th>c<td>d</table>", "x\n\n\tb\nc\td"),
        ("<table><tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e</table>", "a\tb\nc\td\n\te"),
        ("<table><tr><th colspan=2>a<th>b<tr><td>c<td><td>d</table>", "a\tb\nc\t\td"),
        ("<table><tr><th>a<th>b<tr><td>c<td><ul><li>d<li>e</ul></table>", "a\tb\nc\td e"),
        ("<table><tr><td>a<td>b<tr><td>c<td><ol><li>d</ol></table>", "a\tb\nc\td"),
        (
            "<table><tr><td>a<td>b<tr><td>c<td><ul><li><a href=x>d</a></ul></table>",
            "a\n\nb\n\nc\n\nd",
        ),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<p>", ""),
    ],
)
def test_render_joins_blocks_by_their_kind(markup: str, expected: str) -> None:
    assert _text(markup) == expected


def test_render_writes_no_tab_for_a_column_of_which_nothing_is_kept() -> None:
    blocks = _blocks("<table><tr><th>a<th>b<th>c<tr><td>d<td>e<td>f</table>")

    left = render(blocks, None, bytes([1, 0, 0, 1, 0, 0]), "text", False).text
    middle = render(blocks, None, bytes([0, 1, 0, 0, 1, 0]), "text", False).text
    one = render(blocks, None, bytes([1, 1, 0, 1, 1, 0]), "text", False).text

    assert (left, middle, one) == ("b\tc\ne\tf", "a\t\tc\nd\t\tf", "c\nf")


def test_render_leaves_out_blocks_that_are_not_kept() -> None:
    blocks = _blocks("<p>a<p>b<p>c")

    rendered = render(blocks, None, bytes([KEPT, DROPPED, KEPT]), "text", False)

    assert rendered.text == "a\n\nc"
    assert (rendered.blocks_kept, rendered.chars_kept) == (2, 2)


def test_render_refuses_verdicts_of_the_wrong_number() -> None:
    blocks = _blocks("<p>a<p>b")

    with pytest.raises(ValueError, match="1 verdicts for 2"):
        render(blocks, None, bytes(1), "text", False)


def test_render_refuses_a_form_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="unknown form"):
        render(_blocks("<p>a"), None, bytes(1), "pdf", False)


def test_render_keeps_counts_of_the_sentences_it_keeps(english: NgramModel) -> None:
    blocks = _blocks(f"<p>{PROSE} {MENU}. {PROSE}<p>{MENU}")
    (sentences,) = english.score([blocks])
    verdicts = bytes([KEPT, DROPPED, KEPT, DROPPED])

    rendered = render(blocks, sentences, verdicts, "text", False)

    assert rendered.text == f"{PROSE} {PROSE}"
    assert (rendered.blocks_kept, rendered.sentences_kept) == (1, 2)
    assert rendered.tokens_kept == 2 * sentences.sentence(0)[3]
    assert rendered.chars_kept == 2 * len(PROSE)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_render_marks_dropped_sentences_with_their_perplexity(
    english: NgramModel, form: str
) -> None:
    blocks = _blocks(f"<p>{PROSE}<ul><li>{MENU}</ul>")
    (sentences,) = english.score([blocks])
    perplexity = sentences.sentence(1)[5]

    rendered = render(blocks, sentences, bytes([KEPT, DROPPED]), form, True)

    item = "- " if form == "markdown" else ""
    assert rendered.text == f"{PROSE}\n\n{item}<ppl {perplexity:.1f}>{MENU}</ppl>"
    assert (rendered.sentences_kept, rendered.chars_kept) == (1, len(PROSE))
