"""Small networks, pages and weights for the tests."""

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.network import Floats, Layer, Network
from winnow.lab.train.web2text.weights import JointWeights
from winnow.models._kernel.lab import chain_labels, web2text_column_names

ARTICLE = "The committee met on Monday, and it adjourned early, as the rules ask."
MENU = "<a href=/>Home</a><a href=/b>Login</a>"


def a_network(*shapes: tuple[int, int, int], seed: int = 0) -> Network:
    """Return layers of (width, inputs, filters) with random weights."""
    rng = np.random.default_rng(seed)
    return Network(
        tuple(
            Layer(_numbers(rng, width * inputs, filters), _numbers(rng, filters), width)
            for width, inputs, filters in shapes
        )
    )


def joint_weights(
    limit: float = 4.0, content_bias: float = 0.0, agreement: float = 0.0, seed: int = 0
) -> JointWeights:
    """Return two members with random weights that fit the columns."""
    columns = len(web2text_column_names())
    members = tuple(a_network((1, columns, 5), (3, 5, 6), seed=seed + i) for i in range(2))
    means = np.linspace(0, 1, columns, dtype=np.float32)
    return JointWeights(
        means, means + 1, limit, content_bias, agreement, members, "two random networks"
    )


def link_weights(content_bias: float) -> JointWeights:
    """Return weights of one network: links score 3 less for content than other blocks."""
    names = web2text_column_names()
    weights = np.zeros((len(names), 6), np.float32)
    weights[names.index("block.is_link"), 1] = -3
    network = Network((Layer(weights, np.zeros(6, np.float32), 1),))
    means = np.zeros(len(names), np.float32)
    return JointWeights(means, means + 1, 4.0, content_bias, 0.0, (network,), "links")


def best_labels(nodes: Floats, pairs: Floats) -> NDArray[np.int8]:
    """Return the labels 0 or 1 that maximise the sum of both scores.

    Args:
        nodes: (blocks, 2) score of each label.
        pairs: (blocks - 1, 4) score of 00, 01, 10, 11 for a block and the next.
    """
    packed = (scores.astype("<f8").tobytes() for scores in (nodes, pairs))
    return np.frombuffer(chain_labels(*packed), np.int8)


def _numbers(rng: np.random.Generator, *shape: int) -> Floats:
    # halves, so that float16 holds them and sums are exact
    return (rng.integers(-4, 5, shape) / 2).astype(np.float32)
