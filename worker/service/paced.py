"""A worker process at a rate: `python -m winnow.worker.service.paced RATE PROCESSES PARENT INDEX`.

The rate is in pages per second of this process; 0 pauses it.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.streams.isolation import PageCleaner
from winnow.worker.cleaning import build_cleaner
from winnow.worker.service.child import main
from winnow.worker.settings import Settings


class PacedCleaner:
    """Limits the pages cleaned per second by a rest after each batch."""

    def __init__(
        self,
        cleaner: PageCleaner,
        rate: float,
        clock: Callable[[], float] = time.monotonic,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        """Start now; `clock` and `rest` are in seconds."""
        self._cleaner: Final = cleaner
        self._rate: Final = rate
        self._clock: Final = clock
        self._rest: Final = rest
        self._free_at = clock()

    @property
    def fingerprint(self) -> str:
        """The cleaner's fingerprint: a rate does not change documents."""
        return self._cleaner.fingerprint

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result per page, in order."""
        begun = max(self._free_at, self._clock())
        self._free_at = begun + len(pages) / self._rate
        results = self._cleaner.clean_batch(pages)
        if (left := self._free_at - self._clock()) > 0:
            self._rest(left)
        return results


def _build(rate: float, settings: Settings) -> PageCleaner:
    cleaner = build_cleaner(settings)
    return PacedCleaner(cleaner, rate) if rate else cleaner


if __name__ == "__main__":
    processes, parent, index = map(int, sys.argv[2:])
    main(index, partial(_build, float(sys.argv[1])), processes, parent)
