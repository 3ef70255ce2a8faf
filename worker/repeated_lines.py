"""Lines of libraries -> each of them now and then: a client without brokers repeats itself."""

import logging
from collections.abc import Callable
from typing import Final

# While no broker answers aiokafka writes a hundred lines a second, five of them different.
REPEATED_AFTER_S: Final = 10.0


class RepeatedLines(logging.Filter):
    """Drops a line that was written within the last seconds; none of ours, and no traceback."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Start with none; `clock` gives seconds that never run backwards."""
        super().__init__()
        self._clock = clock
        self._written: set[str] = set()
        self._forget_at = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is to be written."""
        if isinstance(record.msg, dict) or record.exc_info:  # structlog's, which are ours
            return True
        now = self._clock()
        if now >= self._forget_at:
            self._written.clear()
            self._forget_at = now + REPEATED_AFTER_S
        line = f"{record.name} {record.msg} {record.args}"
        is_new = line not in self._written
        self._written.add(line)
        return is_new
