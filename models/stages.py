"""CPU time of the stages of a page, by a clock that the caller hands over."""

from collections.abc import Callable
from typing import Final

# CPU nanoseconds of the calling thread, such as `time.thread_time_ns`.
Clock = Callable[[], int]
NANOSECONDS_PER_MS: Final = 1e6


def no_clock() -> int:
    """Stand for a clock that nobody handed over: no stage takes any time."""
    return 0


class Laps:
    """Adds up the time between calls under the name of the stage that they end.

    Without a clock there is no stage.
    """

    __slots__ = ("_clock", "_is_measuring", "_last", "_nanoseconds")

    def __init__(self, clock: Clock) -> None:
        """Start the first lap now."""
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
        """Start the next lap now: what passed since the last one belongs to others."""
        self._last = self._clock()

    def add_share(self, other: "Laps", share: float) -> None:
        """Add the share of time that this page had in what was done for many."""
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
