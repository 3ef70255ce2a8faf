"""Run variants in turn, round by round, and compare their time within each round."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time of one variant over that of another, in the same rounds.

    Attributes:
        median: over the rounds.
        low, high: smallest and largest of them.
    """

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the median with its spread."""
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


class Rounds:
    """Seconds of every variant in every round."""

    def __init__(self, seconds: Mapping[str, list[float]]) -> None:
        """Keep the figures: one list a variant, all of the same length."""
        self._seconds = seconds

    def ratio(self, variant: str, unit: str) -> Ratio:
        """Return what `variant` costs in terms of `unit`."""
        pairs = zip(self._seconds[variant], self._seconds[unit], strict=True)
        ratios = [cost / base for cost, base in pairs]
        return Ratio(statistics.median(ratios), min(ratios), max(ratios))

    def seconds(self, variant: str) -> float:
        """Return the median seconds of a round: for orientation, never for a claim."""
        return statistics.median(self._seconds[variant])


def run(
    variants: Mapping[str, Callable[[], object]],
    rounds: int = 11,
    clock: Callable[[], float] = time.thread_time,
) -> Rounds:
    """Run each variant once to warm up, then all in turn, by this thread's CPU time or a clock."""
    return run_parts({name: [variant] for name, variant in variants.items()}, rounds, clock)


def run_parts(
    variants: Mapping[str, Sequence[Callable[[], object]]],
    rounds: int = 11,
    clock: Callable[[], float] = time.thread_time,
) -> Rounds:
    """Do the same with variants of as many parts each, which take turns part by part.

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
