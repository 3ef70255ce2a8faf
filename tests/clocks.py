"""A clock that only a test moves."""


class ManualClock:
    """Monotonic seconds, like `time.monotonic`."""

    def __init__(self) -> None:
        """Start at an arbitrary time."""
        self._now_s = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now_s += seconds
