"""One-dimensional convolutions over the blocks of a page, in numpy.

All arrays are float32. A batch has the shape (pages, blocks, columns).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """One convolution with stride 1 and zero padding: equally many blocks in and out.

    Attributes:
        weights: (width * columns in, filters): the taps stacked, left to right.
        biases: (filters,).
        width: number of blocks per output; odd.
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
        out = taps(values[-1], layer.width) @ layer.weights + layer.biases
        if index + 1 < len(network.layers):
            np.maximum(out, 0, out=out)
        values.append(out)
    return values


def taps(values: Floats, width: int) -> Floats:
    """Concatenate the columns of neighbours: (pages, blocks, width * columns)."""
    if width == 1:
        return values
    reach = width // 2
    padded = np.pad(values, ((0, 0), (reach, reach), (0, 0)))
    blocks = values.shape[1]
    return np.concatenate([padded[:, tap : tap + blocks] for tap in range(width)], axis=2)
