"""A process ends with the one that has started it, whatever has killed that one."""

import ctypes
import os
import signal
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int | None) -> None:
    """Ask the kernel for SIGTERM when the parent is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent not in {None, os.getppid()}:  # it was gone before
        signal.raise_signal(signal.SIGTERM)
