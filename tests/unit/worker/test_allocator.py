"""Freed memory stays in as many places as were allowed."""

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes
import threading
from worker.allocator import bound_arenas

if {arenas}:
    bound_arenas({arenas})
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fdopen.restype = ctypes.c_void_p
gate = threading.Barrier(5)
threads = [
    threading.Thread(target=lambda: (gate.wait(), libc.malloc(100_000), gate.wait()))
    for _ in range(4)
]
for thread in threads:
    thread.start()
gate.wait()
gate.wait()
for thread in threads:
    thread.join()
out = libc.fdopen(1, b"w")
libc.malloc_info(0, ctypes.c_void_p(out))
libc.fflush(ctypes.c_void_p(out))
"""


def arenas_of(arenas: int) -> int:
    """Return in how many places a process with four threads has memory; 0 sets no bound."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(arenas=arenas)], capture_output=True, check=True
    )
    return done.stdout.count(b"<heap nr=")


@pytest.mark.parametrize("arenas", [1, 2])
def test_threads_share_the_arenas_that_are_allowed(arenas: int) -> None:
    assert arenas_of(0) > 2
    assert arenas_of(arenas) == arenas
