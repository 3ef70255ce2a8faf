"""Waiting records -> batches, both limited in bytes and in count."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from faust.types.tuples import TP
from mode.utils.queues import FlowControlEvent, ThrowableQueue

from winnow.streams.records import Incoming, held_bytes

# mode limits its queue by items; this one is limited by bytes, so the item limit is never reached.
_UNBOUNDED_ITEMS: Final = 1 << 31
# Memory of a marker (measured with tracemalloc, rounded up): aborted transactions keep coming while
# the agent is stuck at a page.
MARKER_BYTES: Final = 128


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of one batch; a single record larger than `record_bytes` is a batch of its own."""

    pages: int = 128
    record_bytes: int = 16 << 20


@dataclass(slots=True, eq=False)
class Arrived:
    """A record that waits or is in work; compared by identity.

    Attributes:
        generation: of the group, when it was fetched.
        record_bytes: of its key, value and headers.
        held_bytes: memory that it takes while it waits.
    """

    tp: TP
    generation: int
    record: Incoming
    record_bytes: int
    held_bytes: int

    @classmethod
    def of(cls, tp: TP, generation: int, record: Incoming) -> Self:
        """Return an incoming record with its sizes."""
        return cls(tp, generation, record, record.record_bytes, held_bytes(record))


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in the queue: all records of its partition below an offset were put before it.

    Attributes:
        generation: of the group, when those records were fetched.
    """

    record_bytes: ClassVar[int] = 0
    held_bytes: ClassVar[int] = MARKER_BYTES

    tp: TP
    offset: int
    generation: int


Waiting = Arrived | Marker


class PageQueue(ThrowableQueue[Any]):
    """Faust's queue between fetching and work, counting bytes instead of items.

    Faust limits this queue by items and stops fetching a partition when it is nearly full. With
    pages of 1 kB to 10 MB no number of items is right. Here the fetching side calls
    `wait_for_room`.
    """

    _queue: deque[Waiting]  # asyncio's attribute, which mode uses for something else too

    def __init__(
        self, max_bytes: int, flow_control: FlowControlEvent, *, clear_on_resume: bool
    ) -> None:
        """Start empty.

        Args:
            max_bytes: above it there is no room; records already fetched are still accepted.
            flow_control: clears waiting records when a rebalance begins.
            clear_on_resume: whether it clears this queue.
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
        """Wait until the queue holds less than its limit."""
        await self._room.wait()

    async def wait_for_records(self) -> None:
        """Wait until at least one record or marker waits."""
        await self._waiting.wait()

    def take_waiting(self, limits: BatchLimits, accept: Callable[[Waiting], bool]) -> list[Arrived]:
        """Return waiting records, as many as fit in a batch; does not wait.

        Args:
            limits: limits of the batch.
            accept: called for each record and marker in order; refused ones are dropped from the
                queue. Batches never hold markers.
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
        """Drop the waiting records: they are fetched again after a rebalance, or by another worker.

        Nothing is dropped while records flow. mode also clears at each resume, and nothing would
        seek back to the records fetched since the rebalance: the next commit would skip them.
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
