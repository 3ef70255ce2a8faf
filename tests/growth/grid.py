"""Which pages of which constructs are cleaned in which mode, so that the whole takes minutes.

Every construct is cleaned up to 1 MB in two modes, and a sample of them in the others. The largest
page follows where the fit to these sizes is in doubt, where a byte costs much, and for a sample of
the rest. A quadratic part that the first fit does not show is a seventh of the time at 1 MB or
less, so it at most doubles the time of the largest page.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.exponents import MAX_EXPONENT, exponent

SMALL: Final = (64_000, 256_000, 1_000_000)
LARGEST: Final = 7_000_000
# smaller ones where a page of the largest size has more nodes than is allowed
LARGE: Final = (LARGEST, LARGEST // 2, LARGEST // 4)
# least time at which the cost of a page is more than what every page costs
LEAST_S: Final = 0.002
ALWAYS: Final = ("Markdown", "text")
# in doubt by its growth up to 1 MB
DOUBTFUL: Final = 1.05
# a loop, by its growth up to 1 MB; the largest page would take minutes
CERTAIN: Final = 1.5

Construct = Callable[[int], bytes]
# the CPU seconds of a page in a mode, the least of some times; nothing if it is refused
Measure = Callable[[str, bytes, int], float | None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn for the grid.

    Attributes:
        seed: of the samples.
        others: one in how many constructs is cleaned in the modes that are not for all.
        worst: how many of the dearest are cleaned in these modes too.
        large: one in how many is cleaned at the largest size without a reason.
        dear: one in how many is dear enough for the largest size.
    """

    seed: int = 1
    others: int = 15
    worst: int = 10
    large: int = 20
    dear: int = 3


@dataclass(slots=True)
class Cost:
    """The least CPU seconds of one construct in one mode, by the bytes of its pages."""

    construct: str
    mode: str
    seconds: dict[int, float] = field(default_factory=dict)

    @property
    def exponent(self) -> float:
        """How the seconds of the upper three sizes grow."""
        upper = sorted(self.seconds.items())[-3:]
        points = [(size, spent) for size, spent in upper if spent >= LEAST_S]
        return exponent(*zip(*points, strict=True)) if len(points) > 1 else 0.0

    @property
    def per_byte(self) -> float:
        """CPU seconds per byte of the largest page."""
        size = max(self.seconds)
        return self.seconds[size] / size

    @property
    def name(self) -> str:
        """What was cleaned, and how."""
        return f"{self.mode}: {self.construct}"

    def measure(self, measure: Measure, body: bytes, times: int) -> bool:
        """Clean a page; False if it is refused."""
        spent = measure(self.mode, body, times)
        if spent is not None:
            self.seconds[len(body)] = min(spent, self.seconds.get(len(body), spent))
        return spent is not None


@dataclass(frozen=True, slots=True)
class Grid:
    """Constructs in modes, and how they are measured.

    Attributes:
        constructs: pages of a size, by the name of what they hold.
        modes: all, of which some are for every construct.
        measure: returns the CPU seconds of one page in one mode.
        too_dear: whether a cost passes the bound of its mode.
        plan: what is drawn.
    """

    constructs: Mapping[str, Construct]
    modes: Sequence[str]
    measure: Measure
    too_dear: Callable[[Cost], bool]
    plan: Plan = Plan()

    def costs(self) -> Iterator[Cost]:
        """Measure all; yield each cost when it is complete."""
        chooser = random.Random(self.plan.seed)
        always = [mode for mode in self.modes if mode in ALWAYS]
        others = [mode for mode in self.modes if mode not in ALWAYS]
        first = self._small(self.constructs, always)
        yield from self._completed(first, chooser)
        dearest = sorted(first, key=lambda cost: -cost.per_byte)
        chosen = {cost.construct for cost in dearest[: self.plan.worst]}
        chosen.update(_drawn(chooser, self.constructs, self.plan.others))
        rest = self._small(sorted(chosen), others)
        yield from self._completed(rest, chooser)

    def _small(self, names: Iterable[str], modes: Sequence[str]) -> list[Cost]:
        """Clean the small pages of constructs; what is refused at all sizes has no cost."""
        costs = []
        for name in names:
            bodies = [self.constructs[name](size) for size in SMALL]
            for mode in modes:
                cost = Cost(name, mode)
                for body, times in zip(bodies, (3, 2, 1), strict=True):
                    cost.measure(self.measure, body, times)
                costs.append(cost)
        return [cost for cost in costs if cost.seconds]

    def _completed(self, costs: Sequence[Cost], chooser: random.Random) -> Iterator[Cost]:
        """Clean the largest pages of some, and all pages once more of those that pass a bound."""
        dear = sorted(costs, key=lambda cost: -cost.per_byte)[: len(costs) // self.plan.dear]
        large = {cost.name for cost in dear} | {
            cost.name for cost in costs if cost.exponent > DOUBTFUL
        }
        large.update(_drawn(chooser, [cost.name for cost in costs], self.plan.large))
        for cost in costs:
            if cost.name in large and cost.exponent < CERTAIN:
                self._add_largest(cost)
            if self._is_bad(cost):
                self._look_again(cost)
            yield cost

    def _add_largest(self, cost: Cost) -> None:
        make = self.constructs[cost.construct]
        any(cost.measure(self.measure, make(size), 1) for size in LARGE)

    def _is_bad(self, cost: Cost) -> bool:
        return cost.exponent > MAX_EXPONENT or self.too_dear(cost)

    def _look_again(self, cost: Cost) -> None:
        """Measure all sizes again: other work on the machine adds to some."""
        for size in (*SMALL, *LARGE):
            body = self.constructs[cost.construct](size)
            if len(body) in cost.seconds:
                cost.measure(self.measure, body, 2)


def _drawn(chooser: random.Random, names: Iterable[str], one_in: int) -> list[str]:
    each = list(names)
    return chooser.sample(each, math.ceil(len(each) / one_in))
