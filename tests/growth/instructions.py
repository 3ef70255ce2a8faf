"""How the instructions of a construct grow: callgrind counts neither caches nor new memory.

Seconds of a linear construct grow by up to its size to the power of 1.25, where a page outgrows one
cache after the other. Its instructions do not.
"""

import sys
from typing import Final

from bench.speed.callgrind import KERNEL, counted, tell
from tests.exponents import exponent
from tests.growth.constructs import constructs
from tests.growth.modes import clean

SIZES: Final = (128_000, 512_000, 2_000_000)
# copies and new memory are the work of libc
OBJECTS: Final = (*KERNEL, "libc.so", "libc-")


def exponent_of_instructions(construct: str, mode: str) -> float:
    """Clean pages of rising size in a process under callgrind; 50 times as slow as without."""
    by_size = counted("tests.growth.instructions", mode, construct, objects=OBJECTS)
    return exponent([int(size) for size in by_size], list(by_size.values()))


def _run(mode: str, name: str) -> None:
    """Clean pages under callgrind, one dump each, and print the bytes of those accepted."""
    bodies = [constructs()[name](size) for size in SIZES]
    clean(mode, bodies[0])  # models are read
    tell("instrumentation on")
    tell("dump")
    for body in bodies:
        if clean(mode, body):
            tell("dump")
            sys.stdout.write(f"{len(body)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _run(*sys.argv[1:])
