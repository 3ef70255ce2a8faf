import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.unit.lab.train.web2text.builders import best_labels
from winnow.lab.train.web2text.chain import marginals
from winnow.models._kernel.lab import chain_labels, chain_marginals

SCORES = st.integers(1, 7).flatmap(
    lambda blocks: st.tuples(
        st.lists(st.floats(-9, 9, width=32), min_size=2 * blocks, max_size=2 * blocks),
        st.lists(st.floats(-9, 9, width=32), min_size=4 * blocks - 4, max_size=4 * blocks - 4),
    )
)
Floats = NDArray[np.float32]


def a_chain(scores: tuple[list[float], list[float]]) -> tuple[Floats, Floats]:
    nodes, pairs = (np.array(values, np.float32) for values in scores)
    return nodes.reshape(-1, 2), pairs.reshape(-1, 4)


def total(nodes: Floats, pairs: Floats, labels: tuple[int, ...]) -> float:
    own = sum(float(nodes[i, label]) for i, label in enumerate(labels))
    return own + sum(
        float(pairs[i, 2 * a + b]) for i, (a, b) in enumerate(itertools.pairwise(labels))
    )


def labellings(blocks: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=blocks))


@given(SCORES)
def test_best_labels_have_the_largest_sum_of_all_labellings(
    scores: tuple[list[float], list[float]],
) -> None:
    nodes, pairs = a_chain(scores)

    labels = tuple(best_labels(nodes, pairs).tolist())

    best = max(total(nodes, pairs, other) for other in labellings(len(nodes)))
    assert total(nodes, pairs, labels) == pytest.approx(best)


@given(SCORES)
def test_marginals_are_sums_over_all_labellings(scores: tuple[list[float], list[float]]) -> None:
    nodes, pairs = a_chain(scores)

    found = marginals(nodes, pairs)

    weights = {other: np.exp(total(nodes, pairs, other)) for other in labellings(len(nodes))}
    everything = sum(weights.values())
    ones = [
        sum(weight for labels, weight in weights.items() if labels[i]) / everything
        for i in range(len(nodes))
    ]
    assert found.log_partition == pytest.approx(np.log(everything))
    assert found.nodes[:, 1] == pytest.approx(ones, abs=1e-9)
    assert found.pairs.sum(axis=1) == pytest.approx(np.ones(len(pairs)))


def test_ties_go_to_boilerplate() -> None:
    assert (
        best_labels(np.zeros((3, 2), np.float32), np.zeros((2, 4), np.float32)).tolist() == [0] * 3
    )


def test_a_chain_of_wrong_lengths_is_refused() -> None:
    with pytest.raises(ValueError, match="one pair fewer"):
        chain_labels(bytes(32), bytes(64))
    with pytest.raises(ValueError, match="row of scores is truncated"):
        chain_marginals(bytes(8), b"")
    with pytest.raises(ValueError, match="last number is truncated"):
        chain_labels(bytes(7), b"")
