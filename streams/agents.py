"""The agent: takes batches of pages, has them cleaned, publishes what they give, commits."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from faust.types import EventT, StreamT

from models.errors import InvalidPage, Reason
from streams.batches import BatchLimits, PageQueue
from streams.cleaning import BatchCleaner, BatchResult
from streams.consumer import Consumer
from streams.deadletters import DeadLetterGuard, DeadLetterLimits, Stage, dead_letter, stub
from streams.delivery import DeliveryError, Producer, deliver
from streams.health import Phase, StreamState
from streams.records import Incoming, Outgoing, clean_headers


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Bounds of the agent's work, and where dead letters go."""

    dead_topic: str
    batches: BatchLimits = field(default_factory=BatchLimits)
    dead_letters: DeadLetterLimits = field(default_factory=DeadLetterLimits)


class Observer(Protocol):
    """Is told what happens, and must not raise."""

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        """Note that work on a batch begins, with so much left in the queue."""
        ...

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Note that all a batch gives is stored; `seconds` is the time of each stage."""
        ...

    def batch_dropped(self, pages: int) -> None:
        """Note that a cleaned batch is not published: the group gives its pages out again."""
        ...

    def delivery_retried(self, topic: str, error: str) -> None:
        """Note a failed attempt to publish that will be made again."""
        ...

    def assigned(self, partitions: int) -> None:
        """Note the end of a rebalance."""
        ...

    def revoked(self, partitions: int) -> None:
        """Note the begin of a rebalance."""
        ...


class Host(Protocol):
    """The part of the Faust app that the agent works with."""

    @property
    def consumer(self) -> Consumer:
        """Where records come from."""
        ...

    @property
    def producer(self) -> Producer:
        """Where records go."""
        ...

    def is_current(self, generation: int | None) -> bool:
        """Return whether records fetched in that generation of the group may be begun."""
        ...

    def is_member(self, generation: int | None) -> bool:
        """Return whether the group, as far as is known, will take commits of that generation."""
        ...


class PageAgent:
    """Takes batches, has them cleaned, publishes the results, and lets go of the offsets.

    Two batches are at work at a time: one is cleaned while the one before is stored and
    committed. Records are acknowledged in their order, each after everything it gives is stored.
    A batch whose generation of the group has ended meanwhile is not published: it could not be
    committed, and whoever gets its pages next publishes them.
    """

    def __init__(
        self,
        host: Host,
        cleaner: BatchCleaner,
        options: AgentOptions,
        observer: Observer,
        state: StreamState,
    ) -> None:
        """Keep the parts."""
        self._host = host
        self._cleaner = cleaner
        self._options = options
        self._observer = observer
        self._state = state
        self._guard = DeadLetterGuard(options.dead_letters)

    async def __call__(self, stream: StreamT[bytes]) -> None:
        """Work until cancelled.

        Raises:
            DeliveryError: the brokers refuse a record for good.
            TooManyDeadLetters: a limit is reached.
        """
        queue = getattr(stream.channel, "queue", None)
        assert isinstance(queue, PageQueue)
        cleaned: asyncio.Queue[tuple[list[EventT[Any]], BatchResult]] = asyncio.Queue()
        try:
            async with asyncio.TaskGroup() as stages:
                stages.create_task(self._clean(queue, cleaned))
                stages.create_task(self._store(cleaned))
        except BaseExceptionGroup as failures:
            first = failures.exceptions[0]
            if isinstance(first, Exception):
                raise first from None
            raise RuntimeError(repr(first)) from first  # Faust sees no other ends of an agent
        finally:
            self._state.enter(Phase.ENDED)

    async def _clean(
        self, queue: PageQueue, cleaned: asyncio.Queue[tuple[list[EventT[Any]], BatchResult]]
    ) -> None:
        while True:
            self._state.enter(Phase.WAITING)
            events = await self._next_batch(queue)
            self._observer.batch_taken(len(events), queue.held_bytes)
            self._state.enter(Phase.CLEANING)
            batch = await self._cleaner.clean([_incoming(event) for event in events])
            self._guard.check([each.error.reason if each.error else None for each in batch.results])
            self._state.enter(Phase.HANDING_OVER)
            await cleaned.join()  # until the batch before is committed: never more than two in hand
            await cleaned.put((events, batch))

    async def _next_batch(self, queue: PageQueue) -> list[EventT[Any]]:
        while True:
            events = queue.take_waiting(self._options.batches, self._accept)
            if events:
                return events
            await queue.wait_for_records()

    def _accept(self, event: EventT[Any]) -> bool:
        """Take a record for work, unless a rebalance has begun since it was fetched."""
        is_current = self._host.is_current(event.message.generation_id)
        if is_current:
            self._host.consumer.take(event.message)
        return is_current

    async def _store(self, cleaned: asyncio.Queue[tuple[list[EventT[Any]], BatchResult]]) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            events, batch = await cleaned.get()
            if not all(self._host.is_member(event.message.generation_id) for event in events):
                self._drop(events, batch)
                cleaned.task_done()
                continue
            started = clock()
            await self._publish(batch)
            stored = clock()
            await self._cleaner.remember(batch)
            for event in events:
                self._host.consumer.ack(event.message)
            await self._host.consumer.commit_done()
            self._observer.batch_stored(
                batch,
                batch.stage_seconds | {"publish": stored - started, "commit": clock() - stored},
            )
            cleaned.task_done()

    def _drop(self, events: list[EventT[Any]], batch: BatchResult) -> None:
        """Let go of a batch unpublished; its offsets stay uncommitted."""
        self._cleaner.keep(batch)
        for event in events:
            self._host.consumer.release(event.message)
        self._observer.batch_dropped(len(events))

    async def _publish(self, batch: BatchResult) -> None:
        origin = {id(out): each.record for each in batch.results for out in each.outgoing}
        outgoing = [out for each in batch.results for out in each.outgoing]
        refused = await self._deliver(outgoing)
        letters = [self._refused(origin[id(out)], out, dead_letter) for out in refused]
        still_refused = await self._deliver(letters)
        origins = [origin[id(out)] for out in refused]
        stubs = [
            self._refused(record, letter, stub)
            for record, letter in zip(origins, letters, strict=True)
            if letter in still_refused
        ]
        if await self._deliver(stubs):
            raise DeliveryError(f"{self._options.dead_topic} takes not even a pointer to a page")

    async def _deliver(self, records: list[Outgoing]) -> list[Outgoing]:
        return await deliver(self._host.producer, records, self._observer)

    def _refused(
        self,
        record: Incoming,
        refused: Outgoing,
        letter: Callable[[Incoming, InvalidPage, Stage, str], Outgoing],
    ) -> Outgoing:
        too_large = InvalidPage(
            Reason.TOO_LARGE, f"{refused.topic} refuses {refused.record_bytes} bytes"
        )
        return letter(record, too_large, Stage.PUBLISH, self._options.dead_topic)


def _incoming(event: EventT[Any]) -> Incoming:
    message = event.message
    headers = message.headers
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    return Incoming(
        message.topic,
        message.partition,
        message.offset,
        message.key,
        message.value,
        clean_headers(pairs),
    )
