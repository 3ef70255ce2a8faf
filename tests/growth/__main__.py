"""How the cost of hostile pages grows: `python -m tests.growth`, or `make hostile`.

Each construct is cleaned at three sizes up to 7 MB as Markdown with all that costs something. Sizes
up to 1.75 MB are cleaned in one of the other modes too, which take turns; `--all-modes` takes all
modes up to 7 MB. Prints a table of the worst, and ends with 1 where a bound is passed: an exponent
of the growth, or the time in units of a bare parse.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import linear_regression
from typing import Final

from bench.speed.rows import Row, at_most, table
from tests.growth.constructs import constructs
from tests.growth.modes import MAX_PARSES, cpu_s, measured, parse_s

MEGABYTE: Final = 1_000_000
SIZES: Final = (440_000, 1_750_000, 7_000_000)
# the modes that take turns see all of these but the last, and a smaller one
SMALLEST: Final = 110_000
MAX_EXPONENT: Final = 1.15
SHOWN: Final = 20
# what takes less at the smallest size is the fixed cost of a page
LEAST_S: Final = 0.002
_ALWAYS: Final = "Markdown"


@dataclass(frozen=True, slots=True)
class Cost:
    """The CPU seconds of one construct in one mode, by its bytes."""

    construct: str
    mode: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """Slope of seconds by size, both as logarithms: least squares."""
        points = zip(self.sizes, self.seconds, strict=True)
        logs = [(math.log(size), math.log(spent)) for size, spent in points if spent >= LEAST_S]
        if len(logs) < 2:
            return 0.0
        return linear_regression(*zip(*logs, strict=True)).slope

    @property
    def parses(self) -> float:
        """Seconds of the largest page, in units of a parse of an ordinary page of its size."""
        return self.seconds[-1] / parse_s(self.sizes[-1])

    @property
    def name(self) -> str:
        """What was cleaned, and how."""
        return f"{self.mode}: {self.construct}"


def main() -> None:
    """Measure the constructs and print one table."""
    parser = argparse.ArgumentParser(prog="tests.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="bytes, rising")
    parser.add_argument("--every", type=int, default=1, help="only one of so many constructs")
    parser.add_argument("--mode", action="append", choices=MAX_PARSES, help="only these")
    parser.add_argument("--all-modes", action="store_true")
    chosen = parser.parse_args()
    modes = chosen.mode or (list(MAX_PARSES) if chosen.all_modes else [])
    costs = list(_costs(chosen.sizes, chosen.every, modes))
    rows = list(_rows(costs))
    sys.stdout.write(f"{table(rows)}\n")
    missed = [row.part for row in rows if not row.holds]
    sys.exit("bounds passed: " + "; ".join(missed) if missed else 0)


def _costs(sizes: Sequence[int], every: int, modes: Sequence[str]) -> Iterator[Cost]:
    turns = [mode for mode in MAX_PARSES if mode != _ALWAYS]
    for number, (name, construct) in enumerate(constructs().items()):
        if number % every:
            continue
        bodies = [construct(size) for size in (SMALLEST, *sizes)]
        for mode in modes or (_ALWAYS, turns[number // every % len(turns)]):
            of_mode = bodies[1:] if modes or mode == _ALWAYS else bodies[:-1]
            cpu_s(mode, bodies[0])  # what is made once is made
            cost = _cost(name, mode, of_mode)
            spent = ", ".join(f"{seconds:.3f}" for seconds in cost.seconds)
            sys.stderr.write(f"{cost.name}: {spent} s, exponent {cost.exponent:.2f}\n")
            yield cost


def _cost(name: str, mode: str, bodies: Sequence[bytes]) -> Cost:
    """Clean pages of rising size; the first that is refused ends them, as it costs little."""
    points: list[tuple[int, float]] = []
    for body in bodies:
        seconds, is_refused = measured(mode, body, _times(len(body)))
        if is_refused and points:
            break
        points.append((len(body), seconds))
    sizes, costs = zip(*points, strict=True)
    return Cost(name, mode, sizes, costs)


def _times(size: int) -> int:
    """Return how often a page is cleaned: other work on the machine adds to small ones."""
    return 2 if size > MEGABYTE else 3


def _rows(costs: Sequence[Cost]) -> Iterator[Row]:
    """Return the worst of each mode by time, and of all by growth; all that pass a bound."""
    for mode, most in MAX_PARSES.items():
        parses = [(cost.parses, cost) for cost in costs if cost.mode == mode]
        for rank, (times, cost) in enumerate(sorted(parses, key=lambda pair: -pair[0])):
            if rank < SHOWN // 4 or times > most:
                yield at_most(f"{cost.name}: parses of its size", times, most, "{:.0f}")
    for rank, cost in enumerate(sorted(costs, key=lambda cost: -cost.exponent)):
        if rank < SHOWN or cost.exponent > MAX_EXPONENT:
            yield at_most(f"{cost.name}: exponent", cost.exponent, MAX_EXPONENT)


if __name__ == "__main__":
    main()
