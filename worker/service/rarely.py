"""Limit the cost of an expensive answer that is asked for often."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from winnow.worker.service.once import Handler, Reply

# highest share of the event loop's time for the answer
_SHARE: Final = 0.1
# Maximum age of an answer, even if it takes long to compute.
MOST_AGE_S: Final = 1.0


class Rarely:
    """Caches an answer for ten times as long as it takes to compute."""

    def __init__(self, make: Handler, clock: Callable[[], float] = time.monotonic) -> None:
        """Compute the answer on the first request; `clock` is monotonic, in seconds."""
        self._make: Final = make
        self._clock: Final = clock
        self._made: asyncio.Task[Reply] | None = None
        self._good_until = 0.0

    async def __call__(self) -> Reply:
        """Return the answer, at most `MOST_AGE_S` old."""
        is_old = self._made is not None and self._made.done() and self._is_old()
        if self._made is None or is_old:
            self._made = asyncio.create_task(self._timed())
        return await asyncio.shield(self._made)

    def _is_old(self) -> bool:
        return self._clock() >= self._good_until

    async def _timed(self) -> Reply:
        begun = self._clock()
        self._good_until = begun
        reply = await self._make()
        now = self._clock()
        self._good_until = now + min((now - begun) * (1 / _SHARE - 1), MOST_AGE_S)
        return reply
