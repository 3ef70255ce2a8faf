"""CPU time of the stages of a page, measured with a clock of the caller."""

from collections.abc import Callable
from typing import Final

# CPU nanoseconds of the calling thread, such as `time.thread_time_ns`.
Clock = Callable[[], int]
NANOSECONDS_PER_MS: Final = 1e6


def no_clock() -> int:
    """Stand in for a missing clock: every stage takes no time."""
    return 0


class Laps:
    """Sums up the times between calls, each under the stage that the call ends.

    Without a clock there are no stages.
    """

    __slots__ = ("_clock", "_is_measuring", "_last", "_nanoseconds")

    def __init__(self, clock: Clock) -> None:
        """Start the first lap."""
        self._clock = clock
        self._is_measuring = clock is not no_clock
        self._last = clock()
        self._nanoseconds: dict[str, float] = {}

    def end(self, stage: str) -> None:
        """End a lap, and start the next one."""
        if not self._is_measuring:
            return
        now = self._clock()
        self._add(stage, now - self._last)
        self._last = now

    def restart(self) -> None:
        """Start the next lap now; the time since the last lap is not counted."""
        self._last = self._clock()

    def add_share(self, other: "Laps", share: float) -> None:
        """Add this page's share of a time spent on several pages."""
        for stage, nanoseconds in other._nanoseconds.items():  # noqa: SLF001 - the same class
            self._add(stage, nanoseconds * share)

    def milliseconds(self) -> dict[str, float]:
        """Return the CPU milliseconds of each stage, to the microsecond."""
        return {
            stage: round(nanoseconds / NANOSECONDS_PER_MS, 3)
            for stage, nanoseconds in self._nanoseconds.items()
        }

    def _add(self, stage: str, nanoseconds: float) -> None:
        self._nanoseconds[stage] = self._nanoseconds.get(stage, 0.0) + nanoseconds
