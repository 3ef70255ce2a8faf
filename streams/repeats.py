"""Tell a record that was published twice: the recipe for readers of the output topics."""

from collections import OrderedDict
from typing import Final

# Kafka delivers at least once, so after a crash a worker publishes again what it had not yet
# committed: one batch a member at most. A window of many batches forgets nothing too early.
DEFAULT_WINDOW: Final = 10_000


class RepeatFilter:
    """Remembers where the last records came from, by their `source` header.

    Both records of a repeat have the same source, key and value. A page that was crawled again,
    or a dead letter that was replayed, has another source: for the newest record of each page,
    keep the last one a key instead, as the compacted topic does.
    """

    def __init__(self, window: int = DEFAULT_WINDOW) -> None:
        """Remember `window` sources a topic."""
        self._window = window
        self._seen: dict[str, OrderedDict[bytes, None]] = {}

    def is_repeat(self, topic: str, source: bytes | None) -> bool:
        """Return whether a record of that source was seen before; remember it."""
        if source is None:
            return False
        seen = self._seen.setdefault(topic, OrderedDict())
        if source in seen:
            seen.move_to_end(source)
            return True
        seen[source] = None
        if len(seen) > self._window:
            seen.popitem(last=False)
        return False
