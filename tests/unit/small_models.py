"""Models small enough to train in a test."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from winnow.lab.train.language.training import TrainingPlan, train_model
from winnow.models.ngram import NgramModel

WEIGHTS = {1: (0.98,), 2: (0.25, 0.7), 3: (0.15, 0.35, 0.45)}
_WORDS = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "that",
    "is",
    "was",
    "he",
    "for",
    "it",
    "with",
    "as",
    "his",
    "on",
    "be",
    "at",
    "by",
    "I",
    "this",
    "had",
    "not",
    "are",
    "but",
    "from",
    "or",
    "have",
    "an",
    "they",
    "which",
    "one",
    "you",
    "were",
    "her",
    "all",
    "she",
    "there",
    "would",
    "their",
    "we",
    "him",
    "been",
    "has",
    "when",
    "who",
    "will",
    "more",
    "no",
    "if",
    "out",
    "so",
    "what",
    "up",
    "its",
    "about",
    "into",
    "than",
    "them",
    "can",
    "only",
    "other",
    "new",
    "some",
    "could",
    "time",
    "Müller’s",
    "naïve",
    "Ελλάδας",
    "слово",
    "don't",
    "O'Neill",
    "1999",
    "3.14",
    "U.S.",
    "e.g.",
    "Dr.",
    "汉字",
    "かな",
    "x²",
    "café",
]


def made_up_text(paragraphs: int, seed: int = 1) -> str:
    """Return paragraphs of made-up sentences: a few words often, many rarely."""
    chance = random.Random(seed)
    ranked = [1 / (rank + 1) for rank in range(len(_WORDS))]
    lines = []
    for _ in range(paragraphs):
        sentences = []
        for _ in range(chance.randint(1, 4)):
            words = chance.choices(_WORDS, ranked, k=chance.randint(2, 18))
            sentences.append(" ".join(words).capitalize() + chance.choice(".?!") * 1)
        lines.append(" ".join(sentences))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="session")
def made_up_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "made-up.txt"
    path.write_text(made_up_text(400), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def train(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Train a model on files and return its path."""

    def trained(*corpus: Path, **plan: object) -> Path:
        target = tmp_path_factory.mktemp("model") / "a.winnow"
        order = plan.get("order", 2)
        assert isinstance(order, int)
        options = {"language": "en", "weights": WEIGHTS[order], **plan}
        train_model(corpus, target, TrainingPlan(**options))  # type: ignore[arg-type]  # keywords of a test
        return target

    return trained


@pytest.fixture(scope="session")
def model_file(train: Callable[..., Path], made_up_corpus: Path) -> Path:
    return train(made_up_corpus)


@pytest.fixture(scope="session")
def model(model_file: Path) -> NgramModel:
    return NgramModel.open(model_file)
