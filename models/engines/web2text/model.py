"""A trained model of feature version 2: labels for the leaves and for the blocks of a page."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from winnow.models._kernel import Blocks, Leaves, Web2TextNetworks
from winnow.models.engines.web2text.network import Floats
from winnow.models.engines.web2text.weights import JointWeights, load, pack
from winnow.models.errors import ModelError

SHIPPED: Final = Path(__file__).parents[2] / "data" / "web2text.weights"


@dataclass(frozen=True, slots=True)
class Web2TextModel:
    """Networks ready to run in the kernel; immutable, so threads may share it.

    Attributes:
        digest: hex SHA-256 of the weight file that holds them.
    """

    networks: Web2TextNetworks
    digest: str

    @classmethod
    def of(cls, weights: JointWeights, threshold: float = 0.0) -> Self:
        """Hand weights to the kernel.

        `threshold` is taken off the score of label 1 of every block, so that more keeps less.

        Raises:
            ModelError: they do not fit the columns, or each other.
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
        try:
            networks = Web2TextNetworks(
                means,
                deviations,
                weights.limit,
                weights.content_bias - threshold,
                weights.agreement,
                members,
            )
        except (ValueError, OverflowError) as error:
            raise ModelError(f"the weights do not fit: {error}") from error
        return cls(networks, hashlib.sha256(pack(weights)).hexdigest())

    @classmethod
    def load(cls, path: Path = SHIPPED, threshold: float = 0.0) -> Self:
        """Read a weight file; the shipped one by default. `threshold` is that of `of`.

        Raises:
            ModelError: the file cannot be used.
        """
        weights = load(path)
        if not isinstance(weights, JointWeights):
            raise ModelError(f"{path}: feature version 1; the engine runs version 2")
        return cls.of(weights, threshold)

    def walk(self, tree: LexborHTMLParser, *, with_concealed: bool = False) -> Blocks:
        """Cut a parsed page into blocks that know whether they are content.

        Args:
            tree: must not be in other hands meanwhile.
            with_concealed: hidden blocks and those in `noscript` come along.
        """
        return self.networks.walk(tree, with_concealed)

    def labels(self, leaves: Leaves) -> NDArray[np.int8]:
        """Return the label of each leaf of the collapsed DOM, 1 for content."""
        return np.frombuffer(self.networks.labels(leaves), np.int8)


def _packed(values: Floats) -> bytes:
    return values.astype("<f4").tobytes()
