"""Marginals of a linear chain of labels over the blocks of a page."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.network import Floats
from winnow.models._kernel.lab import chain_marginals


@dataclass(frozen=True, slots=True)
class Marginals:
    """Natural logarithm of the sum over all labellings; probabilities (blocks, 2) and pairs.

    `pairs` is (blocks - 1, 4): 00, 01, 10, 11 for a block and the next.
    """

    log_partition: float
    nodes: NDArray[np.float64]
    pairs: NDArray[np.float64]


def marginals(nodes: Floats, pairs: Floats) -> Marginals:
    """Return the expectations of a chain with these scores.

    Args:
        nodes: (blocks, 2) score of each label.
        pairs: (blocks - 1, 4) score of 00, 01, 10, 11 for a block and the next.
    """
    log_partition, node_rows, pair_rows = chain_marginals(_packed(nodes), _packed(pairs))
    return Marginals(
        log_partition,
        np.frombuffer(node_rows, "<f8").reshape(-1, 2),
        np.frombuffer(pair_rows, "<f8").reshape(-1, 4),
    )


def _packed(scores: Floats) -> bytes:
    return scores.astype("<f8").tobytes()
