"""Keep what is freed where it is used again, and what stays out of the way of collections."""

import ctypes
import gc
from typing import Final

# Names of mallopt(3) in glibc.
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
# The most that glibc takes for the second. Fetched answers, pages and trees are smaller.
HELD_BYTES: Final = 32 << 20


def tune_allocator(arenas: int) -> None:
    """Bound where glibc keeps freed memory, and let it keep some; to call before threads start.

    By default each thread gets a place of its own, up to eight for each processor. The pages that
    an event loop has fetched and the documents that another thread has made then use no memory of
    each other. And what is large, or lies at the end, goes back to the system when it is freed, to
    be asked for and cleared again for the next answer of a broker: some 30 pages of memory for a
    web page of 74 kB, a sixth of the CPU of a worker that cleans nothing. An allocator without such
    settings is left alone.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_ARENA_MAX, arenas)
        mallopt(_M_MMAP_THRESHOLD, HELD_BYTES)
        mallopt(_M_TRIM_THRESHOLD, HELD_BYTES)


def keep_what_is_there() -> None:
    """Leave out of every later collection what the start has made; it stays to the end.

    Python would look through all of it, some 90,000 objects, whenever a quarter as many have lived
    for a while: a tenth of a second, every few thousand pages.
    """
    gc.collect()
    gc.freeze()
