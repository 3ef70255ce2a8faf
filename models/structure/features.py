"""Named versions of the columns that the networks read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from models.errors import ModelError
from models.structure import published
from models.structure.network import Floats
from models.structure.tree import Tree


@dataclass(frozen=True, slots=True)
class FeatureVersion:
    """Columns of blocks, (blocks, block_columns), and of pairs, (blocks - 1, edge_columns)."""

    block_columns: int
    edge_columns: int
    blocks: Callable[[Tree], Floats]
    edges: Callable[[Tree], Floats]


VERSIONS: Final[Mapping[int, FeatureVersion]] = {
    1: FeatureVersion(
        block_columns=published.BLOCK_COLUMNS,
        edge_columns=published.EDGE_COLUMNS,
        blocks=published.block_features,
        edges=published.edge_features,
    ),
}


def feature_version(number: int) -> FeatureVersion:
    """Return a version by its number.

    Raises:
        ModelError: there is no such version.
    """
    if number not in VERSIONS:
        raise ModelError(f"feature version {number}; known are {sorted(VERSIONS)}")
    return VERSIONS[number]
