"""The weights of the network's layers: their shapes, how they start, and their bytes.

All of this is without the framework that trains them (`lab/train/hybrid/network.py`).
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

# of training 32 bits, of its tests 64
Floats = npt.NDArray[np.floating[Any]]

# the same as in the kernel: values that the first layer makes of a block, of a state, and of the
# layer before the last
INPUT: Final = 48
STATE: Final = 32
JOINT: Final = 48
BOTH: Final = 2 * STATE

Weights = dict[str, Floats]


def start(columns: int, words: int, random: np.random.Generator, outputs: int = 1) -> Weights:
    """Return random weights for so many columns, and zeros for so many words."""

    def uniform(*shape: int, inputs: int) -> Floats:
        bound = inputs**-0.5
        return random.uniform(-bound, bound, shape).astype(np.float32)

    return {
        "input": uniform(columns, INPUT, inputs=columns),
        "input_bias": uniform(INPUT, inputs=columns),
        "gates": uniform(2, INPUT, 3 * STATE, inputs=STATE),
        "gates_bias": uniform(2, 3 * STATE, inputs=STATE),
        "state": uniform(2, STATE, 3 * STATE, inputs=STATE),
        "attention": uniform(BOTH, inputs=BOTH),
        "joint": uniform(INPUT + 2 * BOTH, JOINT, inputs=INPUT + 2 * BOTH),
        "joint_bias": uniform(JOINT, inputs=INPUT + 2 * BOTH),
        "output": uniform(JOINT, outputs, inputs=JOINT) * np.float32(0.1),
        "output_bias": np.zeros(outputs, np.float32),
        "words": np.zeros((words, INPUT), np.float32),
    }


def squeezed(values: Floats, scales: Floats) -> Floats:
    """Return every column between -1 and 1: half of its usual size is a half."""
    return np.asarray(values / (np.abs(values) + scales))


def packed(weights: Weights) -> bytes:
    """Return the weights of the layers: what one input adds to all outputs in a row."""
    own, both, whole = np.split(weights["joint"], [INPUT, INPUT + BOTH])
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
