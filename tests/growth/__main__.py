"""How the cost of hostile pages grows: `python -m tests.growth`, or `make hostile`.

`tests.growth.grid` says which pages are cleaned. Prints the worst by growth, and by time in units
of a bare parse, and ends with 1 where a cost passes a bound. Seconds that grow by more than their
bound are judged by instructions, where valgrind is installed. --every N is a quick look at one of N
constructs.
"""

import argparse
import resource
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bench.speed.callgrind import can_count
from bench.speed.rows import Row, at_most, table
from tests.exponents import MAX_EXPONENT
from tests.growth.constructs import constructs
from tests.growth.grid import LARGEST, Cost, Grid, Plan
from tests.growth.instructions import exponent_of_instructions
from tests.growth.modes import MAX_PARSES, clean, keep_memory, ordinary, page_s, parse_s

SHOWN: Final = 10
# they are counted, not timed
MAX_OF_INSTRUCTIONS: Final = 1.05


def main() -> None:
    """Measure the constructs and print one table."""
    parser = argparse.ArgumentParser(prog="tests.growth", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one construct in N")
    parser.add_argument("--mode", action="append", choices=MAX_PARSES, help="only these")
    parser.add_argument("--seed", type=int, default=Plan().seed, help="of the samples")
    chosen = parser.parse_args()
    modes = chosen.mode or list(MAX_PARSES)
    keep_memory()
    for mode in modes:
        clean(mode, ordinary(LARGEST))  # models are read, and memory was used
    found = dict(islice(constructs().items(), 0, None, chosen.every))
    grid = Grid(found, modes, page_s, _is_too_dear, Plan(seed=chosen.seed))
    costs = list(_shown(grid.costs()))
    rows = list(_rows(costs))
    sys.stdout.write(f"{table(rows)}\n\n{_summary(costs)}\n")
    missed = [row.part for row in rows if not row.holds]
    sys.exit("bounds passed: " + "; ".join(missed) if missed else 0)


def _is_too_dear(cost: Cost) -> bool:
    return _parses(cost) > MAX_PARSES[cost.mode]


def _parses(cost: Cost) -> float:
    """Seconds of the largest page, in units of a parse of an ordinary page of its size."""
    size = max(cost.seconds)
    return cost.seconds[size] / parse_s(size)


def _shown(costs: Iterator[Cost]) -> Iterator[Cost]:
    for cost in costs:
        spent = ", ".join(f"{size:,}: {spent:.3f}" for size, spent in sorted(cost.seconds.items()))
        sys.stderr.write(f"{cost.name}: {spent} s, exponent {cost.exponent:.2f}\n")
        yield cost


def _summary(costs: Sequence[Cost]) -> str:
    used = resource.getrusage(resource.RUSAGE_SELF)
    large = sum(max(cost.seconds) > LARGEST / 5 for cost in costs)
    return (
        f"{len(costs)} costs, {large} with a page above 1 MB;"
        f" {used.ru_utime:.0f} s of user CPU, {used.ru_stime:.0f} s of system CPU"
    )


def _judged(cost: Cost) -> Row:
    """Return the row of a cost whose seconds grow too fast: caches do that, or a loop."""
    if not can_count():
        return at_most(f"{cost.name}: exponent", cost.exponent, MAX_EXPONENT)
    part = f"{cost.name}: exponent {cost.exponent:.2f}, of instructions"
    return at_most(part, exponent_of_instructions(cost.construct, cost.mode), MAX_OF_INSTRUCTIONS)


def _rows(costs: Sequence[Cost]) -> Iterator[Row]:
    """Return the worst by growth and by time, and all that pass a bound."""
    for rank, cost in enumerate(sorted(costs, key=lambda cost: -cost.exponent)):
        if cost.exponent > MAX_EXPONENT:
            yield _judged(cost)
        elif rank < SHOWN:
            yield at_most(f"{cost.name}: exponent", cost.exponent, MAX_EXPONENT)
    shares = [(_parses(cost) / MAX_PARSES[cost.mode], cost) for cost in costs]
    for rank, (share, cost) in enumerate(sorted(shares, key=lambda pair: -pair[0])):
        if rank < SHOWN or share > 1:
            part = f"{cost.name}, {1e6 * cost.per_byte:.3f} s/MB: parses of its size"
            yield at_most(part, _parses(cost), MAX_PARSES[cost.mode], "{:.0f}")


if __name__ == "__main__":
    main()
