"""The agent: take batches of pages, clean them, publish the results, commit the offsets."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from faust.types import StreamT

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.cleaning import BatchCleaner
from winnow.streams.deadletters import (
    DeadLetterGuard,
    DeadLetterLimits,
    Stage,
    dead_letter,
    is_stub,
    stub,
)
from winnow.streams.delivery import Producer, deliver
from winnow.streams.errors import DeliveryError
from winnow.streams.health import Phase, StreamState
from winnow.streams.kafka.batches import Arrived, BatchLimits, Marker, PageQueue, Waiting
from winnow.streams.kafka.consumer import Consumer
from winnow.streams.outcomes import BatchResult, DeadPage, Result, WithoutPage
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Outgoing

# cleaned batches that are not stored yet
Cleaned = asyncio.Queue[tuple[list[Arrived], BatchResult]]


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Limits of the agent's work, the dead-letter topic, and which headers its stubs copy."""

    dead_topic: str
    batches: BatchLimits = field(default_factory=BatchLimits)
    dead_letters: DeadLetterLimits = field(default_factory=DeadLetterLimits)
    passing: PassThrough = field(default_factory=PassThrough)


class Observer(Protocol):
    """Receives events of the agent; must not raise."""

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        """Note that work on a batch begins; `waiting_bytes` are still in the queue."""
        ...

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Note that all results of a batch are stored; `seconds` is the time of each stage."""
        ...

    def batch_dropped(self, pages: int) -> None:
        """Note that a cleaned batch is not published: the group delivers its pages again."""
        ...

    def delivery_retried(self, topic: str, error: str) -> None:
        """Note an attempt to publish that failed or is late; it is retried."""
        ...

    def assigned(self, partitions: int) -> None:
        """Note the end of a rebalance."""
        ...

    def revoked(self, partitions: int) -> None:
        """Note the start of a rebalance."""
        ...


class Host(Protocol):
    """The parts of the Faust app that the agent uses."""

    @property
    def consumer(self) -> Consumer:
        """The source of records."""
        ...

    @property
    def producer(self) -> Producer:
        """The producer for results."""
        ...

    def is_current(self, generation: int | None) -> bool:
        """Return whether work may begin on records fetched in this generation of the group."""
        ...

    def is_member(self, generation: int | None) -> bool:
        """Return whether the group probably still accepts commits of this generation."""
        ...


class PageAgent:
    """Takes batches, cleans them, publishes the results and releases the offsets.

    Two batches are in work at a time: one is cleaned while the previous one is stored and
    committed. Records are acknowledged in order, each after all its results are stored. If the
    generation of a batch has ended, the batch is not published, because it could not be committed.
    The next owner of its pages publishes them.
    """

    def __init__(
        self,
        host: Host,
        cleaner: BatchCleaner,
        options: AgentOptions,
        observer: Observer,
        state: StreamState,
    ) -> None:
        """Store the parts."""
        self._host = host
        self._cleaner = cleaner
        self._options = options
        self._observer = observer
        self._state = state
        self._guard = DeadLetterGuard(options.dead_letters)
        self._refusals = DeadLetterGuard(options.dead_letters)

    async def __call__(self, stream: StreamT[bytes]) -> None:
        """Run until cancelled.

        Raises:
            DeliveryError: the brokers refuse a record for good.
            TooManyDeadLetters: a limit is reached.
        """
        queue = getattr(stream.channel, "queue", None)
        assert isinstance(queue, PageQueue)
        cleaned: Cleaned = asyncio.Queue()
        try:
            async with asyncio.TaskGroup() as stages:
                stages.create_task(self._clean(queue, cleaned))
                stages.create_task(self._store(cleaned))
        except BaseExceptionGroup as failures:
            first = failures.exceptions[0]
            if isinstance(first, Exception):
                raise first from None
            raise RuntimeError(repr(first)) from first  # Faust handles no other kind
        finally:
            self._state.enter(Phase.ENDED)

    async def _clean(self, queue: PageQueue, cleaned: Cleaned) -> None:
        while True:
            self._state.enter(Phase.WAITING)
            taken = await self._next_batch(queue)
            self._observer.batch_taken(len(taken), queue.held_bytes)
            self._state.enter(Phase.CLEANING)
            batch = await self._cleaner.clean([arrived.record for arrived in taken])
            self._guard.check(_reasons(batch))
            self._state.enter(Phase.HANDING_OVER)
            # until the previous batch is committed: never more than two in flight
            await cleaned.join()
            await cleaned.put((taken, batch))

    async def _next_batch(self, queue: PageQueue) -> list[Arrived]:
        while True:
            taken = queue.take_waiting(self._options.batches, self._accept)
            if taken:
                return taken
            await queue.wait_for_records()

    def _accept(self, first: Waiting) -> bool:
        """Take a record or a marker, unless a rebalance has begun since it was fetched."""
        is_current = self._host.is_current(first.generation)
        if is_current:
            consumer = self._host.consumer
            consumer.pass_over(first) if isinstance(first, Marker) else consumer.take(first)
        return is_current

    async def _store(self, cleaned: Cleaned) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            taken, batch = await cleaned.get()
            if not all(map(self._host.is_member, {arrived.generation for arrived in taken})):
                self._drop(taken, batch)
                cleaned.task_done()
                continue
            started = clock()
            published = await self._publish(batch)
            stored = clock()
            await self._cleaner.remember(published)
            for arrived in taken:
                self._host.consumer.done(arrived)
            await self._host.consumer.commit_done()
            self._observer.batch_stored(
                published,
                batch.stage_seconds | {"publish": stored - started, "commit": clock() - stored},
            )
            self._refusals.check(_refused_reasons(batch, published))
            cleaned.task_done()

    def _drop(self, taken: list[Arrived], batch: BatchResult) -> None:
        """Release a batch without publishing it; its offsets stay uncommitted."""
        self._cleaner.keep(batch)
        for arrived in taken:
            self._host.consumer.release(arrived)
        self._observer.batch_dropped(len(taken))

    async def _publish(self, batch: BatchResult) -> BatchResult:
        """Publish the results of a batch; return what was published, as topics may refuse some."""
        results = list(batch.results)
        pending = dict(enumerate(results))
        while pending:
            outgoing = [out for each in pending.values() for out in each.outgoing]
            refused = await deliver(self._host.producer, outgoing, self._observer)
            pending = {
                place: self._given_up(each, out)
                for place, each in pending.items()
                for out in each.outgoing
                if out in refused
            }
            for place, each in pending.items():
                results[place] = each
        return replace(batch, results=tuple(results))

    def _given_up(self, result: Result, refused: Outgoing) -> Result:
        """Replace a refused page by a dead letter, and a refused dead letter by its stub.

        Raises:
            DeliveryError: the result is a stub already.
        """
        topic, passing = self._options.dead_topic, self._options.passing
        if is_stub(refused.headers):
            raise DeliveryError(
                f"{topic}: refuses even the stub of a dead letter: run winnow topics check"
            )
        if isinstance(result, DeadPage):
            letter = stub(result.record, result.error, result.stage, topic, passing=passing)
            return replace(result, outgoing=(letter,))
        why = f"{refused.topic} refuses {refused.record_bytes} bytes"
        error = InvalidPage(Reason.TOO_LARGE, why)
        letter = dead_letter(result.record, error, Stage.PUBLISH, topic, passing=passing)
        return DeadPage(result.record, (letter,), error, Stage.PUBLISH)


def _reasons(batch: BatchResult) -> list[Reason | None]:
    """Return why pages became dead letters (None for documents); skip other records."""
    pages = (each for each in batch.results if not isinstance(each, WithoutPage))
    return [_reason(each) for each in pages]


def _reason(result: Result) -> Reason | None:
    return result.error.reason if isinstance(result, DeadPage) else None


def _refused_reasons(batch: BatchResult, published: BatchResult) -> list[Reason | None]:
    """Return why pages became dead letters during publishing, None for all others."""
    pairs = zip(batch.results, published.results, strict=True)
    return [None if isinstance(before, DeadPage) else _reason(after) for before, after in pairs]
