"""Limit how often a library's log line repeats, and lower its level where it is harmless.

A client without brokers repeats its errors, and a new cluster has no group coordinator for
some seconds.
"""

import logging
import re
from collections.abc import Callable
from typing import Final

# While no broker answers, aiokafka writes a hundred lines per second, five of them different.
REPEATED_AFTER_S: Final = 10.0

_NUMBER: Final = re.compile(r"0x[0-9a-f]+|\d+")

# A cluster creates its topic of group offsets when the first member asks for a coordinator.
COORDINATOR_WITHIN_S: Final = 10.0
_COORDINATOR: Final = "aiokafka.consumer.group_coordinator"
_NO_COORDINATOR: Final = "Group Coordinator Request failed"


class RepeatedLines(logging.Filter):
    """Drops a library's line that was already written in the last seconds.

    Lines are compared without their numbers: ports, offsets and addresses differ in each line of
    a flood. A traceback is compared by the type and the text of its error.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Start empty; `clock` is monotonic, in seconds."""
        super().__init__()
        self._clock = clock
        self._written: set[str] = set()
        self._forget_at = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written."""
        if isinstance(record.msg, dict):  # structlog's, which are ours
            return True
        now = self._clock()
        if now >= self._forget_at:
            self._written.clear()
            self._forget_at = now + REPEATED_AFTER_S
        error = repr(record.exc_info[1]) if record.exc_info else ""
        said = f"{record.name} {record.levelno} {record.msg} {record.args} {error}"
        line = _NUMBER.sub("0", said)
        is_new = line not in self._written
        self._written.add(line)
        return is_new


class NoCoordinatorYet(logging.Filter):
    """Lowers coordinator lookup errors to `info` unless they last."""

    def __init__(self, clock: Callable[[], float], level: int) -> None:
        """Keep the clock (monotonic, in seconds) and the lowest level that is written."""
        super().__init__()
        self._clock = clock
        self._level = level
        self._since = self._last = float("-inf")

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written."""
        if record.name != _COORDINATOR or not str(record.msg).startswith(_NO_COORDINATOR):
            return True
        now = self._clock()
        if now - self._last >= COORDINATOR_WITHIN_S:
            self._since = now
        self._last = now
        if now - self._since < COORDINATOR_WITHIN_S:
            record.levelno, record.levelname = logging.INFO, "INFO"
        return record.levelno >= self._level
