"""Terminate this process when its parent dies."""

import ctypes
import os
import signal
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int | None) -> None:
    """Ask the kernel to send SIGTERM when the parent dies."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent not in {None, os.getppid()}:  # it had died already
        signal.raise_signal(signal.SIGTERM)
