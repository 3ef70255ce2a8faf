"""How the CPU time of something grows with the size of its input."""

import math
import time
from collections.abc import Callable, Sequence
from statistics import linear_regression
from typing import TypeVar

MAX_EXPONENT = 1.15  # of what is linear, with room for noise
ROUNDS = 5

Input = TypeVar("Input")


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of the logarithms of the seconds by the logarithms of the sizes.

    1 is linear, 2 quadratic. Least squares; there must be two sizes or more.
    """
    return linear_regression(list(map(math.log, sizes)), list(map(math.log, seconds))).slope


def exponent_of(
    run: Callable[[bytes], object], inputs: Sequence[bytes], rounds: int = ROUNDS
) -> float:
    """Return the exponent of the CPU time to the bytes of the inputs."""
    return exponent([len(each) for each in inputs], [cpu_s(run, each, rounds) for each in inputs])


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
    """Return whether the CPU time grows as the bytes do, in one of three looks.

    Other work on the machine empties caches. Quadratic growth fails each measurement.
    """
    return any(exponent_of(run, inputs, rounds) <= MAX_EXPONENT for _ in range(3))
