import numpy as np
import pytest

from tests.unit.lab.train.web2text.builders import (
    ARTICLE,
    MENU,
    a_network,
    best_labels,
    joint_weights,
)
from winnow.lab.train.web2text.backward import backward
from winnow.lab.train.web2text.chain import marginals
from winnow.lab.train.web2text.cleaneval import columns_of
from winnow.lab.train.web2text.joint import chain_gradients
from winnow.lab.train.web2text.kernel import leaf_labels, model_of
from winnow.lab.train.web2text.network import Floats, Layer, Network, forward
from winnow.models._kernel import Web2TextNetworks
from winnow.models._kernel.lab import leaves, web2text_column_names, web2text_scores
from winnow.models.page import tree_of

PAGE = f"<div>{MENU}</div>" + f"<p>{ARTICLE} <b>More.</b></p>" * 3 + "<li>one<li>two"


def test_a_wide_layer_sees_its_neighbours_and_zeros_beyond_the_page() -> None:
    weights = np.array([[1], [10], [100]], np.float32)
    layer = Layer(weights, np.zeros(1, np.float32), 3)

    scores = Network((layer,)).scores(np.array([[[1], [2], [3]]], np.float32))

    assert scores[0, :, 0].tolist() == [210, 321, 32]


def test_backward_gives_the_slope_of_every_weight() -> None:
    network = a_network((1, 3, 4), (3, 4, 2))
    features = np.random.default_rng(1).standard_normal((2, 5, 3)).astype(np.float32)
    values = forward(network, features)

    gradients = backward(network, values, np.ones_like(values[-1]))

    for layer, pair in zip(network.layers, gradients, strict=True):
        for parameter, gradient in zip((layer.weights, layer.biases), pair, strict=True):
            spot = tuple(size // 2 for size in parameter.shape)
            parameter[spot] += 0.01
            above = network.scores(features).sum()
            parameter[spot] -= 0.02
            below = network.scores(features).sum()
            parameter[spot] += 0.01
            assert gradient[spot] == pytest.approx((above - below) / 0.02, rel=0.02, abs=0.02)


def test_chain_gradients_are_the_slopes_of_the_loss() -> None:
    scores = np.random.default_rng(2).standard_normal((4, 6)).astype(np.float32)
    labels = np.array([0, 1, 1, 0], np.int8)

    gradients = chain_gradients(scores, labels)

    for spot in np.ndindex(4, 6):
        if spot[0] == 3 and spot[1] > 1:
            assert gradients[spot] == 0  # the last block has no next one
            continue
        step = np.zeros_like(scores)
        step[spot] = 0.01
        slope = (_loss(scores + step, labels) - _loss(scores - step, labels)) / 0.02
        assert gradients[spot] == pytest.approx(slope, abs=1e-3)


def _loss(scores: Floats, labels: np.ndarray) -> float:
    found = marginals(scores[:, :2], scores[:-1, 2:])
    own = scores[np.arange(4), labels].sum()
    pairs = scores[np.arange(3), 2 + 2 * labels[:-1] + labels[1:]].sum()
    return found.log_partition - float(own + pairs)


def test_kernel_scores_a_page_as_numpy_does() -> None:
    weights = joint_weights()
    found = leaves(tree_of(PAGE))
    scaled = np.clip((columns_of(found) - weights.means) / weights.deviations, -4, 4)
    expected = np.mean([member.scores(scaled[None])[0] for member in weights.members], axis=0)

    scores = web2text_scores(model_of(weights).networks, found)

    assert np.frombuffer(scores, "<f4").reshape(-1, 6) == pytest.approx(expected, abs=1e-3)


def test_blocks_of_one_class_path_pull_each_other_to_one_label() -> None:
    weights = joint_weights(content_bias=80.0, agreement=20.0)
    markup = "<ul>" + "<li class=a>one<li class=b>two, longer. <li class=a>A third of 3" * 3
    found = leaves(tree_of(markup))
    networks = model_of(weights).networks
    scores = (
        np.frombuffer(web2text_scores(networks, found), "<f4").reshape(-1, 6).astype(np.float32)
    )
    nodes = scores[:, :2] + np.array([0, 80], np.float32)
    likely = marginals(nodes, scores[:-1, 2:]).nodes[:, 1]
    is_b = np.arange(9) % 3 == 1
    means = np.where(is_b, likely[is_b].mean(), likely[~is_b].mean())
    nodes[:, 1] += 20 * (2 * means - 1)

    labels = leaf_labels(model_of(weights), found)

    assert labels.tolist() == best_labels(nodes, scores[:-1, 2:]).tolist()
    alone = leaf_labels(model_of(joint_weights(content_bias=80.0)), found)
    assert labels.tolist() != alone.tolist()


def test_a_threshold_keeps_fewer_blocks_the_higher_it_is() -> None:
    found = leaves(tree_of(PAGE))

    kept = [
        int(leaf_labels(model_of(joint_weights(), threshold), found).sum())
        for threshold in (-1000.0, 0.0, 1000.0)
    ]

    assert kept[0] == len(found)
    assert kept == sorted(kept, reverse=True)
    assert kept[-1] == 0


@pytest.mark.parametrize(
    ("limit", "widths", "message"),
    [
        (4.0, (1, 2), "a layer of 2"),
        (4.0, (-1, 1), "negative"),
        (0.0, (1, 1), "not a number"),
        (float("nan"), (1, 1), "not a number"),
    ],
)
def test_networks_that_do_not_fit_are_refused(
    limit: float, widths: tuple[int, int], message: str
) -> None:
    columns = len(web2text_column_names())
    ones = np.ones(columns, "<f4").tobytes()
    first = (widths[0], columns, 2, bytes(8 * columns), bytes(8))
    last = (widths[1], 2, 6, bytes(48), bytes(24))

    with pytest.raises((ValueError, OverflowError), match=message):
        Web2TextNetworks(ones, ones, limit, 0.0, 0.0, [[first, last]])


def test_networks_without_members_or_scaling_are_refused() -> None:
    ones = np.ones(len(web2text_column_names()), "<f4").tobytes()

    with pytest.raises(ValueError, match="no network"):
        Web2TextNetworks(ones, ones, 4.0, 0.0, 0.0, [])
    with pytest.raises(ValueError, match="scaling of 1 columns"):
        Web2TextNetworks(bytes(4), ones, 4.0, 0.0, 0.0, [])
    with pytest.raises(ValueError, match="truncated"):
        Web2TextNetworks(bytes(5), ones, 4.0, 0.0, 0.0, [])
