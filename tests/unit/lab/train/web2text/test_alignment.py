import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lab.train.web2text import reference_alignment
from winnow.lab.train.web2text.alignment import align, content_labels, matched_chars
from winnow.models._kernel.lab import align_characters

# few letters, so that repeats, near misses and crossing anchors are common
WORDS = st.sampled_from(
    ["the", "The", "committee", "COMMITTEE", "met", "a", "ab", "ba", "on", "Monday.", "é", "É", "7"]
)
SPACES = st.sampled_from([" ", "\n", "\t", "  ", "\u00a0", ""])
TEXTS = st.lists(st.tuples(WORDS, SPACES), max_size=25).map(
    lambda pairs: "".join(word + space for word, space in pairs)
)
# numbers as words: no ten characters of one occur in another
PARAGRAPHS = st.integers(0, 400).map(
    lambda n: " ".join(chr(0x4E00 + 40 * n + i) * 2 for i in range(9))
)
NAVIGATION = "Home Login Contact"
ARTICLE = "The committee met on Monday and adjourned."


@given(TEXTS, TEXTS)
def test_kernel_aligns_as_the_reference_does(source: str, cleaned: str) -> None:
    positions = align(source, cleaned)

    assert positions.tolist() == reference_alignment.align(source, cleaned)


@given(st.text(max_size=60), st.text(max_size=60))
def test_alignment_never_crosses_and_pairs_equal_characters(source: str, cleaned: str) -> None:
    positions = align(source, cleaned)

    kept = [(char, cleaned[at]) for char, at in zip(source, positions, strict=True) if at >= 0]
    assert all(np.diff(positions[positions >= 0]) > 0)
    assert all(a.lower() == b.lower() or (a.isspace() and b.isspace()) for a, b in kept)


@given(TEXTS)
def test_alignment_matches_everything_when_both_texts_are_the_same(text: str) -> None:
    assert align(text, text).tolist() == list(range(len(text)))


@given(st.lists(st.tuples(PARAGRAPHS, st.booleans()), max_size=8, unique_by=lambda pair: pair[0]))
def test_labels_are_idempotent_when_no_two_blocks_share_words(page: list[tuple[str, bool]]) -> None:
    texts = [text for text, _ in page]
    kept = "\n".join(text for text, is_content in page if is_content)

    labels = content_labels(texts, kept)

    again = content_labels(texts, "\n".join(itertools.compress(texts, labels)))
    assert labels.tolist() == again.tolist() == [int(is_content) for _, is_content in page]


def test_labels_keep_the_article_when_navigation_surrounds_it() -> None:
    texts = [NAVIGATION, ARTICLE, "Copyright 2007"]

    labels = content_labels(texts, ARTICLE)

    assert labels.tolist() == [0, 1, 0]


def test_labels_stay_the_same_when_the_labelled_text_is_aligned_again() -> None:
    texts = [NAVIGATION, ARTICLE, "Archive", "A second paragraph, longer than the first one."]
    labels = content_labels(texts, f"{ARTICLE} A second paragraph, longer than the first one.")

    kept = "\n".join(text for text, label in zip(texts, labels, strict=True) if label)

    assert content_labels(texts, kept).tolist() == labels.tolist() == [0, 1, 0, 1]


def test_labels_choose_the_repeat_next_to_the_article_when_a_text_occurs_twice() -> None:
    texts = ["Weather", "Home", "Weather", ARTICLE]

    labels = content_labels(texts, f"Weather\n{ARTICLE}")

    assert labels.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("cleaned", "label"), [("abcdefg", 1), ("abcdef", 0)])
def test_label_needs_more_than_two_thirds_of_the_block(cleaned: str, label: int) -> None:
    assert content_labels(["abcdefghi"], cleaned).tolist() == [label]


def test_matched_chars_counts_each_block_on_its_own() -> None:
    assert matched_chars(["ab", "", "cdé"], "b cdÉ").tolist() == [1, 0, 3]


def test_a_page_without_blocks_has_no_labels() -> None:
    assert content_labels([], "text").tolist() == []
    assert matched_chars([], "").tolist() == []


def test_alignment_finds_a_moved_paragraph_only_once() -> None:
    first = "Prices rose in the northern towns."
    second = "Rainfall was below the average."

    matched = matched_chars([first, second], f"{second}\n{first}")

    assert sorted(count > 20 for count in matched.tolist()) == [False, True]


def test_alignment_refuses_texts_beyond_its_work_limit() -> None:
    with pytest.raises(ValueError, match="too many to align"):
        align("a" * (1 << 18), "b" * (1 << 17))


def test_kernel_returns_four_bytes_per_character() -> None:
    assert len(align_characters("aé\U0001f600", "")) == 12
