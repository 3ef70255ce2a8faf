"""The network: its known words, and its evaluation in the kernel."""

import numpy as np
import numpy.typing as npt
import pytest

from tests.hostile_pages import HOSTILE
from tests.unit.lab.train.hybrid.reference_network import reference_odds
from tests.unit.models.engines.hybrid.parameter_file import a_file, network
from winnow.lab.train.hybrid.embedding import (
    BlockWords,
    Hashes,
    block_words,
    in_steps,
    known_words,
    packed_words,
)
from winnow.lab.train.hybrid.weights import packed, sigmoid, squeezed, start
from winnow.models import _kernel
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import HYBRID_COLUMNS, hybrid_block_features, hybrid_feature_names
from winnow.models.document import Page
from winnow.models.engines.hybrid import HybridModel
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of

MARKUP = "<nav><a href='/'>Home</a></nav>" + "<p>Three masons work on it.</p><ul><li>One</ul>" * 9

LABELLED = MARKUP.replace("<ul>", "<ul class='postList'><li id=entry-7>Two of them").encode()


def blocks(markup: bytes = MARKUP.encode()) -> Blocks:
    return blocks_of(Page("https://roofs.invalid/", markup, "text/html"), wanted="every")


def rows(page: Blocks) -> npt.NDArray[np.float32]:
    columns = len(hybrid_feature_names()[0])
    return np.frombuffer(hybrid_block_features(page), np.float32).reshape(-1, columns)[
        :, :HYBRID_COLUMNS
    ]


def dense(words: BlockWords, known: Hashes) -> npt.NDArray[np.float32]:
    """One row a block, one column a known word."""
    share, places, ends = words.among(known)
    rows = np.zeros((len(ends) - 1, len(known)), np.float32)
    np.add.at(rows, (np.repeat(np.arange(len(rows)), np.diff(ends)), places), share)
    return rows


def test_the_kernel_computes_the_same_network() -> None:
    page = blocks(LABELLED)
    kinds = block_words([page])
    known = np.unique(np.concatenate([kind.hashes for kind in kinds]))[::2]
    random = np.random.default_rng(6)
    layers = start(HYBRID_COLUMNS, len(known), random).items()
    weights = {name: 3 * layer for name, layer in layers}
    weights["output"] *= 30
    steps, step = in_steps(random.standard_normal(weights["words"].shape))
    weights["words"] = (steps * step).astype(np.float32)
    scales = np.linspace(0.5, 3, HYBRID_COLUMNS, dtype=np.float32)
    table = rows(page)
    values = squeezed(table, scales)
    added = sum(dense(kind, known) @ weights["words"] for kind in kinds)
    odds = reference_odds(weights, values, np.asarray(added))[:, 0]
    wordless = reference_odds(weights, values, np.zeros_like(added))[:, 0]

    recurrent = network(1.0, scales, packed(weights), packed_words(known, weights["words"], step))
    (judgement,) = _kernel.HybridModel(a_file(recurrent=recurrent)).judge(
        [page], "auto", ("auto",) * 4, None
    )

    assert np.ptp(odds) > 1
    assert np.abs(odds - wordless).max() > 1
    assert judgement.probabilities == pytest.approx(sigmoid(odds), abs=2e-3)


def test_known_words_occur_on_enough_sites_and_share_a_block() -> None:
    words = BlockWords(np.array([7, 7, 9, 7, 9, 5, 7, 8], np.uint32), np.array([0, 4, 4, 6, 8]))
    every = np.ones(4, bool)

    # sites of the blocks: 7 is on two, 9 on two
    known = known_words([words], every, np.array([0, 0, 1, 1]), least=2)
    matrix = dense(words, known)

    assert known.tolist() == [7, 9]
    assert matrix[0] == pytest.approx([3 / 2, 1 / 2])  # of four words three are 7
    assert matrix[1:].tolist() == [[0, 0], [0, 1], [1, 0]]
    assert known_words([words], np.arange(4) < 1, np.zeros(4, np.intp), least=2).tolist() == []


def test_steps_are_integers_that_reach_the_largest_weight() -> None:
    steps, step = in_steps(np.array([[0.5, -2.0], [0.0, 1.0]]))

    assert step == pytest.approx(2 / 127)
    assert steps.tolist() == [[32, -127], [0, 64]]
    assert in_steps(np.zeros((0, 3)))[1] > 0


def test_even_odds_halve_the_log_odds_of_the_trees() -> None:
    (trees,) = _kernel.HybridModel(a_file()).judge([blocks()], "auto", ("auto",) * 4, None)
    (mean,) = _kernel.HybridModel(a_file(recurrent=network(0.5))).judge(
        [blocks()], "auto", ("auto",) * 4, None
    )

    before, after = np.array(trees.probabilities), np.array(mean.probabilities)

    assert np.log(after / (1 - after)) == pytest.approx(np.log(before / (1 - before)) / 2, abs=1e-4)


def test_probabilities_are_numbers_on_hostile_pages() -> None:
    model, judged = HybridModel.load(), 0
    for name, markup in HOSTILE.items():
        try:
            page = blocks(markup[:40_000])
        except InvalidPage:
            continue

        (judgement,) = model.judge([page])

        probabilities = np.array(judgement.probabilities)
        assert len(probabilities) == len(page)
        assert np.all((probabilities >= 0) & (probabilities <= 1)), name
        judged += 1
    assert judged > len(HOSTILE) / 2
