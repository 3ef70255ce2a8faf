"""The metrics on cases computed by hand, against slow references, and by their properties."""

from collections import Counter
from collections.abc import Sequence
from math import isclose, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.lab.measure.metrics import (
    KL_FLOOR,
    Overlap,
    aligned_overlap,
    char_similarity,
    cosine_distance,
    euclidean_distance,
    f_measure,
    kl_divergence,
    occ_overlap,
    voc_overlap,
    word_f1,
    word_similarity,
)
from winnow.lab.measure.tokens import tokens

WORDS = st.lists(st.sampled_from(["a", "b", "c", "the", "grain"]), max_size=40)
TEXTS = st.text(alphabet="ab \n水", max_size=90)


def slow_lcs(left: Sequence[str], right: Sequence[str]) -> int:
    above = [0] * (len(right) + 1)
    for a in left:
        row = [0]
        for j, b in enumerate(right):
            row.append(above[j] + 1 if a == b else max(row[j], above[j + 1]))
        above = row
    return above[-1]


def slow_edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        row = [i]
        for j, b in enumerate(right):
            row.append(min(above[j] + (a != b), above[j + 1] + 1, row[j] + 1))
        above = row
    return above[-1]


def test_occ_overlap_counts_every_token_as_often_as_both_texts_have_it() -> None:
    overlap = occ_overlap(["the", "grain", "the", "chaff"], ["the", "grain", "grain", "stays"])

    assert overlap == Overlap(common=2, result=4, gold=4)
    assert (overlap.precision, overlap.recall, overlap.f1) == (0.5, 0.5, 0.5)


def test_voc_overlap_counts_every_token_once() -> None:
    overlap = voc_overlap(["the", "grain", "the", "chaff"], ["the", "grain", "grain", "on", "top"])

    assert overlap == Overlap(common=2, result=3, gold=4)


def test_aligned_overlap_respects_the_order_when_tokens_are_swapped() -> None:
    overlap = aligned_overlap(["b", "a", "c", "d"], ["a", "b", "c"])

    assert overlap == Overlap(common=2, result=4, gold=3)


@pytest.mark.parametrize(("result", "gold"), [([], ["gold"]), (["result"], []), ([], [])])
def test_an_empty_text_has_precision_and_recall_zero(result: list[str], gold: list[str]) -> None:
    overlap = occ_overlap(result, gold)

    assert (overlap.precision, overlap.recall, overlap.f1) == (0.0, 0.0, 0.0)


def test_f_measure_is_harmonic_and_zero_when_both_are_zero() -> None:
    assert f_measure(0.5, 1.0) == pytest.approx(2 / 3)
    assert f_measure(0.0, 0.0) == 0.0


def test_word_f1_ignores_case_and_punctuation() -> None:
    assert word_f1("Hello, WORLD! again", "hello world") == pytest.approx(0.8)


def test_distances_agree_with_hand_computed_values() -> None:
    result, gold = ["a", "a", "b"], ["a", "b", "b", "c"]

    # their counts of a, b, c: 2 1 0 against 1 2 1
    assert cosine_distance(result, gold) == pytest.approx(1 - 4 / sqrt(5 * 6))
    assert euclidean_distance(result, gold) == pytest.approx(sqrt(3))
    expected = 0.25 * log(0.25 / (2 / 3)) + 0.5 * log(0.5 / (1 / 3)) + 0.25 * log(0.25 / KL_FLOOR)
    assert kl_divergence(result, gold) == pytest.approx(expected)


def test_kl_divergence_is_finite_when_the_result_is_empty() -> None:
    assert kl_divergence([], ["a", "b"]) == pytest.approx(log(0.5 / KL_FLOOR))


def test_similarities_divide_the_edit_distance_by_the_longer_text() -> None:
    assert word_similarity(["a", "b", "c", "d"], ["a", "x", "c"]) == pytest.approx(0.5)
    assert char_similarity("kitten\n", "  sitting") == pytest.approx(1 - 3 / 7)
    assert word_similarity([], []) == 1.0


def test_chinese_is_counted_by_characters_and_everything_else_between_blanks() -> None:
    assert tokens("水 和\n谷物", "zh") == ["水", "和", "谷", "物"]
    assert tokens("水 和\n谷物", "ja") == ["水", "和", "谷物"]


@given(WORDS, WORDS)
def test_aligned_overlap_equals_the_slow_reference(result: list[str], gold: list[str]) -> None:
    assert aligned_overlap(result, gold).common == slow_lcs(result, gold)


@given(TEXTS, TEXTS)
def test_char_similarity_equals_the_slow_reference(result: str, gold: str) -> None:
    left, right = " ".join(result.split()), " ".join(gold.split())
    longer = max(len(left), len(right))
    expected = 1 - slow_edit_distance(left, right) / longer if longer else 1.0

    assert isclose(char_similarity(result, gold), expected)


@given(WORDS, WORDS)
def test_order_can_only_lower_what_is_in_common(result: list[str], gold: list[str]) -> None:
    aligned, occ = aligned_overlap(result, gold), occ_overlap(result, gold)

    assert aligned.common <= occ.common <= min(len(result), len(gold))
    assert voc_overlap(result, gold).common == len(set(result) & set(gold))
    assert occ.common == sum((Counter(result) & Counter(gold)).values())


@given(WORDS.filter(bool))
def test_every_metric_is_perfect_when_result_and_gold_are_the_same(words: list[str]) -> None:
    text = " ".join(words)

    assert occ_overlap(words, words).f1 == voc_overlap(words, words).f1 == 1.0
    assert aligned_overlap(words, words).f1 == word_f1(text, text) == 1.0
    assert cosine_distance(words, words) == pytest.approx(0.0, abs=1e-9)
    assert euclidean_distance(words, words) == kl_divergence(words, words) == 0.0
    assert word_similarity(words, words) == char_similarity(text, text) == 1.0
