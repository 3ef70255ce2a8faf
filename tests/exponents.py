"""How the CPU time of something grows with the size of its input."""

import math
import time
from collections.abc import Callable, Sequence
from statistics import linear_regression
from typing import TypeVar

MAX_EXPONENT = 1.15  # of what is linear, with room for noise
ROUNDS = 5
LOOKS = 12  # other work comes in bursts, and a look may last 20 ms

Input = TypeVar("Input")


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of the logarithms of the seconds by the logarithms of the sizes.

    1 is linear, 2 quadratic. Least squares; there must be two sizes or more.
    """
    return linear_regression(list(map(math.log, sizes)), list(map(math.log, seconds))).slope


def cpu_s(run: Callable[[Input], object], content: Input, rounds: int) -> float:
    """Return the CPU seconds of this thread for one run, the minimum of the rounds."""
    seconds = []
    for _ in range(rounds):
        began = time.thread_time()
        run(content)
        seconds.append(time.thread_time() - began)
    return min(seconds)


def grows_in_proportion(
    run: Callable[[bytes], object], inputs: Sequence[bytes], rounds: int = ROUNDS
) -> bool:
    """Return whether the CPU time grows as the bytes do, in up to `LOOKS` looks.

    The inputs take turns, and each keeps its minimum over all looks: other work on the machine
    takes the cache from the larger ones, so the largest should be small. Quadratic
    growth fails each look.
    """
    sizes, least = [len(each) for each in inputs], [math.inf] * len(inputs)
    for _ in range(LOOKS):
        for _ in range(rounds):
            least = [min(old, cpu_s(run, each, 1)) for old, each in zip(least, inputs, strict=True)]
        if exponent(sizes, least) <= MAX_EXPONENT:
            return True
    return False
