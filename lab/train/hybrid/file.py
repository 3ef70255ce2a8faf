"""Boosters -> the kernel's parameter file (`models/kernel/src/engines/hybrid/model.rs`)."""

import struct
from typing import Any

import lightgbm
import numpy as np

from winnow.lab.train.hybrid.embedding import packed_words
from winnow.lab.train.hybrid.fit import Boosters
from winnow.lab.train.hybrid.lexicon import Lexicon
from winnow.lab.train.hybrid.recurrent import Network
from winnow.lab.train.hybrid.score import Cut
from winnow.lab.train.hybrid.templates import Templates
from winnow.lab.train.hybrid.weights import packed
from winnow.models._kernel.lab import hybrid_header


def file_of(trees: Boosters, cut: Cut) -> bytes:
    """Return the bytes of a parameter file."""
    parts = [
        struct.pack("<ff", cut.article, cut.other),
        network(trees.share, trees.network),
        forest(trees.trees),
        known(trees.templates),
        forest(trees.comments, without=-20.0),
        words(trees.lexicon),
        *map(forest, trees.kinds),
    ]
    payload = b"".join(parts)
    return hybrid_header(payload) + payload


def network(share: float, recurrent: Network) -> bytes:
    """Return the network's share, its columns with their scales, its weights and words."""
    head = struct.pack("<f", share) + bytes(recurrent.columns.tolist())
    layers = recurrent.scales.astype("<f4").tobytes() + packed(recurrent.weights)
    return head + layers + packed_words(recurrent.words, recurrent.weights["words"], recurrent.step)


def known(templates: Templates) -> bytes:
    """Return the means of every template, and the forest."""
    rows = np.zeros(
        len(templates.hashes),
        [("hash", "<u4"), ("surprise", "i1"), ("content", "u1"), ("pages", "u1")],
    )
    rows["hash"] = templates.hashes
    for name in ("surprise", "content", "pages"):
        rows[name] = getattr(templates.known, name)
    return struct.pack("<I", len(rows)) + rows.tobytes() + forest(templates.forest)


def words(lexicon: Lexicon) -> bytes:
    """Return biases, scale and the weights, one row per bucket."""
    numbers = [*lexicon.biases, lexicon.scale]
    return struct.pack(f"<{len(numbers)}f", *numbers) + lexicon.weights.tobytes()


def forest(booster: lightgbm.Booster | None, without: float = 0.0) -> bytes:
    """Return bias and trees; without a forest, the constant log-odds `without`."""
    if booster is None:
        return struct.pack("<fI", without, 0)
    roots = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    return struct.pack("<fI", 0.0, len(roots)) + b"".join(map(tree, roots))


def tree(root: dict[str, Any]) -> bytes:
    """Return one tree: depth, inner nodes, values of the leaves."""
    inner: list[dict[str, Any]] = []
    leaves: list[dict[str, Any]] = []
    depth = _gather(root, inner, leaves)
    places = {id(node): place for place, node in enumerate([*inner, *leaves])}
    nodes = b"".join(
        struct.pack(
            "<fBBB",
            _below(node["threshold"]),
            node["split_feature"],
            places[id(node["left_child"])],
            places[id(node["right_child"])],
        )
        for node in inner
    )
    values = struct.pack(f"<{len(leaves)}f", *(leaf["leaf_value"] for leaf in leaves))
    return struct.pack("<BB", depth, len(inner)) + nodes + values


def _gather(node: dict[str, Any], inner: list[dict[str, Any]], leaves: list[dict[str, Any]]) -> int:
    if "split_feature" not in node:
        leaves.append(node)
        return 0
    inner.append(node)
    return 1 + max(_gather(node[side], inner, leaves) for side in ("left_child", "right_child"))


def _below(threshold: float) -> float:
    """Return the largest 32-bit float up to `threshold`, so that no row changes sides."""
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    return float(single)
