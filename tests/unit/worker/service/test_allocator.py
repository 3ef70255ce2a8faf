"""Freed memory stays in as many places as were allowed, and is used again."""

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes
import threading
from winnow.worker.service.allocator import tune_allocator

if {arenas}:
    tune_allocator({arenas})
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


FAULTS = """
import resource
from winnow.worker.service.allocator import tune_allocator

if {tuned}:
    tune_allocator(1)

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def answer():
    parts = [bytearray(300_000) for _ in range(30)]
    return b"".join(parts)

answer()
before = faults()
for _ in range(20):
    answer()
print((faults() - before) // 20)
"""


def test_memory_of_an_answer_is_used_again_for_the_next() -> None:
    def faults(*, tuned: bool) -> int:
        program = FAULTS.format(tuned=tuned)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        return int(done.stdout)

    assert faults(tuned=True) < faults(tuned=False) / 10


COLLECTED = """
import gc
from winnow.worker.service.allocator import keep_what_is_there

start = [[number] for number in range(50_000)]
keep_what_is_there()
print(gc.get_freeze_count() >= 50_000, len(gc.get_objects()) < 5_000)
"""


def test_objects_of_the_start_are_frozen_for_later_collections() -> None:
    done = subprocess.run([sys.executable, "-c", COLLECTED], capture_output=True, check=True)

    assert done.stdout.split() == [b"True", b"True"]
