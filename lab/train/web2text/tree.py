"""Lay the collapsed DOM out in columns: one row a node, one row a block."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.cdom import CdomNode
from winnow.lab.train.web2text.counters import ADDING, Count, counts_table

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
        counts: (nodes, len(Count)) over the text below a node.
        link_chars: (nodes,) characters below that stand inside an `a` at or below the node.
        starts, ends: (nodes,) half-open character span in the texts of all blocks, each
            followed by one separator.
    """

    nodes: tuple[CdomNode, ...]
    parents: Ints
    depths: Ints
    first_block: Ints
    end_block: Ints
    block_rows: Ints
    counts: Ints
    link_chars: Ints
    starts: Ints
    ends: Ints

    @property
    def texts(self) -> list[str]:
        """The text of each block."""
        return [self.nodes[row].text for row in self.block_rows]


def tree_of(root: CdomNode | None) -> Tree:
    """Return the columns of a collapsed DOM; a page without text has no rows."""
    nodes, parents, depths = _in_document_order(root)
    rows = np.array([row for row, node in enumerate(nodes) if not node.children], dtype=np.int64)
    first = np.searchsorted(rows, np.arange(len(nodes)))
    end = _end_blocks(parents, first, is_block=np.isin(np.arange(len(nodes)), rows))
    texts = [nodes[row].text for row in rows]
    counts = _sums(counts_table(texts), first, end)
    borders = np.concatenate([[0], np.cumsum([len(text) + 1 for text in texts])]).astype(np.int64)
    return Tree(
        nodes=tuple(nodes),
        parents=np.array(parents, dtype=np.int64),
        depths=np.array(depths, dtype=np.int64),
        first_block=first,
        end_block=end,
        block_rows=rows,
        counts=counts,
        link_chars=_link_chars(nodes, parents, counts[:, Count.CHARS]),
        starts=borders[first],
        ends=borders[end] - 1,
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


def _sums(blocks: Ints, first: Ints, end: Ints) -> Ints:
    below = np.concatenate([np.zeros((1, len(Count)), np.int64), blocks.cumsum(axis=0)])
    counts: Ints = below[end] - below[first]
    counts[:, ADDING:] = blocks[end - 1][:, ADDING:]
    return counts


def _link_chars(nodes: list[CdomNode], parents: list[int], chars: Ints) -> Ints:
    link_chars = np.zeros(len(nodes), dtype=np.int64)
    for row in range(len(nodes) - 1, -1, -1):
        if nodes[row].in_link:
            link_chars[row] = chars[row]
        if row:
            link_chars[parents[row]] += link_chars[row]
    return link_chars
