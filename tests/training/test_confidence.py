"""The fitted confidence and the confidence of the kernel are equal."""

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="in the environment of training alone: make test-training")

from tests.unit.models.engines.hybrid.parameter_file import a_file
from winnow.lab.train.hybrid.confidence import Judged, confidence_file, estimated, fitted
from winnow.lab.train.hybrid.templates import log_odds, probability
from winnow.models import _kernel
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import hybrid_confidence_features, hybrid_confidence_names
from winnow.models.document import Page
from winnow.models.page import blocks_of

NAMES = hybrid_confidence_names()
EXPECTED, SHARE = NAMES.index("k_f"), NAMES.index("k_share")


def blocks(markup: str) -> Blocks:
    return blocks_of(Page("https://roofs.invalid/", markup.encode(), "text/html"), wanted="every")


def some_pages(count: int = 600) -> Judged:
    """Pages that keep a promise of much text, and get half of one of little."""
    random = np.random.default_rng(1)
    features = random.random((count, len(NAMES))).astype(np.float32)
    promised = features[:, EXPECTED] = 0.5 + 0.4 * features[:, EXPECTED]
    f1 = np.where(features[:, SHARE] > 0.5, promised, promised / 2)
    return Judged(features, f1.astype(np.float32), random.integers(0, 5, count))


def test_estimates_for_other_sites_correct_what_was_promised() -> None:
    judged = some_pages()

    found = estimated(judged, seed=0)

    promised = judged.features[:, EXPECTED]
    assert np.abs(found - judged.f1).mean() < 0.5 * np.abs(promised - judged.f1).mean()


def test_the_kernel_gives_the_fitted_confidence() -> None:
    judged = some_pages()
    trees = fitted(judged.features, judged.f1, seed=0)
    model = _kernel.HybridModel(a_file(), confidence_file(trees))
    confidences = []

    for count in (1, 4, 40):
        page = blocks("<p>Three masons work on it.</p><a href='/'>Home</a>" * count)
        row = np.frombuffer(hybrid_confidence_features(model, page), np.float32)[None]
        odds = trees.predict(row, num_threads=1, raw_score=True)
        (judgement,) = model.judge([page], "auto", ("auto",) * 4, None)
        confidences.append(judgement.confidence)
        expected = probability(log_odds(row[:, EXPECTED]) + odds)[0]
        assert judgement.confidence == pytest.approx(expected, abs=1e-4)
    assert all(value is not None and 0 < value < 1 for value in confidences)


def test_the_same_pages_give_the_same_file() -> None:
    files = [confidence_file(fitted(some_pages().features, some_pages().f1, 0)) for _ in range(2)]

    assert files[0] == files[1]
