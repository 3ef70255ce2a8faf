"""Stop asking a service that does not answer, and ask again now and then."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class BreakerState(StrEnum):
    """Whether requests go through."""

    CLOSED = "closed"  # all of them
    OPEN = "open"  # none
    HALF_OPEN = "half_open"  # one is under way as a probe


@dataclass(frozen=True, slots=True)
class BreakerLimits:
    """When to stop asking, and for how long.

    Attributes:
        failures: failed requests in a row that open the breaker.
        first_wait_s: seconds from opening to the first probe.
        longest_wait_s: the wait doubles with each failed probe up to this.
    """

    failures: int = 2
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0


class CircuitBreaker:
    """Three states after Nygard, "Release It!": closed, open, half open with a single probe.

    Whoever is allowed a request reports `succeeded` or `failed`, cancelled requests included.
    """

    def __init__(self, limits: BreakerLimits, clock: Callable[[], float]) -> None:
        """Start closed; `clock` gives seconds that never run backwards."""
        self._limits = limits
        self._clock = clock
        self._state = BreakerState.CLOSED
        self._failures = 0
        self._wait_s = limits.first_wait_s
        self._probe_at = 0.0

    @property
    def state(self) -> BreakerState:
        """Where the breaker stands."""
        return self._state

    def allows(self) -> bool:
        """Return whether a request may go out now; when half open, it is the probe."""
        if self._state is BreakerState.OPEN and self._clock() >= self._probe_at:
            self._state = BreakerState.HALF_OPEN
            return True
        return self._state is BreakerState.CLOSED

    def succeeded(self) -> None:
        """Take note of an answer: close."""
        self._state = BreakerState.CLOSED
        self._failures = 0
        self._wait_s = self._limits.first_wait_s

    def failed(self) -> None:
        """Take note of a failure: open if it was the probe, or one too many in a row."""
        self._failures += 1
        if self._state is BreakerState.HALF_OPEN:
            self._wait_s = min(2 * self._wait_s, self._limits.longest_wait_s)
        elif self._state is BreakerState.OPEN or self._failures < self._limits.failures:
            return
        self._state = BreakerState.OPEN
        self._probe_at = self._clock() + self._wait_s
