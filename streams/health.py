"""What the stream is doing now, and whether it is still alive."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from winnow.streams.kafka.tuning import COMMIT_S

# Half a minute after the time at which the commit should have ended the process.
COMMIT_STUCK_S: Final = COMMIT_S + 30.0


class Phase(StrEnum):
    """What the agent does with the batch that it took last."""

    STARTING = "starting"  # not running yet
    WAITING = "waiting"  # idle: waits for records
    CLEANING = "cleaning"
    HANDING_OVER = "handing_over"  # the previous batch is not yet stored by the brokers
    ENDED = "ended"


class StreamState:
    """State of the stream: the agent sets it, probes read it, all on one event loop.

    A stream is stuck when the cleaning of one batch takes too long, or when a commit has not
    returned after the time at which it ends by itself. Waiting for brokers to store a batch does
    not count, however long it takes: a new process would wait for the same brokers, and the group
    would rebalance in vain.

    Attributes:
        commit_s: seconds that the current commit has waited; set by the consumer.
    """

    def __init__(self, stuck_s: float, clock: Callable[[], float]) -> None:
        """Start in `STARTING`.

        Args:
            stuck_s: longest time for cleaning one batch.
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
        """Seconds since the phase began."""
        return self._clock() - self._since

    def why_not_live(self) -> str | None:
        """Return why this process should be restarted, None while it is healthy."""
        if self.phase is Phase.CLEANING and self.phase_s > self._stuck_s:
            return f"stuck: cleaning one batch for {self.phase_s:.0f} s"
        if (commit_s := self.commit_s()) > COMMIT_STUCK_S:
            return f"stuck: a commit has not returned for {commit_s:.0f} s"
        if self.phase is Phase.ENDED and not self.draining:
            return "the agent has ended"
        return None

    def why_not_ready(self) -> str | None:
        """Return why this process cannot work now, None when it works or could work.

        A member of the group without partitions is ready: it takes over when another one leaves.
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
