"""Gradients of a network of convolutions, in numpy; shapes: `winnow.models.engines.web2text`."""

from collections.abc import Sequence

import numpy as np

from winnow.lab.train.web2text.network import Floats, Network, taps


def backward(
    network: Network, values: Sequence[Floats], score_gradients: Floats
) -> list[tuple[Floats, Floats]]:
    """Return the gradients of weights and biases, layer by layer from the first."""
    gradients: list[tuple[Floats, Floats]] = []
    flow = score_gradients
    for index in range(len(network.layers) - 1, -1, -1):
        layer = network.layers[index]
        seen = taps(values[index], layer.width)
        flat = flow.reshape(-1, flow.shape[-1])
        gradients.append((seen.reshape(-1, seen.shape[-1]).T @ flat, flat.sum(axis=0)))
        if index:
            flow = _untapped(flow @ layer.weights.T, layer.width) * (values[index] > 0)
    return gradients[::-1]


def _untapped(gradients: Floats, width: int) -> Floats:
    """Sum the taps of neighbours for each block: the transpose of `taps`."""
    if width == 1:
        return gradients
    reach = width // 2
    pages, blocks, columns = gradients.shape
    columns //= width
    padded = np.zeros((pages, blocks + 2 * reach, columns), np.float32)
    for tap in range(width):
        padded[:, tap : tap + blocks] += gradients[..., tap * columns : (tap + 1) * columns]
    return padded[:, reach : reach + blocks]
