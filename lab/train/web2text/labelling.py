"""From a page to the labels of its blocks with the published networks."""

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from winnow.lab.train.web2text.cdom import collapse
from winnow.lab.train.web2text.chain import best_labels, log_softmax
from winnow.lab.train.web2text.dom import dom_of
from winnow.lab.train.web2text.published import block_features, edge_features
from winnow.lab.train.web2text.tree import Tree, tree_of
from winnow.lab.train.web2text.weights import PublishedWeights


def page_tree(page: LexborHTMLParser) -> Tree:
    """Return the blocks of a page and the nodes above them; no rows for a page without text."""
    return tree_of(collapse(dom_of(page)))


def published_labels(tree: Tree, weights: PublishedWeights) -> NDArray[np.int8]:
    """Return 1 for each block that the networks take for content, else 0."""
    if not len(tree.block_rows):
        return np.zeros(0, np.int8)
    blocks = weights.blocks.scores(block_features(tree)[None])[0]
    edges = weights.edges.scores(edge_features(tree)[None])[0]
    return best_labels(log_softmax(blocks), weights.pairwise_weight * log_softmax(edges))
