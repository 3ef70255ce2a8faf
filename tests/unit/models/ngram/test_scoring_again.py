"""Sentences that one model found, scored by another."""

import pytest

from winnow.models.document import Page
from winnow.models.ngram import NgramModel
from winnow.models.page import blocks_of

COLUMNS = ("start", "end", "block", "tokens", "oov", "log2_prob")


@pytest.mark.parametrize("text", ["", "One. Two three! Four", "Mr. Smith came. He left.", "猫 α"])
def test_the_same_model_finds_the_same_scores(english: NgramModel, text: str) -> None:
    blocks = blocks_of(Page("", f"<p>{text}</p><p>Home - Log in".encode()))
    (scored,) = english.score([blocks])

    (again,) = english.score_again([scored])

    assert [again.column(name) for name in COLUMNS] == [scored.column(name) for name in COLUMNS]


def test_another_model_keeps_the_borders_and_changes_the_scores(
    english: NgramModel, model: NgramModel
) -> None:
    (scored,) = english.score([blocks_of(Page("", b"<p>The meeting ended. They left."))])

    (again,) = model.score_again([scored])

    assert again.column("end") == scored.column("end")
    assert again.column("log2_prob") != scored.column("log2_prob")
