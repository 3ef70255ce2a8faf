"""Percentile bootstrap intervals of figures and differences, over pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnow.lab.measure.scores import PageScore

Floats: TypeAlias = NDArray[np.float64]

ROUNDS: Final = 2000
# fixed, so that the same pages give the same interval on every machine
_SEED: Final = 20201102


@dataclass(frozen=True, slots=True)
class Interval:
    """A value over all pages, and the 2.5 % and 97.5 % quantiles over bootstrap samples."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Statistic:
    """A figure computed from means over pages.

    Attributes:
        columns: page score -> the numbers to average.
        combine: their means (last axis: columns) -> the figure.
    """

    columns: Callable[[PageScore], tuple[float, ...]]
    combine: Callable[[Floats], Floats]


def _f(means: Floats) -> Floats:
    precision, recall = means[..., 0], means[..., 1]
    together = precision + recall
    return np.where(together > 0, 2 * precision * recall / np.where(together > 0, together, 1), 0.0)


OCC_F: Final = Statistic(lambda score: (score.occ.precision, score.occ.recall), _f)
ALIGNED_F: Final = Statistic(lambda score: (score.aligned.precision, score.aligned.recall), _f)
WORD_F1: Final = Statistic(lambda score: (score.word_f1,), lambda means: means[..., 0])


def interval(scores: Sequence[PageScore], statistic: Statistic) -> Interval:
    """Return the interval of a figure of one engine.

    Raises:
        ValueError: there are no pages.
    """
    table = _table(scores, statistic)
    value = statistic.combine(table.mean(axis=0))
    return _interval(value, statistic.combine(_weights(len(table)) @ table))


def paired_difference(
    scores: Sequence[PageScore], others: Sequence[PageScore], statistic: Statistic
) -> Interval:
    """Return the interval of figure minus other figure, both on the same bootstrap samples.

    Raises:
        ValueError: there are no pages, or the two have different pages or orders.
    """
    if [score.page_id for score in scores] != [score.page_id for score in others]:
        raise ValueError("paired differences need the same pages in the same order")
    left, right = _table(scores, statistic), _table(others, statistic)
    weights = _weights(len(left))
    value = statistic.combine(left.mean(axis=0)) - statistic.combine(right.mean(axis=0))
    redrawn = statistic.combine(weights @ left) - statistic.combine(weights @ right)
    return _interval(value, redrawn)


def _table(scores: Sequence[PageScore], statistic: Statistic) -> Floats:
    if not scores:
        raise ValueError("an interval needs at least one page")
    return np.array([statistic.columns(score) for score in scores], dtype=np.float64)


def redrawn_pages(pages: int, seed: int = _SEED) -> NDArray[np.int64]:
    """Return how often each page is drawn, (`ROUNDS`, pages); each row adds up to `pages`."""
    return np.random.default_rng(seed).multinomial(pages, np.full(pages, 1 / pages), ROUNDS)


def _weights(pages: int) -> Floats:
    return redrawn_pages(pages).astype(np.float64) / pages


def _interval(value: Floats, redrawn: Floats) -> Interval:
    low, high = np.quantile(redrawn, [0.025, 0.975])
    return Interval(float(value), float(low), float(high))
