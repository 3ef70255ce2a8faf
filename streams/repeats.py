"""Recognize records that were published twice: the recipe for readers of the output topics."""

from collections import OrderedDict
from typing import Final

# Kafka delivers at least once. After a crash a worker publishes again what it had not committed: at
# most one batch per member. So a window of many batches is large enough.
DEFAULT_WINDOW: Final = 10_000


class RepeatFilter:
    """Remembers the `source` headers of the last records.

    Both records of a repeat have the same source, key and value. A page that was crawled again, or
    a replayed dead letter, has another source. For only the newest record of each page, keep the
    last record per key instead, as the compacted topic does.
    """

    def __init__(self, window: int = DEFAULT_WINDOW) -> None:
        """Remember `window` sources per topic."""
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
