"""Records that wait -> batches of them, both bounded in bytes and in count."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from faust.types.tuples import TP
from mode.utils.queues import FlowControlEvent, ThrowableQueue

from streams.records import held_bytes, record_bytes

# mode bounds its queue by items; this one is bounded by bytes, so this is only "more than ever".
_UNBOUNDED_ITEMS: Final = 1 << 31
# What a marker costs in memory (measured with tracemalloc, rounded up): aborted transactions come
# without end while the agent is stuck at a page.
MARKER_BYTES: Final = 128


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Bounds of one batch; a single record larger than `record_bytes` is a batch of its own."""

    pages: int = 128
    record_bytes: int = 16 << 20


class Event(Protocol):
    """The part of a Faust event that matters here."""

    message: Any


@dataclass(frozen=True, slots=True)
class Marker:
    """Waits among the events: all that its partition has below an offset was put before it.

    Attributes:
        generation: of the group, in which that was fetched.
    """

    tp: TP
    offset: int
    generation: int


class PageQueue(ThrowableQueue[Any]):
    """Faust's queue between fetching and work, which counts bytes instead of items.

    Faust bounds this queue by items and stops fetching a partition when it is nearly full; with
    pages of 1 kB to 10 MB no number of items is right. Here the fetching side asks `wait_for_room`.
    """

    _queue: deque[Any]  # asyncio's, for which mode has a use of its own too

    def __init__(
        self, max_bytes: int, flow_control: FlowControlEvent, *, clear_on_resume: bool
    ) -> None:
        """Start empty.

        Args:
            max_bytes: above it there is no room; what was fetched already is still taken in.
            flow_control: drops what waits when a rebalance begins.
            clear_on_resume: whether it does so for this queue.
        """
        self._max_bytes = max_bytes
        self._held_bytes = 0
        self._room = asyncio.Event()
        self._room.set()
        self._waiting = asyncio.Event()
        super().__init__(
            _UNBOUNDED_ITEMS, flow_control=flow_control, clear_on_resume=clear_on_resume
        )

    @property
    def held_bytes(self) -> int:
        """Bytes of the waiting records and markers with their overhead."""
        return self._held_bytes

    async def wait_for_room(self) -> None:
        """Wait until less than the bound is held."""
        await self._room.wait()

    async def wait_for_records(self) -> None:
        """Wait until at least one record or marker waits."""
        await self._waiting.wait()

    def take_waiting(self, limits: BatchLimits, accept: Callable[[Any], bool]) -> list[Any]:
        """Return the events that wait, as many as a batch may hold, without waiting.

        Args:
            limits: bounds of the batch.
            accept: called for each event and marker in turn; a refused one is dropped from the
                queue, and no batch holds a marker.
        """
        batch: list[Any] = []
        batch_bytes = 0
        while self._queue and len(batch) < limits.pages:
            batch_bytes += _record_bytes(self._queue[0])
            if batch and batch_bytes > limits.record_bytes:
                break
            event = self.get_nowait()
            if accept(event) and not isinstance(event, Marker):
                batch.append(event)
            else:
                batch_bytes -= _record_bytes(event)
        return batch

    def clear(self) -> None:
        """Drop what waits: it will be fetched again after a rebalance, or by another worker.

        Nothing is dropped while records flow. mode clears at each resume too, and nobody would
        seek back to what came since the rebalance: the next commit would pass over it.
        """
        if self._flow_control.is_active():
            return
        super().clear()
        self._held_bytes = 0
        self._room.set()
        self._waiting.clear()

    def _put(self, item: Event | Marker) -> None:
        super()._put(item)
        self._waiting.set()
        self._held_bytes += _held_bytes(item)
        if self._held_bytes >= self._max_bytes:
            self._room.clear()

    def _get(self) -> Event | Marker:
        item: Event | Marker = super()._get()
        self._held_bytes -= _held_bytes(item)
        if not self._queue:
            self._waiting.clear()
        if self._held_bytes < self._max_bytes:
            self._room.set()
        return item


def _record_bytes(event: Event | Marker) -> int:
    if isinstance(event, Marker):
        return 0
    message = event.message
    return record_bytes(message.key, message.value, message.headers or ())


def _held_bytes(event: Event | Marker) -> int:
    if isinstance(event, Marker):
        return MARKER_BYTES
    message = event.message
    return held_bytes(message.key, message.value, message.headers or ())
