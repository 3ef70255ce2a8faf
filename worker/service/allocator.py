"""Tune glibc malloc and Python's garbage collector for a long-lived worker."""

import ctypes
import gc
from typing import Final

# Names of mallopt(3) in glibc.
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
# The highest mmap threshold that glibc accepts. Fetched answers, pages and trees are smaller.
HELD_BYTES: Final = 32 << 20


def tune_allocator(arenas: int) -> None:
    """Limit glibc malloc arenas and keep freed memory; call this before threads start.

    By default each thread gets its own arena, up to eight per processor. Then the thread that makes
    documents cannot reuse the memory of pages that the event loop has fetched. And glibc returns
    large blocks, and blocks at the end of the heap, to the system when they are freed. The system
    must clear them again for the next answer of a broker: some 30 memory pages per web page of
    74 kB, a sixth of the CPU of a worker that cleans nothing. An allocator without these settings
    is left unchanged.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_ARENA_MAX, arenas)
        mallopt(_M_MMAP_THRESHOLD, HELD_BYTES)
        mallopt(_M_TRIM_THRESHOLD, HELD_BYTES)


def keep_what_is_there() -> None:
    """Freeze start-up objects (`gc.freeze`), so that later collections skip them.

    Otherwise Python scans all of them, some 90,000, whenever a quarter as many new objects have
    survived: a tenth of a second, every few thousand pages.
    """
    gc.collect()
    gc.freeze()
