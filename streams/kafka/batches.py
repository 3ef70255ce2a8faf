"""Records that wait -> batches of them, both bounded in bytes and in count."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from faust.types.tuples import TP
from mode.utils.queues import FlowControlEvent, ThrowableQueue

from winnow.streams.records import Incoming, held_bytes

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


@dataclass(slots=True, eq=False)
class Arrived:
    """A record that waits for work, or is at work: two are the same only if they are one.

    Attributes:
        generation: of the group, in which it was fetched.
        record_bytes: of its key, value and headers.
        held_bytes: what it costs in memory while it waits.
    """

    tp: TP
    generation: int
    record: Incoming
    record_bytes: int
    held_bytes: int

    @classmethod
    def of(cls, tp: TP, generation: int, record: Incoming) -> Self:
        """Return a record that has come in, with its sizes."""
        return cls(tp, generation, record, record.record_bytes, held_bytes(record))


@dataclass(frozen=True, slots=True)
class Marker:
    """Waits among the records: all that its partition has below an offset was put before it.

    Attributes:
        generation: of the group, in which that was fetched.
    """

    record_bytes: ClassVar[int] = 0
    held_bytes: ClassVar[int] = MARKER_BYTES

    tp: TP
    offset: int
    generation: int


Waiting = Arrived | Marker


class PageQueue(ThrowableQueue[Any]):
    """Faust's queue between fetching and work, which counts bytes instead of items.

    Faust bounds this queue by items and stops fetching a partition when it is nearly full; with
    pages of 1 kB to 10 MB no number of items is right. Here the fetching side asks `wait_for_room`.
    """

    _queue: deque[Waiting]  # asyncio's, for which mode has a use of its own too

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

    def take_waiting(self, limits: BatchLimits, accept: Callable[[Waiting], bool]) -> list[Arrived]:
        """Return the records that wait, as many as a batch may hold, without waiting.

        Args:
            limits: bounds of the batch.
            accept: called for each record and marker in turn; a refused one is dropped from the
                queue, and no batch holds a marker.
        """
        batch: list[Arrived] = []
        batch_bytes = 0
        while self._queue and len(batch) < limits.pages:
            size = self._queue[0].record_bytes
            if batch and batch_bytes + size > limits.record_bytes:
                break
            first: Waiting = self.get_nowait()
            if accept(first) and not isinstance(first, Marker):
                batch.append(first)
                batch_bytes += size
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

    def _put(self, item: Waiting) -> None:
        super()._put(item)
        self._waiting.set()
        self._held_bytes += item.held_bytes
        if self._held_bytes >= self._max_bytes:
            self._room.clear()

    def _get(self) -> Waiting:
        item: Waiting = super()._get()
        self._held_bytes -= item.held_bytes
        if not self._queue:
            self._waiting.clear()
        if self._held_bytes < self._max_bytes:
            self._room.set()
        return item
