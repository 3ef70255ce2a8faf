"""Scores of the kernel match the oracle, within the steps of the codes."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference_scorer import ReferenceModel, ReferenceSplitter, perplexity
from tests.unit.small_models import WEIGHTS, made_up_text
from winnow.lab.train.language.corpus import text_chunks
from winnow.models._kernel.lab import tokens
from winnow.models.ngram import NgramModel

# Half a step of 1023 steps over at most 27 bits, and the rounding of 32-bit sums.
MAX_LOG2_ERROR = 27 / 1023 / 2 + 1e-4


def oracle_of(model: NgramModel, text: str, **options: Sequence[int]) -> ReferenceModel:
    figures = model.info.figures
    oracle = ReferenceModel(figures.order, WEIGHTS[figures.order], **options)  # type: ignore[arg-type]  # min_counts only
    splitter = ReferenceSplitter(model.punkt)
    oracle.count(sentence for line in text.split("\n") for sentence in splitter.sentences(line))
    return oracle


def log2_errors(
    model: NgramModel, oracle: ReferenceModel, splitter: ReferenceSplitter, text: str
) -> list[float]:
    """Compare every sentence of a text; return the errors of log2 perplexity."""
    expected = [(sentence, *oracle.score(sentence)) for sentence in splitter.sentences(text)]
    scored = model.score_text(text)
    assert [(s.text, s.tokens, s.oov) for s in scored] == [e[:3] for e in expected]
    return [
        abs(math.log2(found.perplexity) - math.log2(perplexity(log2, count)))
        for found, (_, count, _, log2) in zip(scored, expected, strict=True)
    ]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("min_counts", [(1, 1, 1), (2, 2, 3)])
def test_every_sentence_scores_as_the_oracle_does(
    train: Callable[..., Path], made_up_corpus: Path, order: int, min_counts: tuple[int, ...]
) -> None:
    text = made_up_corpus.read_text(encoding="utf-8")
    model = NgramModel.open(train(made_up_corpus, order=order, min_counts=min_counts))
    oracle = oracle_of(model, text, min_counts=min_counts)

    unseen = made_up_text(60, seed=2).replace("time", "unheard-of")
    splitter = ReferenceSplitter(model.punkt)
    errors = [
        error
        for part in (unseen, text[:20_000])
        for error in log2_errors(model, oracle, splitter, part.replace("\n", " "))
    ]

    assert len(errors) > 300
    assert max(errors) < MAX_LOG2_ERROR


@pytest.mark.parametrize(
    ("language", "order"), [("en", 2), ("en", 3), ("el", 2), ("pl", 2), ("ru", 2), ("zh", 2)]
)
def test_every_sentence_of_real_text_scores_as_the_oracle_does(
    shared: Path, train: Callable[..., Path], tmp_path: Path, language: str, order: int
) -> None:
    text = shared / "corpus" / language / "opensource-guides.txt.zst"
    chunk = next(text_chunks(text)).decode(errors="replace")
    lines = chunk.split("\n")
    corpus = tmp_path / "guides.txt"
    corpus.write_text("\n".join(lines[:400]), encoding="utf-8")
    model = NgramModel.open(train(corpus, order=order))
    oracle = oracle_of(model, "\n".join(lines[:400]))

    splitter = ReferenceSplitter(model.punkt)
    errors = [error for line in lines[300:] for error in log2_errors(model, oracle, splitter, line)]

    assert len(errors) > 300
    assert median(errors) < 0.003
    assert max(errors) < MAX_LOG2_ERROR


def test_explain_names_order_and_probability_of_each_token(
    model: NgramModel, made_up_corpus: Path
) -> None:
    oracle = oracle_of(model, made_up_corpus.read_text(encoding="utf-8"))

    explained = model.explain("The of zzz")

    assert [token.text for token in explained] == ["the", "of", "zzz"]
    histories = [("<s>", "<s>"), ("<s>", "the"), ("the", "of")]
    for token, history in zip(explained, histories, strict=True):
        order, probability = oracle.probability(history, token.text)
        assert token.order == order
        assert token.log2_prob == pytest.approx(math.log2(probability), abs=MAX_LOG2_ERROR)
    total = sum(token.log2_prob for token in explained)
    assert model.perplexity("The of zzz") == pytest.approx(perplexity(total, 3))


def test_probabilities_after_a_history_sum_to_one(
    train: Callable[..., Path], made_up_corpus: Path
) -> None:
    model = NgramModel.open(train(made_up_corpus, order=2))
    words = set(tokens(made_up_corpus.read_text(encoding="utf-8"), 1))

    # after the sentence start, which no sentence end follows
    known = sum(2.0 ** model.explain(word)[0].log2_prob for word in words)

    assert known + 2.0**model.info.figures.unknown_log2 == pytest.approx(1, rel=0.003)


@given(st.text(max_size=200))
def test_any_text_scores_within_bounds(model: NgramModel, text: str) -> None:
    for sentence in model.score_text(text):
        assert sentence.text in text
        assert 1 <= sentence.tokens <= len(sentence.text)
        assert 0 <= sentence.oov <= sentence.tokens
        assert 1 <= sentence.perplexity < math.inf


def test_a_text_without_tokens_has_no_sentence(model: NgramModel) -> None:
    assert model.score_text(" \u200b \x00 ") == []
    assert model.perplexity(" ") == 0
    assert model.explain("") == []
