"""Parameter files small enough to follow by hand."""

import struct

import numpy as np

from winnow.lab.train.hybrid.weights import Floats, packed, start
from winnow.models._kernel import PAGE_TYPES
from winnow.models._kernel.lab import (
    HYBRID_BUCKETS,
    HYBRID_COLUMNS,
    hybrid_feature_names,
    hybrid_header,
)

TYPES = len(PAGE_TYPES)
# that add to the first layer of the network: their number, and the value of a step
NO_WORDS = struct.pack("<If", 0, 0.5)


def stump(column: int, threshold: float, low: float, high: float) -> bytes:
    """One tree: `low` where the column is at most the threshold, else `high`."""
    return struct.pack("<fIBBfBBBff", 0.0, 1, 1, 1, threshold, column, 1, 2, low, high)


def constant(log_odds: float) -> bytes:
    return struct.pack("<fI", log_odds, 0)


def lexicon(bucket: int = 0, *, product: int = 0) -> bytes:
    """Return word weights: all zero, except `product` for one bucket of products."""
    weights = bytearray(TYPES * HYBRID_BUCKETS)
    weights[TYPES * bucket + 2 : TYPES * bucket + 3] = struct.pack("<b", product)
    return struct.pack("<8f", *[0.0] * TYPES, 0.5) + weights


def sealed(payload: bytes) -> bytes:
    return hybrid_header(payload) + payload


def templates(rows: dict[int, tuple[int, int, int]], forest: bytes = constant(0.0)) -> bytes:
    """What is known of templates (surprise, content, pages, by hash), and a forest to read it."""
    known = (struct.pack("<IbBB", *(hash_, *facts)) for hash_, facts in sorted(rows.items()))
    return struct.pack("<I", len(rows)) + b"".join(known) + forest


def network(
    share: float = 0.0,
    scales: Floats | None = None,
    weights: bytes = b"",
    words: bytes = NO_WORDS,
) -> bytes:
    """Return a network that reads the first columns; `share` is its weight next to the trees."""
    if scales is None:
        scales = np.ones(HYBRID_COLUMNS, np.float32)
    if not weights:
        generator = np.random.default_rng(0)
        layers = start(HYBRID_COLUMNS, 0, generator)
        weights = packed({name: 0 * layer for name, layer in layers.items()})
    return (
        struct.pack("<f", share) + bytes(range(HYBRID_COLUMNS)) + scales.tobytes() + weights + words
    )


def a_file(
    *,
    recurrent: bytes = network(),
    known: bytes = templates({}),
    comments: bytes = constant(-9.0),
    likeliest_kind: int = 0,
    words: bytes = lexicon(),
    kinds: bytes = b"",
) -> bytes:
    """Blocks with few links are content."""
    links = hybrid_feature_names()[0].index("link_share")
    stage = stump(links, 0.4, 3.0, -3.0)
    if not kinds:
        odds = (5.0 if kind == likeliest_kind else 0.0 for kind in range(TYPES))
        kinds = b"".join(map(constant, odds))
    parts = (struct.pack("<ff", 0.45, 1.0), recurrent, stage, known, comments, words, kinds)
    return sealed(b"".join(parts))
