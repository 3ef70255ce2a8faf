"""The network as it is trained; needs the environment of training (`make test-training`)."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="in the environment of training alone: make test-training")

import jax

from tests.unit.lab.train.hybrid.reference_network import reference_odds
from winnow.lab.train.hybrid.network import Inputs, Learner, Targets, judged, log_odds, loss, pooled
from winnow.lab.train.hybrid.weights import Floats, Weights, sigmoid, start
from winnow.lab.train.hybrid.windows import SIDE, Batch
from winnow.models._kernel.lab import HYBRID_INPUT, HYBRID_WINDOW

# compiling takes long on a busy machine
pytestmark = pytest.mark.timeout(300)

COLUMNS = 5
# of three windows, two of which share a row
ROWS = [[(0, 7), (7, 9)], [(9, 20)]]
BLOCKS = 20


def some_weights(outputs: int = 1) -> Weights:
    """Weights that say something."""
    weights = start(COLUMNS, 4, np.random.default_rng(1), outputs)
    return {name: 3 * layer for name, layer in weights.items()}


def some_values() -> tuple[Floats, Floats]:
    random = np.random.default_rng(2)
    columns, words = (
        random.standard_normal((BLOCKS, COLUMNS)),
        random.random((BLOCKS, HYBRID_INPUT)),
    )
    return columns.astype(np.float32), words.astype(np.float32)


def inputs(batch: Batch, random: np.random.Generator | None = None) -> Inputs:
    columns, words = some_values()
    return Inputs.of(batch, batch.padded(columns), batch.padded(words), random)


def targets(batch: Batch, labels: Floats, weight: Floats) -> Targets:
    return Targets(batch.padded(labels), batch.padded(weight))


@pytest.mark.parametrize("outputs", [1, 3])
def test_a_batch_scores_each_window_as_the_equations_do(outputs: int) -> None:
    weights, batch = some_weights(outputs), Batch.of(ROWS)
    columns, words = some_values()

    found = np.asarray(judged(weights, inputs(batch)))

    assert found.shape == (HYBRID_WINDOW, SIDE, outputs)
    for low, high in [window for row in ROWS for window in row]:
        expected = reference_odds(weights, columns[low:high], words[low:high])
        rows = found[batch.is_block & (batch.blocks >= low) & (batch.blocks < high)]
        assert rows == pytest.approx(expected, abs=1e-4)
    assert np.ptp(found[batch.is_block]) > 0.1


def test_dropped_values_change_rows_but_not_the_mean() -> None:
    weights, batch = some_weights(), Batch.of(ROWS)
    whole = np.asarray(judged(weights, inputs(batch)))[batch.is_block]

    drawn = [
        np.asarray(judged(weights, inputs(batch, np.random.default_rng(seed))))[batch.is_block]
        for seed in range(40)
    ]

    assert np.ptp(drawn, axis=0).max() > 0.1
    assert np.mean(drawn) == pytest.approx(whole.mean(), abs=0.1)


def test_labels_without_weight_teach_nothing() -> None:
    weights, batch = some_weights(2), Batch.of(ROWS)
    labels = np.random.default_rng(3).random((BLOCKS, 2)).astype(np.float32)
    weight = np.ones_like(labels)
    weight[:5, 1] = 0
    changed = labels.copy()
    changed[:5, 1] = 1 - labels[:5, 1]

    slopes = [
        jax.grad(loss)(weights, inputs(batch), targets(batch, wanted, weight))
        for wanted in (labels, changed, 1 - labels)
    ]

    assert np.array_equal(slopes[0]["output"], slopes[1]["output"])
    assert not np.allclose(slopes[0]["output"], slopes[2]["output"])


def test_blocks_of_a_group_are_judged_as_one() -> None:
    batch = Batch.of(ROWS)
    odds = log_odds(some_weights(), inputs(batch))
    group = np.arange(HYBRID_WINDOW * SIDE).reshape(HYBRID_WINDOW, SIDE)
    group[1:3, 0] = group[0, 0]

    found = np.asarray(pooled(odds, group))

    assert found[:3, 0] == pytest.approx(np.full((3, 1), np.asarray(odds)[:3, 0].mean()), abs=1e-5)
    assert found[3:] == pytest.approx(np.asarray(odds)[3:], abs=1e-6)
    labels = batch.padded(np.ones((BLOCKS, 1), np.float32))
    alone = loss(some_weights(), inputs(batch), Targets(labels, labels))
    together = loss(some_weights(), inputs(batch), Targets(labels, labels, group))
    assert float(together) != pytest.approx(float(alone))


def test_steps_lower_the_loss_and_teach_words() -> None:
    batch, random = Batch.of(ROWS), np.random.default_rng(5)
    columns, _ = some_values()
    labels = (columns[:, :1] > 0).astype(np.float32)
    learner = Learner(start(COLUMNS, 2, random), 60)
    known = np.concatenate([labels, 1 - labels], axis=1)
    order = np.argsort(batch.blocks[batch.is_block])
    losses = []

    for _ in range(60):
        added = batch.padded(known @ np.asarray(learner.weights["words"]))
        read = Inputs.of(batch, 0 * batch.padded(columns), added, random)
        wanted = Targets(batch.padded(labels), batch.padded(np.full_like(labels, 1 / BLOCKS)))
        losses.append(learner.step(read, wanted, lambda of: known.T @ of[batch.is_block][order]))

    assert losses[-1] < 0.8 * losses[0]


def test_the_same_seeds_give_the_same_weights() -> None:
    batch = Batch.of(ROWS)
    columns, _ = some_values()
    labels = sigmoid(columns[:, :1]).astype(np.float32)

    def trained() -> Weights:
        random = np.random.default_rng(6)
        learner = Learner(start(COLUMNS, 1, random), 8)
        for _ in range(8):
            wanted = targets(batch, labels, np.ones_like(labels))
            learner.step(
                inputs(batch, random), wanted, lambda of: of[batch.is_block].sum(0, keepdims=True)
            )
        return learner.trained()

    one, other = trained(), trained()

    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert not np.array_equal(one["input"], start(COLUMNS, 1, np.random.default_rng(6))["input"])
