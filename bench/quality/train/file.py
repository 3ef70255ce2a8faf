"""Boosters to the parameter file of the kernel (`models/kernel/src/hybrid/model.rs`)."""

import struct
from typing import Any, Final

import numpy as np

from bench.quality.train.fit import Boosters, Forests
from bench.quality.train.lexicon import Lexicon
from bench.quality.train.score import Cut
from bench.quality.train.templates import Templates
from models._kernel import hybrid_seal

MAGIC: Final = b"WNWHYBR1"


def file_of(trees: Boosters, cut: Cut) -> bytes:
    """Return the bytes of a parameter file."""
    parts = [struct.pack("<ff", cut.article, cut.other), *map(forest, (trees.first, trees.second))]
    parts.append(known(trees.templates))
    parts.append(forest((trees.comments,)) if trees.comments else struct.pack("<fI", -20.0, 0))
    parts.append(words(trees.lexicon))
    parts.extend(forest((kind,)) for kind in trees.kinds)
    payload = b"".join(parts)
    return MAGIC + struct.pack("<QQ", *hybrid_seal(payload)) + payload


def known(templates: Templates) -> bytes:
    """Return what is known of every template, and the forest."""
    rows = np.zeros(
        len(templates.hashes),
        [("hash", "<u4"), ("surprise", "i1"), ("content", "u1"), ("pages", "u1")],
    )
    rows["hash"] = templates.hashes
    for name in ("surprise", "content", "pages"):
        rows[name] = getattr(templates.known, name)
    trees = (templates.forest,) if templates.forest else ()
    return struct.pack("<I", len(rows)) + rows.tobytes() + forest(trees)


def words(lexicon: Lexicon) -> bytes:
    """Return biases, scale and the weights, a row a bucket."""
    numbers = [*lexicon.biases, lexicon.scale]
    return struct.pack(f"<{len(numbers)}f", *numbers) + lexicon.weights.tobytes()


def forest(boosters: Forests) -> bytes:
    """Return bias and trees of the mean of forests; inner nodes first, leaves behind them."""
    roots = [
        tree["tree_structure"] for booster in boosters for tree in booster.dump_model()["tree_info"]
    ]
    trees = b"".join(tree(root, 1 / len(boosters)) for root in roots)
    return struct.pack("<fI", 0.0, len(roots)) + trees


def tree(root: dict[str, Any], share: float) -> bytes:
    """Return one tree: depth, inner nodes, values of the leaves times `share`."""
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
    values = struct.pack(f"<{len(leaves)}f", *(leaf["leaf_value"] * share for leaf in leaves))
    return struct.pack("<BB", depth, len(inner)) + nodes + values


def _gather(node: dict[str, Any], inner: list[dict[str, Any]], leaves: list[dict[str, Any]]) -> int:
    if "split_feature" not in node:
        leaves.append(node)
        return 0
    inner.append(node)
    return 1 + max(_gather(node[side], inner, leaves) for side in ("left_child", "right_child"))


def _below(threshold: float) -> float:
    """Return the largest 32-bit float that is at most `threshold`, so that no row changes sides."""
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    return float(single)
