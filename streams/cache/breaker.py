"""A circuit breaker: stop requests to a service that does not answer, and probe it now and then."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class BreakerState(StrEnum):
    """State of the breaker: which requests may go out."""

    CLOSED = "closed"  # all of them
    OPEN = "open"  # none
    HALF_OPEN = "half_open"  # one is under way as a probe


@dataclass(frozen=True, slots=True)
class BreakerLimits:
    """When to open, and for how long.

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

    After each allowed request the caller reports `succeeded` or `failed`, also if it was cancelled.
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
        """The state now."""
        return self._state

    def allows(self) -> bool:
        """Return whether a request may go out now; in the half-open state it is the probe."""
        if self._state is BreakerState.OPEN and self._clock() >= self._probe_at:
            self._state = BreakerState.HALF_OPEN
            return True
        return self._state is BreakerState.CLOSED

    def succeeded(self) -> None:
        """Note an answer: close."""
        self._state = BreakerState.CLOSED
        self._failures = 0
        self._wait_s = self._limits.first_wait_s

    def failed(self) -> None:
        """Note a failure: open after a failed probe, or after too many failures in a row."""
        self._failures += 1
        if self._state is BreakerState.HALF_OPEN:
            self._wait_s = min(2 * self._wait_s, self._limits.longest_wait_s)
        elif self._state is BreakerState.OPEN or self._failures < self._limits.failures:
            return
        self._state = BreakerState.OPEN
        self._probe_at = self._clock() + self._wait_s
