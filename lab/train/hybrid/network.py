"""Gated recurrent units over blocks in both directions, and the gradients of their weights.

After Cho et al. 2014, equations 5 to 8. Every block also sees its window as a whole, by a mean
whose weights are learnt. Steps are those of AdamW (Loshchilov and Hutter 2019) at a rate that rises
and falls once. The kernel evaluates the same (`models/kernel/src/engines/hybrid/recurrent/`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self

import numpy as np
import numpy.typing as npt

# of training 32 bits, of its tests 64
Floats = npt.NDArray[np.floating[Any]]
Choice = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

# the same as in the kernel: values that the first layer makes of a block, of a state, and of the
# layer before the last
INPUT: Final = 48
STATE: Final = 32
JOINT: Final = 48
_BOTH: Final = 2 * STATE
# of the values of a layer while it learns
_DROPPED: Final = 0.1
_RATE: Final = 3e-3
_RISE: Final = 0.15
_DECAY: Final = 1e-2
_LARGEST_NORM: Final = 1.0

Weights = dict[str, Floats]


class Words(Protocol):
    """A matrix of a row a block and a column a word, sparse or not."""

    def transpose(self) -> Self:
        """Return a row a word and a column a block."""

    def __matmul__(self, other: Floats) -> Floats:
        """Return the product of both."""


Window = tuple[int, int]


def start(columns: int, words: int, random: np.random.Generator) -> Weights:
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
        "attention": uniform(_BOTH, inputs=_BOTH),
        "joint": uniform(INPUT + 2 * _BOTH, JOINT, inputs=INPUT + 2 * _BOTH),
        "joint_bias": uniform(JOINT, inputs=INPUT + 2 * _BOTH),
        "output": uniform(JOINT, inputs=JOINT) * np.float32(0.1),
        "output_bias": np.zeros(1, np.float32),
        "words": np.zeros((words, INPUT), np.float32),
    }


def squeezed(values: Floats, scales: Floats) -> Floats:
    """Return every column between -1 and 1: half of its usual size is a half."""
    return np.asarray(values / (np.abs(values) + scales))


def packed(weights: Weights) -> bytes:
    """Return the weights of the layers: what one input adds to all outputs in a row."""
    own, both, whole = np.split(weights["joint"], [INPUT, INPUT + _BOTH])
    layers = (
        weights["input"],
        weights["input_bias"],
        np.concatenate([*weights["gates"], own], axis=1),
        np.concatenate([*weights["gates_bias"], weights["joint_bias"]]),
        weights["state"],
        weights["attention"],
        both,
        whole,
        weights["output"],
        weights["output_bias"],
    )
    return b"".join(layer.astype("<f4").tobytes() for layer in layers)


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows side by side, with padding behind the shorter ones.

    Attributes:
        windows: rows of the corpus.
        is_block: (windows, longest): what is no padding.
        turned: (windows, longest): places of the blocks from the last to the first.
    """

    windows: Sequence[Window]
    is_block: Choice
    turned: Places

    @classmethod
    def of(cls, windows: Sequence[Window]) -> "Batch":
        """Return the batch of these windows."""
        lengths = np.array([high - low for low, high in windows])[:, None]
        places = np.arange(lengths.max())[None]
        is_block = places < lengths
        return cls(windows, is_block, np.where(is_block, lengths - 1 - places, places))

    def padded(self, rows: Floats) -> Floats:
        """Return the rows of the windows, (windows, longest, ...), with zeros behind."""
        out = np.zeros((*self.is_block.shape, *rows.shape[1:]), np.float32)
        for window, (low, high) in zip(out, self.windows, strict=True):
            window[: high - low] = rows[low:high]
        return out

    def reversed(self, values: Floats) -> Floats:
        """Return (windows, longest, values) with the blocks of every window in reverse order."""
        return np.take_along_axis(values, self.turned[..., None], axis=1)


