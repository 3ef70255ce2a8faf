"""Figures of block labelling, pooled over all blocks of all pages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winnow.lab.measure.bootstrap import redrawn_pages

Labels = NDArray[np.int8]
Ints = NDArray[np.int64]
# true positives, false positives, false negatives, true negatives
PageCounts = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Figures:
    """Accuracy of both classes; precision, recall and F1 of class 1, content.

    Attributes:
        f1_low, f1_high: 95 % bootstrap interval of F1 over pages.
    """

    pages: int
    blocks: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    f1_low: float
    f1_high: float


def page_counts(guesses: Labels, labels: Labels) -> PageCounts:
    """Count the blocks of one page."""
    hits = int((guesses & labels).sum())
    guessed, wanted = int(guesses.sum()), int(labels.sum())
    return hits, guessed - hits, wanted - hits, len(labels) - guessed - wanted + hits


def figures(counts: Sequence[PageCounts], seed: int = 0) -> Figures:
    """Return the pooled figures; an undefined one (division by 0) is 0."""
    table = np.array(counts, dtype=np.int64).reshape(len(counts), 4)
    hits, false, missed, _ = (int(total) for total in table.sum(axis=0))
    low, high = np.quantile(_resampled_f1(table, seed), (0.025, 0.975))
    return Figures(
        pages=len(table),
        blocks=int(table.sum()),
        accuracy=1 - (false + missed) / max(int(table.sum()), 1),
        precision=hits / max(hits + false, 1),
        recall=hits / max(hits + missed, 1),
        f1=2 * hits / max(2 * hits + false + missed, 1),
        f1_low=float(low),
        f1_high=float(high),
    )


def f1_gain(
    counts: Sequence[PageCounts],
    base: Sequence[PageCounts],
    seed: int = 0,
) -> tuple[float, float]:
    """Return the 95 % paired bootstrap interval of F1 minus F1 of `base`."""
    ours, theirs = (np.array(rows, dtype=np.int64).reshape(-1, 4) for rows in (counts, base))
    low, high = np.quantile(_resampled_f1(ours, seed) - _resampled_f1(theirs, seed), (0.025, 0.975))
    return float(low), float(high)


def _resampled_f1(table: Ints, seed: int) -> NDArray[np.float64]:
    """Return the F1 of each resample; equal seed and page count draw the same pages."""
    hits, false, missed, _ = (redrawn_pages(len(table), seed) @ table).T
    return np.asarray(2 * hits / np.maximum(2 * hits + false + missed, 1), np.float64)
