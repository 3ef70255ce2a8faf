"""Sentences that one model found, scored by another."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lab.train.language.training import Tokeniser
from models.document import Page
from models.ngram import NgramModel
from models.page import blocks_of

COLUMNS = ("start", "end", "block", "tokens", "oov", "log2_prob")


@pytest.mark.parametrize("text", ["", "One. Two three! Four", "Mr. Smith came. He left.", "猫 α"])
def test_the_same_model_finds_the_same_scores(english: NgramModel, text: str) -> None:
    blocks = blocks_of(Page("", f"<p>{text}</p><p>Home - Log in".encode())).blocks
    (scored,) = english.score([blocks])

    (again,) = english.score_again([scored])

    assert [again.column(name) for name in COLUMNS] == [scored.column(name) for name in COLUMNS]


def test_another_model_keeps_the_borders_and_changes_the_scores(
    english: NgramModel, model: NgramModel
) -> None:
    (scored,) = english.score([blocks_of(Page("", b"<p>The meeting ended. They left.")).blocks])

    (again,) = model.score_again([scored])

    assert again.column("end") == scored.column("end")
    assert again.column("log2_prob") != scored.column("log2_prob")


@pytest.mark.parametrize("text", ["", "One. Two three! Four", "Der Ärger’s, 猫 α b", "a " * 70_000])
def test_scoring_by_two_models_at_once_changes_no_score(
    english: NgramModel, model: NgramModel, text: str
) -> None:
    blocks = blocks_of(Page("", f"<p>{text}</p><p>Home - Log in".encode())).blocks
    (plain,), (both,) = english.score([blocks]), english.score_twice([blocks], model)

    (expected,), (found,) = model.score_again([plain]), model.score_again([both])

    assert [both.column(name) for name in COLUMNS] == [plain.column(name) for name in COLUMNS]
    assert [found.column(name) for name in COLUMNS] == [expected.column(name) for name in COLUMNS]


@pytest.mark.parametrize("tokeniser", Tokeniser)
def test_scoring_by_two_models_at_once_cuts_the_tokens_of_each(
    english: NgramModel, train: Callable[..., Path], made_up_corpus: Path, tokeniser: Tokeniser
) -> None:
    other = NgramModel.open(train(made_up_corpus, tokeniser=tokeniser))
    page = Page("", b"<p>They didn't leave. The End was Near.</p><p>It was not here.")
    blocks = blocks_of(page).blocks
    (both,) = english.score_twice([blocks], other)

    (found,) = other.score_again([both])

    expected = [other.explain(found.text(index)) for index in range(len(found))]
    assert list(np.frombuffer(found.column("tokens"), np.uint32)) == list(map(len, expected))
    sums = [sum(token.log2_prob for token in sentence) for sentence in expected]
    assert np.frombuffer(found.column("log2_prob"), np.float32) == pytest.approx(sums)