class Pass:
    """One way through the network and, in training, back.

    Attributes:
        odds: (windows, longest): log-odds of the blocks.
    """

    def __init__(
        self,
        weights: Weights,
        values: Floats,
        words: Sequence[Words],
        batch: Batch,
        random: np.random.Generator | None,
    ) -> None:
        """Go through it; a generator says which values are dropped on the way.

        Args:
            weights: of the layers.
            values: (windows, longest, columns).
            words: of each kind, (blocks of the batch one after the other, words).
            batch: windows.
            random: in training.
        """
        self._weights, self._values, self._words, self._batch = weights, values, words, batch
        is_block = batch.is_block
        inputs = values @ weights["input"] + weights["input_bias"]
        for kind in words:
            inputs[is_block] += kind @ weights["words"]
        inputs = np.maximum(inputs, 0)
        self._kept_inputs = dropout(inputs.shape, random)
        self._inputs = inputs * self._kept_inputs * is_block[..., None]
        gates = [
            way @ weights["gates"][number] + weights["gates_bias"][number]
            for number, way in enumerate((self._inputs, batch.reversed(self._inputs)))
        ]
        # (steps, ways, windows, values), so that a step lies in one piece
        self._units = _Units(weights["state"], np.stack(gates).transpose(2, 0, 1, 3))
        there, back = self._units.states[1:].transpose(1, 2, 0, 3)
        self._both = np.concatenate([there, batch.reversed(back)], axis=2)
        scores = np.where(is_block, self._both @ weights["attention"], -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        self._shares = shares / shares.sum(axis=1, keepdims=True)
        self._whole = np.einsum("wb,wbv->wv", self._shares, self._both)
        seen = np.concatenate(
            [self._inputs, self._both, np.broadcast_to(self._whole[:, None], self._both.shape)],
            axis=2,
        )
        self._kept_seen = dropout(seen.shape, random)
        self._seen = seen * self._kept_seen
        self._joint = np.maximum(self._seen @ weights["joint"] + weights["joint_bias"], 0)
        self.odds: Floats = self._joint @ weights["output"] + weights["output_bias"][0]

    def gradients(self, error: Floats) -> Weights:
        """Return the gradient of every weight for that of the log-odds, (windows, longest)."""
        weights, batch = self._weights, self._batch
        joint = error[..., None] * weights["output"] * (self._joint > 0)
        seen = (joint @ weights["joint"].T) * self._kept_seen
        inputs, both, whole = np.split(seen, [INPUT, INPUT + _BOTH], axis=2)
        inputs, whole = inputs.copy(), whole.sum(axis=1)
        given = np.einsum("wbv,wv->wb", self._both, whole)
        shares = self._shares
        scores = shares * (given - (shares * given).sum(axis=1, keepdims=True))
        both = both + shares[..., None] * whole[:, None] + scores[..., None] * weights["attention"]
        there, back = both[..., :STATE], batch.reversed(both[..., STATE:])
        gates, state = self._units.gradients(np.stack([there, back]).transpose(2, 0, 1, 3))
        ways = gates.transpose(1, 2, 0, 3)
        inputs += ways[0] @ weights["gates"][0].T
        inputs += batch.reversed(ways[1] @ weights["gates"][1].T)
        inputs *= self._kept_inputs * batch.is_block[..., None] * (self._inputs > 0)
        of_blocks = inputs[batch.is_block]
        seen_by = (self._inputs, batch.reversed(self._inputs))
        return {
            "input": _product(self._values, inputs),
            "input_bias": inputs.sum(axis=(0, 1)),
            "gates": np.stack([_product(seen_by[way], ways[way]) for way in range(2)]),
            "gates_bias": ways.sum(axis=(1, 2)),
            "state": state,
            "attention": np.einsum("wb,wbv->v", scores, self._both),
            "joint": _product(self._seen, joint),
            "joint_bias": joint.sum(axis=(0, 1)),
            "output": np.einsum("wb,wbv->v", error, self._joint),
            "output_bias": error.sum(keepdims=True)[0],
            "words": sum(
                (kind.transpose() @ of_blocks for kind in self._words),
                np.zeros_like(weights["words"]),
            ),
        }


class _Units:
    """Gated recurrent units, both ways at once: reset, update and new value of a state."""

    def __init__(self, weights: Floats, gates: Floats) -> None:
        steps, ways, windows, _ = gates.shape
        self._weights = weights
        self._reset = np.empty((steps, ways, windows, STATE), gates.dtype)
        self._update, self._new, self._held = (np.empty_like(self._reset) for _ in range(3))
        self.states: Floats = np.zeros((steps + 1, ways, windows, STATE), gates.dtype)
        for step in range(steps):
            before = self.states[step]
            told = before @ weights
            both = sigmoid(gates[step, ..., : 2 * STATE] + told[..., : 2 * STATE])
            reset, update = both[..., :STATE], both[..., STATE:]
            held = told[..., 2 * STATE :]
            new = np.tanh(gates[step, ..., 2 * STATE :] + reset * held)
            self._reset[step], self._update[step] = reset, update
            self._new[step], self._held[step] = new, held
            self.states[step + 1] = new + update * (before - new)

    def gradients(self, states: Floats) -> tuple[Floats, Floats]:
        """Return the gradients of the gates and of the weights for those of the states."""
        steps = len(states)
        gates = np.empty((*states.shape[:-1], 3 * STATE), states.dtype)
        told = np.empty_like(gates)
        after = np.zeros_like(states[0])
        turned = self._weights.transpose(0, 2, 1)
        for step in reversed(range(steps)):
            after = after + states[step]
            reset, update, new = self._reset[step], self._update[step], self._new[step]
            of_new = after * (1 - update) * (1 - new * new)
            of_reset = of_new * self._held[step] * reset * (1 - reset)
            of_update = after * (self.states[step] - new) * update * (1 - update)
            gates[step] = np.concatenate([of_reset, of_update, of_new], axis=-1)
            told[step] = np.concatenate([of_reset, of_update, of_new * reset], axis=-1)
            after = after * update + told[step] @ turned
        before = self.states[:-1]
        weights = np.stack([_product(before[:, way], told[:, way]) for way in range(2)])
        return gates, weights


class Learner:
    """AdamW over so many steps, with gradients of bounded norm."""

    def __init__(self, weights: Weights, steps: int) -> None:
        """Learn these weights, in place."""
        self._weights, self._steps, self._step = weights, steps, 0
        self._mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self._square = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, gradients: Weights) -> None:
        """Change the weights in place."""
        norm = np.sqrt(sum(float((value**2).sum()) for value in gradients.values()))
        bound = min(1.0, _LARGEST_NORM / max(norm, 1e-9))
        rate = self._rate()
        self._step += 1
        for name in self._weights:
            gradient = gradients[name] * bound
            self._mean[name] += 0.1 * (gradient - self._mean[name])
            self._square[name] += 0.001 * (gradient**2 - self._square[name])
            mean = self._mean[name] / (1 - 0.9**self._step)
            square = self._square[name] / (1 - 0.999**self._step)
            change = mean / (np.sqrt(square) + 1e-8) + _DECAY * self._weights[name]
            self._weights[name] -= np.float32(rate) * change

    def _rate(self) -> float:
        """Return a rate that rises to the largest one and falls to nothing, as half cosines."""
        done, rise = self._step / self._steps, _RISE
        if done < rise:
            return _RATE * (0.52 - 0.48 * float(np.cos(np.pi * done / rise)))
        return _RATE * (0.5 + 0.5 * float(np.cos(np.pi * (done - rise) / (1 - rise))))


def dropout(
    shape: tuple[int, ...], random: np.random.Generator | None, share: float = _DROPPED
) -> Floats:
    """Return what values are multiplied with: 0, or what makes up for those."""
    if random is None:
        return np.ones(1, np.float32)
    is_kept = random.random(shape, np.float32) >= share
    return np.asarray(is_kept / np.float32(1 - share), np.float32)


def _product(left: Floats, right: Floats) -> Floats:
    """Return the sum of the outer products of all rows."""
    return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])


def sigmoid(values: Floats) -> Floats:
    """Return the logistic function of the values."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values))
