"""What the stream is doing right now, and whether that still is life."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from winnow.streams.kafka.tuning import COMMIT_S

# Half a minute after the commit should have ended the process.
COMMIT_STUCK_S: Final = COMMIT_S + 30.0


class Phase(StrEnum):
    """Where the agent is with the batch it took last."""

    STARTING = "starting"  # not running yet
    WAITING = "waiting"  # for records: idle
    CLEANING = "cleaning"
    HANDING_OVER = "handing_over"  # the batch before is not yet stored by the brokers
    ENDED = "ended"


class StreamState:
    """Kept by the agent, read by probes, all on one event loop.

    A stream is stuck when one batch is being cleaned for too long, or when a commit does not come
    back: it ends by itself before that. Waiting for brokers to store a batch is not being stuck,
    for as long as it may take: a new process would wait for the same brokers, and the group would
    rebalance for nothing.

    Attributes:
        commit_s: how long the commit under way has waited; the consumer's to say.
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
        self.commit_s: Callable[[], float] = lambda: 0.0

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
        if (commit_s := self.commit_s()) > COMMIT_STUCK_S:
            return f"stuck: a commit has not come back for {commit_s:.0f} s"
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
