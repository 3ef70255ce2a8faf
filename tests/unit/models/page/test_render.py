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
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<p>", ""),
    ],
)
def test_render_joins_blocks_by_their_kind(markup: str, expected: str) -> None:
    assert _text(markup) == expected


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
