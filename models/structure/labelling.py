"""From a page to the labels of its blocks."""

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from models.structure.cdom import collapse
from models.structure.dom import dom_of
from models.structure.features import feature_version
from models.structure.tree import Tree, tree_of
from models.structure.viterbi import best_labels, log_softmax
from models.structure.weights import Weights


def page_tree(markup: str) -> Tree:
    """Return the blocks of a page and the nodes above them; no rows for a page without text."""
    return tree_of(collapse(dom_of(LexborHTMLParser(markup))))


def content_of(tree: Tree, weights: Weights) -> NDArray[np.int8]:
    """Return 1 for each block that the networks take for content, else 0.

    Raises:
        ModelError: the weights were trained for columns that we do not have.
    """
    if not len(tree.block_rows):
        return np.zeros(0, np.int8)
    version = feature_version(weights.feature_version)
    blocks = weights.blocks.scores(version.blocks(tree)[None])[0]
    edges = weights.edges.scores(version.edges(tree)[None])[0]
    return best_labels(log_softmax(blocks), weights.pairwise_weight * log_softmax(edges))
