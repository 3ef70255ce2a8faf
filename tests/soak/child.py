"""A real worker process that says what it holds: `python -m tests.soak.child`.

At SIGUSR2 it writes a line `tasks N blocks N used N free N`: asyncio tasks, blocks of Python's
allocator, and the bytes of glibc's arenas that are in use and that are free.
"""

import asyncio
import ctypes
import gc
import signal
import sys

from winnow.worker.cleaning import build_cleaner
from winnow.worker.service.child import main


class MallInfo(ctypes.Structure):
    """What mallinfo2(3) returns."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


_MALLINFO = ctypes.CDLL(None).mallinfo2
_MALLINFO.restype = MallInfo


def tell(*_: object) -> None:
    """Write how many tasks of all event loops are not done, and what the allocators hold."""
    # no isinstance: it would ask dead weak references for their class
    tasks = [each for each in gc.get_objects() if type(each) is asyncio.Task]
    malloc = _MALLINFO()
    figures = {
        "tasks": sum(not task.done() for task in tasks),
        "blocks": sys.getallocatedblocks(),
        "used": malloc.uordblks + malloc.hblkhd,
        "free": malloc.fordblks,
    }
    print(*(f"{name} {value}" for name, value in figures.items()), flush=True)  # noqa: T201


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, tell)
    main(0, build_cleaner)
