"""An answer that costs time, asked for as often as anyone likes."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from winnow.worker.service.once import Handler, Reply

# of the time of the event loop goes to an answer at most
_SHARE: Final = 0.1
# Age of an answer at most, however long it took to make.
MOST_AGE_S: Final = 1.0


class Rarely:
    """Gives all who ask meanwhile the same answer, and makes it anew after ten times its cost."""

    def __init__(self, make: Handler, clock: Callable[[], float] = time.monotonic) -> None:
        """Make nothing before it is asked for; `clock` is in seconds and never goes back."""
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
