"""One-dimensional convolutions over the blocks of a page, in numpy: forward and backward.

All arrays are float32. A batch has the shape (pages, blocks, columns).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """One convolution with stride 1 and zero padding, as many blocks out as in.

    Attributes:
        weights: (width * columns in, filters): the taps one below the other, left to right.
        biases: (filters,).
        width: blocks that one output sees, odd.
    """

    weights: Floats
    biases: Floats
    width: int


@dataclass(frozen=True, slots=True)
class Network:
    """Layers with ReLU between them; the last one gives scores."""

    layers: tuple[Layer, ...]

    def scores(self, features: Floats) -> Floats:
        """Return (pages, blocks, classes) for features of (pages, blocks, columns)."""
        return forward(self, features)[-1]


def forward(network: Network, features: Floats) -> list[Floats]:
    """Return the input of every layer and, last, the scores."""
    values = [features]
    for index, layer in enumerate(network.layers):
        taps = _taps(values[-1], layer.width)
        out = taps @ layer.weights + layer.biases
        if index + 1 < len(network.layers):
            np.maximum(out, 0, out=out)
        values.append(out)
    return values


def backward(
    network: Network, values: Sequence[Floats], score_gradients: Floats
) -> list[tuple[Floats, Floats]]:
    """Return the gradients of weights and biases, layer by layer from the first."""
    gradients: list[tuple[Floats, Floats]] = []
    flow = score_gradients
    for index in range(len(network.layers) - 1, -1, -1):
        layer = network.layers[index]
        taps = _taps(values[index], layer.width)
        flat = flow.reshape(-1, flow.shape[-1])
        gradients.append((taps.reshape(-1, taps.shape[-1]).T @ flat, flat.sum(axis=0)))
        if index:
            flow = _untapped(flow @ layer.weights.T, layer.width) * (values[index] > 0)
    return gradients[::-1]


def _taps(values: Floats, width: int) -> Floats:
    """Lay the columns of the neighbours side by side: (pages, blocks, width * columns)."""
    if width == 1:
        return values
    reach = width // 2
    padded = np.pad(values, ((0, 0), (reach, reach), (0, 0)))
    blocks = values.shape[1]
    return np.concatenate([padded[:, tap : tap + blocks] for tap in range(width)], axis=2)


def _untapped(gradients: Floats, width: int) -> Floats:
    """Add up what the neighbours' taps say about each block: the transpose of `_taps`."""
    if width == 1:
        return gradients
    reach = width // 2
    pages, blocks, columns = gradients.shape
    columns //= width
    padded = np.zeros((pages, blocks + 2 * reach, columns), np.float32)
    for tap in range(width):
        padded[:, tap : tap + blocks] += gradients[..., tap * columns : (tap + 1) * columns]
    return padded[:, reach : reach + blocks]
