"""Lay the collapsed DOM out in columns: one row a node, one row a block."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from tests.unit.lab.train.web2text.reference_cdom import CdomNode, collapse
from tests.unit.lab.train.web2text.reference_dom import dom_of

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tree:
    """The collapsed DOM of a page; nodes in document order, parents before children.

    Attributes:
        nodes: the nodes themselves, for tags, classes and text.
        parents: (nodes,) row of the parent, -1 for the root, which is row 0.
        depths: (nodes,) hops from the root.
        first_block, end_block: (nodes,) half-open range of the blocks below a node.
        block_rows: (blocks,) row of each block.
    """

    nodes: tuple[CdomNode, ...]
    parents: Ints
    depths: Ints
    first_block: Ints
    end_block: Ints
    block_rows: Ints

    @property
    def texts(self) -> list[str]:
        """The text of each block."""
        return [self.nodes[row].text for row in self.block_rows]


def page_tree(page: LexborHTMLParser) -> Tree:
    """Return the blocks of a page and the nodes above them."""
    return tree_of(collapse(dom_of(page)))


def tree_of(root: CdomNode | None) -> Tree:
    """Return the columns of a collapsed DOM; a page without text has no rows."""
    nodes, parents, depths = _in_document_order(root)
    rows = np.array([row for row, node in enumerate(nodes) if not node.children], dtype=np.int64)
    first = np.searchsorted(rows, np.arange(len(nodes)))
    end = _end_blocks(parents, first, is_block=np.isin(np.arange(len(nodes)), rows))
    return Tree(
        nodes=tuple(nodes),
        parents=np.array(parents, dtype=np.int64),
        depths=np.array(depths, dtype=np.int64),
        first_block=first,
        end_block=end,
        block_rows=rows,
    )


def common_ancestors(tree: Tree) -> tuple[Ints, Ints]:
    """Return the lowest common ancestor of each block and the next, and the hops between them."""
    left, right = tree.block_rows[:-1].copy(), tree.block_rows[1:].copy()
    hops = np.zeros(len(left), dtype=np.int64)
    while (apart := left != right).any():
        for side, other in ((left, right), (right, left)):
            climbs = apart & (tree.depths[side] >= tree.depths[other]) & (side != other)
            side[climbs] = tree.parents[side[climbs]]
            hops += climbs
    return left, hops


def _in_document_order(root: CdomNode | None) -> tuple[list[CdomNode], list[int], list[int]]:
    nodes: list[CdomNode] = []
    parents: list[int] = []
    depths: list[int] = []
    stack = [(root, -1)] if root is not None else []
    while stack:
        node, parent = stack.pop()
        row = len(nodes)
        nodes.append(node)
        parents.append(parent)
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        stack.extend((child, row) for child in reversed(node.children))
    return nodes, parents, depths


def _end_blocks(parents: list[int], first: Ints, is_block: Flags) -> Ints:
    end = np.asarray(first + is_block, np.int64)
    for row in range(len(parents) - 1, 0, -1):
        end[parents[row]] = max(end[parents[row]], end[row])
    return end
