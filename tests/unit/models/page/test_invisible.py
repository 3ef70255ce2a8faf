"""Characters that make readers see another text than there is: nothing of a document holds one."""

from functools import cache
from typing import Final

import pytest

from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.options import CleanerOptions, Keep, TextFormat

# embeddings, overrides and isolates of direction; what has no shape; annotations; tags; controls
DROPPED: Final = tuple(
    map(
        chr,
        (
            *range(0x202A, 0x202F),
            *range(0x2060, 0x2070),
            *(0xAD, 0x200B, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB),
            *(0xE0001, 0xE0041, 0xE007F),
            *(0x1, 0x8, 0x1F, 0x7F, 0x84, 0x9B),
        ),
    )
)
# what Arabic, Hebrew, Persian and Indic text is written with, and emoji
KEPT: Final = "\u061c\u200e\u200f\u200c\u200d\ufe0f"
PROSE: Final = (
    "The council met at nine on Monday, and the chair, who had come from the valley, read out what"
    " had been done in the year, of which nobody in the market has heard a word since then."
)


_cleaner: Final = cache(Cleaner)


def _document(dropped: str, options: CleanerOptions) -> Document:
    spelled = f"Q{dropped}Z"
    markup = (
        f"<html lang=en><title>Year {spelled}</title>"
        f"<meta name=description content='Text {spelled}'>"
        f"<meta name=author content='Ann {spelled}'>"
        f"<meta property=article:tag content='tag{spelled}'>"
        f"<meta property=article:section content='News {spelled}'>"
        f"<meta property=og:site_name content='Hive {spelled}'>"
        f"<body><article><h1>Year {spelled}</h1><p>{PROSE} {spelled} "
        f"<a href='/c{dropped}d'>a link</a> <img src=/e.png alt='Bee {spelled}'>"
        f"<p>{PROSE}<pre>code {spelled}</pre><p>{PROSE}<table><tr><th>a<th>b<tr><td>c<td>{spelled}"
        "</table>"
    )
    return _cleaner(options).clean(Page("https://sample.invalid/a/b", markup.encode(), "text/html"))


@pytest.mark.parametrize("form", list(TextFormat))
@pytest.mark.parametrize("dropped", DROPPED, ids=ascii)
def test_invisible_characters_are_in_no_field_of_a_document(dropped: str, form: TextFormat) -> None:
    options = CleanerOptions(
        engine="perplexity",
        threshold=1e30,
        format=form,
        links=Keep.KEEP if form is TextFormat.MARKDOWN else Keep.DROP,
        images=Keep.KEEP if form is TextFormat.MARKDOWN else Keep.DROP,
        spans=True,
    )

    document = _document(dropped, options)

    assert dropped not in _said(document)
    assert (document.title, document.author) == ("Year QZ", "Ann QZ")
    assert (document.description, document.tags) == ("Text QZ", ("tagQZ",))
    assert (document.section, document.site_name) == ("News QZ", "Hive QZ")
    assert document.text.count("QZ") == (5 if form is TextFormat.MARKDOWN else 4)


def _said(document: Document) -> str:
    """Return all that a document says, with its characters as they are."""
    fields = [getattr(document, name) for name in Document.__slots__]
    blocks = [block.text for block in document.blocks]
    sentences = [sentence.text for sentence in document.sentences]
    return "\n".join([*(each for each in fields if isinstance(each, str)), *blocks, *sentences])


@pytest.mark.parametrize("kept", KEPT, ids=ascii)
def test_characters_that_words_need_stay(kept: str) -> None:
    document = _document(kept, CleanerOptions(engine="perplexity", threshold=1e30))

    assert document.text.count(f"Q{kept}Z") == 4
    assert document.title == f"Year Q{kept}Z"


@pytest.mark.parametrize(
    "dropped", "\u202a\u202e\u2066\u2069\U000e0041\u200e\u200f\u061c", ids=ascii
)
def test_an_address_in_markdown_shows_it_escaped(dropped: str) -> None:
    options = CleanerOptions(
        engine="perplexity", threshold=1e30, format=TextFormat.MARKDOWN, links=Keep.KEEP
    )

    document = _document(dropped, options)

    escaped = "".join(f"%{byte:02X}" for byte in dropped.encode())
    assert f"[a link](https://sample.invalid/c{escaped}d)" in document.text
