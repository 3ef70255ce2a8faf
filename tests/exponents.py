"""How the CPU time of something grows with the size of its input."""

import time
from collections.abc import Callable, Sequence

import numpy as np

MAX_EXPONENT = 1.15  # of what is linear, with room for noise
ROUNDS = 5


def exponent_of(
    run: Callable[[bytes], object], inputs: Sequence[bytes], rounds: int = ROUNDS
) -> float:
    """Return the exponent of a log-log fit of CPU time to the bytes of the inputs."""
    seconds = [min(_seconds(run, each) for _ in range(rounds)) for each in inputs]
    sizes = [len(each) for each in inputs]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _seconds(run: Callable[[bytes], object], content: bytes) -> float:
    began = time.thread_time()
    run(content)
    return time.thread_time() - began
