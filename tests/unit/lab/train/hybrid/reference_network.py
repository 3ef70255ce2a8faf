"""The network of one window, equation by equation: what training and the kernel must both do."""

import numpy as np

from winnow.lab.train.hybrid.weights import Floats, Weights, sigmoid
from winnow.models._kernel.lab import HYBRID_STATE


def reference_odds(weights: Weights, columns: Floats, words: Floats) -> Floats:
    """Return the log-odds of the blocks, (blocks, outputs).

    Args:
        weights: of the layers.
        columns: (blocks, columns) as the network reads them.
        words: what they add to the first layer, (blocks, HYBRID_INPUT).
    """
    read = np.maximum(columns @ weights["input"] + weights["input_bias"] + words, 0)
    there = _states(weights, read, 0)
    back = _states(weights, read[::-1], 1)[::-1]
    both = np.concatenate([there, back], axis=1)
    shares = np.exp(both @ weights["attention"])
    whole = shares @ both / shares.sum()
    seen = np.concatenate([read, both, np.tile(whole, (len(both), 1))], axis=1)
    joint = np.maximum(seen @ weights["joint"] + weights["joint_bias"], 0)
    return np.asarray(joint @ weights["output"] + weights["output_bias"])


def _states(weights: Weights, read: Floats, way: int) -> Floats:
    """Cho et al. 2014, equations 5 to 8."""
    state, states = np.zeros(HYBRID_STATE), []
    for block in read:
        given = block @ weights["gates"][way] + weights["gates_bias"][way]
        projected = state @ weights["state"][way]
        reset = sigmoid(given[:HYBRID_STATE] + projected[:HYBRID_STATE])
        update = sigmoid(
            given[HYBRID_STATE : 2 * HYBRID_STATE] + projected[HYBRID_STATE : 2 * HYBRID_STATE]
        )
        new = np.tanh(given[2 * HYBRID_STATE :] + reset * projected[2 * HYBRID_STATE :])
        state = update * state + (1 - update) * new
        states.append(state)
    return np.array(states)
