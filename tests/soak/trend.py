"""Samples over time -> a line through them, how sure its slope is, and whether it grows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import fmean, median
from typing import Final

SECONDS_PER_HOUR: Final = 3600.0
# Neighbouring samples are nearly the same one: the medians of a few spans are not.
SPANS: Final = 12
# Student's t for 95 % and the SPANS - 2 degrees of freedom of a line
T_95: Final = 2.228
# The first minutes (caches fill, arenas find their size) do not predict the following days.
WARM_UP_SHARE: Final = 0.25


class Verdict(StrEnum):
    """What a run of this length can say."""

    FLAT = "flat"
    GROWING = "growing"
    UNCLEAR = "unclear: run longer"


@dataclass(frozen=True, slots=True)
class Trend:
    """A line through the samples after the warm-up.

    Attributes:
        start_s: where the warm-up ends.
        level: value of the line there.
        slope: per hour.
        margin: half the width of the slope's 95 % interval, per hour.
        tolerance: the slope that does no harm, per hour.
    """

    start_s: float
    level: float
    slope: float
    margin: float
    tolerance: float

    @property
    def verdict(self) -> Verdict:
        """Growing or flat only if the whole interval is on that side of the tolerance."""
        if self.slope - self.margin > self.tolerance:
            return Verdict.GROWING
        if self.slope + self.margin <= self.tolerance:
            return Verdict.FLAT
        return Verdict.UNCLEAR

    def at(self, time_s: float) -> float:
        """Return the value of the line at a time."""
        return self.level + self.slope * (time_s - self.start_s) / SECONDS_PER_HOUR


def fit(times_s: Sequence[float], values: Sequence[float], tolerance: float) -> Trend:
    """Fit a line to the medians of spans of equal length.

    Raises:
        ValueError: a span has no sample.
    """
    first, last = times_s[0], times_s[-1]
    start_s = first + WARM_UP_SHARE * (last - first)
    points = _medians(times_s, values, start_s)
    hours = [(time_s - start_s) / SECONDS_PER_HOUR for time_s, _ in points]
    levels = [level for _, level in points]
    mean_hour, mean_level = fmean(hours), fmean(levels)
    spread = sum((hour - mean_hour) ** 2 for hour in hours)
    slope = (
        sum(
            (hour - mean_hour) * (level - mean_level)
            for hour, level in zip(hours, levels, strict=True)
        )
        / spread
    )
    level = mean_level - slope * mean_hour
    errors = [y - level - slope * hour for hour, y in zip(hours, levels, strict=True)]
    deviation = math.sqrt(sum(error**2 for error in errors) / (SPANS - 2) / spread)
    return Trend(start_s, level, slope, T_95 * deviation, tolerance)


def _medians(
    times_s: Sequence[float], values: Sequence[float], start_s: float
) -> list[tuple[float, float]]:
    """Return the median time and the median value of each span after the warm-up."""
    width = (times_s[-1] - start_s) / SPANS
    bounds = [start_s + width * number for number in range(SPANS)] + [math.inf]
    points = []
    for low, high in pairwise(bounds):
        within = [each for each in zip(times_s, values, strict=True) if low <= each[0] < high]
        if not within:
            raise ValueError(f"no sample from {low:.0f} s on: sample more often, or run longer")
        points.append((median(at for at, _ in within), median(value for _, value in within)))
    return points
