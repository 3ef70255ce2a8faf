"""Ranks of known items -> retrieval figures, and the significance of differences."""

import math
from collections.abc import Mapping, Sequence


def reciprocal_rank(rank: int) -> float:
    """Return 1 / rank; 0 for an item that was not found (rank 0).

    With one relevant document per query this is also the average precision.
    """
    return 1 / rank if rank else 0.0


def found_within(rank: int, depth: int) -> float:
    """Return 1 if the item is among the first `depth`, else 0."""
    return float(0 < rank <= depth)


def ndcg(rank: int, depth: int) -> float:
    """Return NDCG at `depth` with gain 2^rel - 1 and log2 discount, of one item of relevance 1."""
    return 1 / math.log2(1 + rank) if 0 < rank <= depth else 0.0


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """Return p values corrected for multiple hypotheses (Holm 1979)."""
    adjusted: dict[str, float] = {}
    highest = 0.0
    ordered = sorted(values.items(), key=lambda item: item[1])
    for place, (name, value) in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - place) * value))
        adjusted[name] = highest
    return {name: adjusted[name] for name in values}


def without_run(tokens: Sequence[str], run: Sequence[str]) -> list[str]:
    """Return the tokens without occurrences of the sequence `run`."""
    if not run:
        return list(tokens)
    kept: list[str] = []
    copied = at = 0
    while True:
        try:
            at = tokens.index(run[0], at)
        except ValueError:
            return [*kept, *tokens[copied:]]
        if list(tokens[at : at + len(run)]) == list(run):
            kept += tokens[copied:at]
            copied = at = at + len(run)
        else:
            at += 1
