"""Keep what is freed where it is used again."""

import ctypes
from typing import Final

_M_ARENA_MAX: Final = -8  # mallopt(3)


def bound_arenas(arenas: int) -> None:
    """Bound in how many places glibc keeps freed memory; to call before threads are started.

    By default each thread gets a place of its own, up to eight for each processor. The pages that
    an event loop has fetched and the documents that another thread has made then use no memory of
    each other. An allocator without such places has nothing to bound.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_ARENA_MAX, arenas)
