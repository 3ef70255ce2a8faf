"""Find the best labelling of a page from the scores of its blocks and of its pairs."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def log_softmax(scores: Floats) -> Floats:
    """Return natural log-probabilities over the last axis."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


def best_labels(unary: Floats, pairwise: Floats) -> NDArray[np.int8]:
    """Return the labels 0 or 1 that maximise the sum of both scores; ties go to label 0.

    Args:
        unary: (blocks, 2) score of each label.
        pairwise: (blocks - 1, 4) score of 00, 01, 10, 11 for a block and the next.
    """
    blocks = len(unary)
    labels = np.zeros(blocks, np.int8)
    if not blocks:
        return labels
    best = unary.astype(np.float64).tolist()
    pairs = pairwise.astype(np.float64).reshape(-1, 2, 2).tolist()
    follows = [[0, 0] for _ in range(blocks)]
    for i in range(blocks - 2, -1, -1):
        for label in (0, 1):
            stay, change = pairs[i][label][0] + best[i + 1][0], pairs[i][label][1] + best[i + 1][1]
            follows[i][label] = int(change > stay)
            best[i][label] += max(stay, change)
    label = int(best[0][1] > best[0][0])
    for i in range(blocks):
        labels[i] = label
        label = follows[i][label]
    return labels
