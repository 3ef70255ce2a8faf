"""A compact histogram of waiting times, for hundreds of millions of pages."""

from collections import Counter
from math import ceil, log
from typing import Final

GROWTH: Final = (
    1.05  # each bin is 5 % wider than the previous one, which limits the error of quantiles
)
LEAST_S: Final = 1e-4


class Waits:
    """Seconds from the arrival of a page to its commit."""

    def __init__(self) -> None:
        """Hold none."""
        self._bins: Counter[int] = Counter()
        self._total_s = 0.0
        self.pages = 0
        self.most_s = 0.0

    def add(self, wait_s: float, pages: int) -> None:
        """Count pages with a waiting time."""
        self._bins[max(0, ceil(log(max(wait_s, LEAST_S) / LEAST_S, GROWTH)))] += pages
        self._total_s += wait_s * pages
        self.pages += pages
        self.most_s = max(self.most_s, wait_s)

    @property
    def mean_s(self) -> float:
        """The exact mean."""
        return self._total_s / self.pages

    def quantile_s(self, share: float) -> float:
        """Return a quantile of the waiting times, to 5 %."""
        seen = 0
        for place in sorted(self._bins):
            seen += self._bins[place]
            if seen >= share * self.pages:
                return float(min(LEAST_S * GROWTH**place, self.most_s))
        return self.most_s
