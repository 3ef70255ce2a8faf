"""How well confidence separates good documents from bad ones."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.floating[Any]]

# a page below this F1 is bad
BAD: Final = 0.8
# share of the pages with the lowest confidence
LOWEST: Final = 0.2
_BINS: Final = 10
# shares of the pages that are kept, for the curve
_COVERAGES: Final = tuple(round(0.05 * step, 2) for step in range(1, 21))


@dataclass(frozen=True, slots=True)
class Bin:
    """Pages of similar confidence: mean confidence and mean F1."""

    pages: int
    confidence: float
    f1: float


@dataclass(frozen=True, slots=True)
class Trust:
    """Quality of a confidence on pages outside of training.

    Attributes:
        spearman: rank correlation of confidence and F1.
        bad_in_lowest: share of pages below `BAD` that are among the `LOWEST` by confidence.
        calibration_error: mean distance of confidence and F1 over bins of equal size.
        bins: these bins, by rising confidence.
        coverage: (share of the pages kept, most confident first, mean 1 - F1 of these).
    """

    pages: int
    bad: int
    spearman: float
    bad_in_lowest: float
    calibration_error: float
    bins: tuple[Bin, ...]
    coverage: tuple[tuple[float, float], ...]


def trust(confidence: Values, f1: Values) -> Trust:
    """Compare the confidences of pages with their F1; needs at least one page."""
    order = np.argsort(confidence, kind="stable")
    confidence, f1 = confidence[order], f1[order]
    parts = [part for part in np.array_split(np.arange(len(f1)), _BINS) if len(part)]
    bins = tuple(
        Bin(len(part), float(confidence[part].mean()), float(f1[part].mean())) for part in parts
    )
    distances = [abs(one.confidence - one.f1) * one.pages for one in bins]
    is_bad = f1 < BAD
    lowest = round(LOWEST * len(f1))
    return Trust(
        pages=len(f1),
        bad=int(is_bad.sum()),
        spearman=_correlation(_ranks(confidence), _ranks(f1)),
        bad_in_lowest=float(is_bad[:lowest].sum() / max(1, is_bad.sum())),
        calibration_error=sum(distances) / len(f1),
        bins=bins,
        coverage=tuple((share, _risk(f1, share)) for share in _COVERAGES),
    )


def _risk(f1: Values, share: float) -> float:
    kept = max(1, round(share * len(f1)))
    return float(1 - f1[-kept:].mean())


def _ranks(values: Values) -> Values:
    """Return ranks; equal values get the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place])


def _correlation(left: Values, right: Values) -> float:
    if not (np.ptp(left) and np.ptp(right)):
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])
