"""Documents in chunks: by heading and paragraph, never through a table or a listing of code."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import winnow
from winnow.models._kernel import BLOCK_KINDS, count_tokens
from winnow.models.chunks import MAX_TITLE_CHARS
from winnow.models.document import BlockKind
from winnow.models.errors import OptionsError

SENTENCES = [
    f"The bees of hive {number} flew far over the city and came back." for number in range(9)
]
ROWS = "".join(f"<tr><td>hive {number}</td><td>{number * 7} kg</td></tr>" for number in range(40))
CODE = "\n".join(f"count(hive[{number}]);  # of {number}" for number in range(40))
PAGE = f"""<title>Bees of the city</title><article><h1>Bees of the city</h1>
<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p>
<h2>Hives</h2><h3>On the roof</h3><p>{" ".join(SENTENCES)}</p>
<h3>In the garden</h3><p>{SENTENCES[2]}</p>
<table><tr><th>hive</th><th>honey</th></tr>{ROWS}</table>
<h2>Code &amp; count</h2><p>{SENTENCES[3]}</p><pre><code>{CODE}</code></pre><p>{SENTENCES[4]}</p>
</article>"""


def a_document(page: str = PAGE, form: str = "markdown", **options: int) -> winnow.Document:
    chosen = winnow.CleanerOptions(format=form, title="keep", **options)  # type: ignore[arg-type]
    return winnow.clean(page, url="https://bees.invalid/", options=chosen)


def test_kinds_of_blocks_equal_the_kinds_of_the_kernel() -> None:
    assert tuple(BlockKind) == BLOCK_KINDS


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_chunk_has_its_headings(form: str) -> None:
    chunks = a_document(form=form).chunks(60)

    paths = list(dict.fromkeys(chunk.headings for chunk in chunks))
    assert paths == [
        ("Bees of the city",),
        ("Bees of the city", "Hives", "On the roof"),
        ("Bees of the city", "Hives", "In the garden"),
        ("Bees of the city", "Code & count"),
    ]


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("max_tokens", [1, 5, 15, 60, 400, 10_000])
def test_chunks_cover_the_text_and_respect_the_limit(form: str, max_tokens: int) -> None:
    document = a_document(form=form)

    chunks = document.chunks(max_tokens)

    for chunk in chunks:
        assert document.text[chunk.start : chunk.end] == chunk.text == chunk.text.strip("\n")
        assert chunk.tokens == count_tokens(chunk.text)
        is_heading = chunk.text.lstrip("# ") in chunk.headings
        is_whole = is_heading or "kg" in chunk.text or "count(" in chunk.text
        assert chunk.tokens <= max_tokens or is_whole
    for left, right in pairwise(chunks):
        assert not document.text[left.end : right.start].strip()


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_tables_and_listings_are_never_cut(form: str) -> None:
    chunks = a_document(form=form).chunks(20)

    tables = [chunk.text for chunk in chunks if "hive 0" in chunk.text and "kg" in chunk.text]
    codes = [chunk.text for chunk in chunks if "count(hive[0])" in chunk.text]
    assert [all(f"{number * 7} kg" in each for number in range(40)) for each in tables] == [True]
    assert [CODE in each for each in codes] == [True]


def test_a_heading_is_never_alone() -> None:
    for chunk in a_document().chunks(60):
        assert [line for line in chunk.text.splitlines() if line and not line.startswith("#")]


def test_a_long_paragraph_is_cut_after_sentences() -> None:
    chunks = a_document().chunks(40)

    cut = [each.text for each in chunks if each.headings[-1] == "On the roof"]
    assert len(cut) > 2
    assert all(text.endswith(".") for text in cut)


@pytest.mark.parametrize("overlap", [15, 30])
def test_a_chunk_repeats_whole_sentences_of_the_one_before_it(overlap: int) -> None:
    chunks = a_document().chunks(60, overlap)

    under = [each for each in chunks if each.headings[-1] == "On the roof"]
    for left, right in pairwise(under):
        repeated = left.text[right.start - left.start :]
        assert repeated
        assert repeated.startswith("The bees")
        assert count_tokens(repeated) <= overlap
        assert right.tokens <= 60
        assert right.text.startswith(repeated)
    assert all(
        left.end <= right.start
        for left, right in pairwise(chunks)
        if left.headings != right.headings
    )


def test_tokens_are_counted_as_the_caller_does() -> None:
    chunks = a_document().chunks(100, count=len)

    assert all(len(each.text) == each.tokens for each in chunks)
    assert all(
        each.tokens <= 100 for each in chunks if "|" not in each.text and "`" not in each.text
    )


def test_texts_without_spaces_are_cut_after_sentences() -> None:
    text = "蜜蜂在城市里找到更多的花。" * 40
    chunks = a_document(f"<article><p>{text}</p></article>", "text").chunks(60)

    assert len(chunks) > 5
    assert all(each.text.endswith("。") and each.tokens <= 60 for each in chunks)


def test_a_long_title_is_cut_in_the_path() -> None:
    title = "bees and flowers " * 60
    chunks = a_document(f"<article><h2>{title}</h2><p>{' '.join(SENTENCES)}</p></article>").chunks(
        60
    )

    assert {len(name) for each in chunks for name in each.headings} <= {MAX_TITLE_CHARS}


def test_an_empty_document_has_no_chunks() -> None:
    assert a_document("<p></p>").chunks() == ()


def test_a_document_without_an_outline_is_one_paragraph() -> None:
    document = replace(a_document(), text=" ".join(SENTENCES), outline=b"")

    assert [each.text for each in document.chunks()] == [document.text]
    assert len(document.chunks(40)) > 2


@pytest.mark.parametrize(("max_tokens", "overlap"), [(0, 0), (-1, 0), (10, 6), (10, -1)])
def test_impossible_numbers_are_refused(max_tokens: int, overlap: int) -> None:
    with pytest.raises(OptionsError, match=r"max_tokens|overlap"):
        a_document().chunks(max_tokens, overlap)


def test_a_document_has_chunks_in_its_message_by_option() -> None:
    document = a_document(chunks=60, chunk_overlap=20)

    assert document.chunked == document.chunks(60, 20)
    stated = json.loads(document.to_json())["chunks"]
    assert [each["text"] for each in stated] == [each.text for each in document.chunked]
    assert stated[0].keys() == {"text", "headings", "start", "end", "tokens"}
    assert "chunks" not in a_document().to_dict()


@settings(deadline=None, max_examples=60)
@given(
    parts=some.lists(
        some.sampled_from(["h1", "h2", "h4", "p", "li", "pre", "blockquote", "td"]), max_size=12
    ),
    words=some.lists(some.text("ab. \n#|`>蜜。", min_size=1, max_size=30), min_size=1, max_size=12),
    form=some.sampled_from(["text", "markdown"]),
    max_tokens=some.integers(1, 50),
    share=some.floats(0, 0.5),
)
def test_chunks_of_any_page_are_all_of_its_text(
    parts: list[str], words: list[str], form: str, max_tokens: int, share: float
) -> None:
    elements = (
        f"<{tag}>{words[number % len(words)]} {number}</{tag}>" for number, tag in enumerate(parts)
    )
    document = a_document(f"<article><p>{SENTENCES[0]}</p>{''.join(elements)}</article>", form)

    chunks = document.chunks(max_tokens, int(share * max_tokens))

    covered = 0
    for chunk in chunks:
        assert document.text[chunk.start : chunk.end] == chunk.text
        assert not document.text[covered : chunk.start].strip()
        covered = max(covered, chunk.end)
    assert not document.text[covered:].strip()
