"""The weights of the network's layers: shapes, initial values and bytes.

This module does not need the training framework (`lab/train/hybrid/network.py`).
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.models._kernel.lab import HYBRID_INPUT, HYBRID_JOINT, HYBRID_STATE

# 32 bits in training, 64 in its tests
Floats = npt.NDArray[np.floating[Any]]

# size of the states of both directions
BOTH: Final = 2 * HYBRID_STATE

Weights = dict[str, Floats]


def start(columns: int, words: int, random: np.random.Generator, outputs: int = 1) -> Weights:
    """Return random weights for the columns, and zeros for the words."""

    def uniform(*shape: int, inputs: int) -> Floats:
        bound = inputs**-0.5
        return random.uniform(-bound, bound, shape).astype(np.float32)

    return {
        "input": uniform(columns, HYBRID_INPUT, inputs=columns),
        "input_bias": uniform(HYBRID_INPUT, inputs=columns),
        "gates": uniform(2, HYBRID_INPUT, 3 * HYBRID_STATE, inputs=HYBRID_STATE),
        "gates_bias": uniform(2, 3 * HYBRID_STATE, inputs=HYBRID_STATE),
        "state": uniform(2, HYBRID_STATE, 3 * HYBRID_STATE, inputs=HYBRID_STATE),
        "attention": uniform(BOTH, inputs=BOTH),
        "joint": uniform(HYBRID_INPUT + 2 * BOTH, HYBRID_JOINT, inputs=HYBRID_INPUT + 2 * BOTH),
        "joint_bias": uniform(HYBRID_JOINT, inputs=HYBRID_INPUT + 2 * BOTH),
        "output": uniform(HYBRID_JOINT, outputs, inputs=HYBRID_JOINT) * np.float32(0.1),
        "output_bias": np.zeros(outputs, np.float32),
        "words": np.zeros((words, HYBRID_INPUT), np.float32),
    }


def squeezed(values: Floats, scales: Floats) -> Floats:
    """Return every column scaled to between -1 and 1: its scale becomes a half."""
    return np.asarray(values / (np.abs(values) + scales))


def packed(weights: Weights) -> bytes:
    """Return the weights of the layers; each row has one input's weights for all outputs."""
    own, both, whole = np.split(weights["joint"], [HYBRID_INPUT, HYBRID_INPUT + BOTH])
    layers = (
        weights["input"],
        weights["input_bias"],
        np.concatenate([*weights["gates"], own], axis=1),
        np.concatenate([*weights["gates_bias"], weights["joint_bias"]]),
        weights["state"],
        weights["attention"],
        both,
        whole,
        weights["output"].T,
        weights["output_bias"],
    )
    return b"".join(layer.astype("<f4").tobytes() for layer in layers)


def sigmoid(values: Floats) -> Floats:
    """Return the logistic function of the values."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values))
