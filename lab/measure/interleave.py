"""Run variants in turn, round by round, and compare their times within each round."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ratio of the times of two variants in the same rounds.

    Attributes:
        median: median over the rounds.
        low, high: smallest and largest ratio.
    """

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the median with its spread."""
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


class Rounds:
    """Seconds per variant and round."""

    def __init__(self, seconds: Mapping[str, list[float]]) -> None:
        """Keep the figures: one list per variant, all of the same length."""
        self._seconds = seconds

    def ratio(self, variant: str, unit: str) -> Ratio:
        """Return the cost of `variant` relative to `unit`."""
        pairs = zip(self._seconds[variant], self._seconds[unit], strict=True)
        ratios = [cost / base for cost, base in pairs]
        return Ratio(statistics.median(ratios), min(ratios), max(ratios))

    def seconds(self, variant: str) -> float:
        """Return the median seconds of a round: for orientation, not as a result."""
        return statistics.median(self._seconds[variant])


def run(
    variants: Mapping[str, Callable[[], object]],
    rounds: int = 11,
    clock: Callable[[], float] = time.thread_time,
) -> Rounds:
    """Run each variant once to warm up, then all in turn; by this thread's CPU time or a clock."""
    return run_parts({name: [variant] for name, variant in variants.items()}, rounds, clock)


def run_parts(
    variants: Mapping[str, Sequence[Callable[[], object]]],
    rounds: int = 11,
    clock: Callable[[], float] = time.thread_time,
) -> Rounds:
    """Do the same with variants of equally many parts, which take turns part by part.

    A machine whose speed changes within a round then changes all variants alike.
    """
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for parts in variants.values():
        for part in parts:
            part()
    for _ in range(rounds):
        for taken in seconds.values():
            taken.append(0.0)
        for parts in zip(*variants.values(), strict=True):
            for taken, part in zip(seconds.values(), parts, strict=True):
                started = clock()
                part()
                taken[-1] += clock() - started
    return Rounds(seconds)
