"""A clock that stands still until a test moves it."""


class ManualClock:
    """Seconds that never run backwards, as `time.monotonic` gives them."""

    def __init__(self) -> None:
        """Start at an arbitrary time."""
        self._now_s = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now_s += seconds
