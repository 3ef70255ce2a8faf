"""Weights in training -> networks in the kernel, without the rounding of a file."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.network import Floats
from winnow.lab.train.web2text.weights import JointWeights, pack
from winnow.models._kernel import Web2TextNetworks
from winnow.models._kernel.lab import Leaves, web2text_labels
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.errors import ModelError


def model_of(weights: JointWeights, threshold: float = 0.0) -> Web2TextModel:
    """Return weights as the model of an engine; for `threshold` see `Web2TextModel.load`.

    Raises:
        ModelError: they do not match the columns, or each other.
    """
    members = [
        [
            (
                layer.width,
                len(layer.weights) // max(layer.width, 1),
                len(layer.biases),
                _packed(layer.weights),
                _packed(layer.biases),
            )
            for layer in network.layers
        ]
        for network in weights.members
    ]
    means, deviations = _packed(weights.means), _packed(weights.deviations)
    bias = weights.content_bias - threshold
    try:
        networks = Web2TextNetworks(
            means, deviations, weights.limit, bias, weights.agreement, members
        )
    except (ValueError, OverflowError) as error:
        raise ModelError(f"the weights do not fit: {error}") from error
    return Web2TextModel(networks, hashlib.sha256(pack(weights)).hexdigest())


def leaf_labels(model: Web2TextModel, leaves: Leaves) -> NDArray[np.int8]:
    """Return the label of each leaf of the collapsed DOM, 1 for content."""
    return np.frombuffer(web2text_labels(model.networks, leaves), np.int8)


def _packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()
