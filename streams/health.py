"""What the stream is doing right now, and whether that still is life."""

from collections.abc import Callable
from enum import StrEnum


class Phase(StrEnum):
    """Where the agent is with the batch it took last."""

    STARTING = "starting"  # not running yet
    WAITING = "waiting"  # for records: idle
    CLEANING = "cleaning"
    HANDING_OVER = "handing_over"  # the batch before is not yet stored by the brokers
    ENDED = "ended"


class StreamState:
    """Kept by the agent, read by probes, all on one event loop.

    A stream is stuck when one batch is being cleaned for too long. Waiting for brokers is not
    being stuck, for as long as it may take: a new process would wait for the same brokers, and
    the group would rebalance for nothing.
    """

    def __init__(self, stuck_s: float, clock: Callable[[], float]) -> None:
        """Begin in `STARTING`.

        Args:
            stuck_s: longest that a batch may take to clean.
            clock: seconds that never run backwards, `time.monotonic` outside tests.
        """
        self._stuck_s = stuck_s
        self._clock = clock
        self._since = clock()
        self.phase = Phase.STARTING
        self.in_group = False
        self.rebalancing = False
        self.draining = False

    def enter(self, phase: Phase) -> None:
        """Note that a phase begins."""
        self.phase = phase
        self._since = self._clock()

    @property
    def phase_s(self) -> float:
        """How long the phase has lasted."""
        return self._clock() - self._since

    def why_not_live(self) -> str | None:
        """Return why this process should be restarted, None while it is fine."""
        if self.phase is Phase.CLEANING and self.phase_s > self._stuck_s:
            return f"stuck: cleaning one batch for {self.phase_s:.0f} s"
        if self.phase is Phase.ENDED and not self.draining:
            return "the agent has ended"
        return None

    def why_not_ready(self) -> str | None:
        """Return why this process does no work now, None when it does or could.

        A member of the group to which no partition fell is ready: it takes over when another goes.
        """
        if self.draining:
            return "draining"
        if self.phase is Phase.STARTING:
            return "starting"
        if self.rebalancing:
            return "rebalancing"
        if not self.in_group:
            return "not in the group yet"
        return self.why_not_live()
