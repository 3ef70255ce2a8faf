"""Crawls as rates over a day, in units of one process's capacity."""

import math
import random
from collections.abc import Callable
from typing import Final

DAY_S: Final = 86_400.0
MEAN: Final = 3.0
Rate = Callable[[float], float]


def steady(_: float) -> float:
    """Return a constant rate."""
    return MEAN


def daily(at: float) -> float:
    """Return the rate at a time of the day: the peak is five times the rate at night."""
    return MEAN * (1 - 2 / 3 * math.cos(2 * math.pi * at / DAY_S))


def bursty(at: float) -> float:
    """Return a low rate, and nine processes' capacity for twenty minutes, a dozen times per day."""
    return 9.0 if any(begin <= at < begin + BURST_S for begin in BURSTS) else 1.5


BURST_S: Final = 1200.0
_CHOOSER: Final = random.Random(7)
BURSTS: Final = tuple(_CHOOSER.uniform(0, DAY_S - BURST_S) for _ in range(12))
HOURS: Final = {
    "steady": 6.0,
    "daily": 24.0,
    "bursty": 12.0,
}  # simulated hours; the rest of the day is the same
CRAWLS: Final[dict[str, Rate]] = {"steady": steady, "daily": daily, "bursty": bursty}
