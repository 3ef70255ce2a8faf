"""The Faust app: one agent that takes batches of pages, and publishes what they give."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import faust
from faust.types import EventT, StreamT
from faust.types.tuples import TP
from mode import CrashingSupervisor
from yarl import URL

from models.errors import InvalidPage, Reason
from streams.agents import BatchCleaner, BatchResult
from streams.batches import BatchLimits, PageQueue
from streams.deadletters import (
    DeadLetterGuard,
    DeadLetterLimits,
    Stage,
    dead_letter,
    stub,
)
from streams.delivery import DeliveryError, deliver
from streams.health import Phase, StreamState
from streams.records import Incoming, Outgoing, clean_headers
from streams.topics import DEFAULT_GROUP, TopicNames
from streams.transport import Consumer, Transport, Tuning

# Faust bounds its queue by items; ours is bounded by bytes, so this is only "more than ever".
_UNBOUNDED_ITEMS = 1 << 31


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """What one worker process needs to know.

    Attributes:
        buffer_bytes: records fetched and not yet taken, at most.
    """

    tuning: Tuning
    group: str = DEFAULT_GROUP
    topics: TopicNames = field(default_factory=TopicNames)
    batches: BatchLimits = field(default_factory=BatchLimits)
    buffer_bytes: int = 32 << 20
    dead_letters: DeadLetterLimits = field(default_factory=DeadLetterLimits)


class Observer(Protocol):
    """Is told what happens, and must not raise."""

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        """Note that work on a batch begins, with so much left in the queue."""
        ...

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Note that all a batch gives is stored; `seconds` is the time of each stage."""
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


class App(faust.App):
    """A Faust app on the hardened transport, without directories and without environment."""

    consumer: Consumer

    def __init__(self, options: StreamOptions) -> None:
        """Configure all that has an unfit default; nothing is read from the environment."""
        self._buffer_bytes = options.buffer_bytes
        brokers = [URL(f"kafka://{address}") for address in options.tuning.connection.bootstrap]
        super().__init__(
            options.group,
            env={},
            broker=brokers,
            agent_supervisor=CrashingSupervisor,
            stream_wait_empty=True,
            stream_buffer_maxsize=_UNBOUNDED_ITEMS,
            table_standby_replicas=0,
            topic_disable_leader=True,
            topic_allow_declare=False,
            web_enabled=False,
            broker_commit_interval=1.0,
            autodiscover=False,
        )
        self.transport = Transport(brokers, self, options.tuning)
        self.producer_transport = self.transport

    def FlowControlQueue(  # noqa: N802 - Faust's name
        self, maxsize: int | None = None, *, clear_on_resume: bool = False
    ) -> PageQueue:
        """Return the queue of an agent, bounded in bytes."""
        return PageQueue(
            max_bytes=self._buffer_bytes,
            maxsize=maxsize,
            flow_control=self.flow_control,
            clear_on_resume=clear_on_resume,
        )

    def _create_directories(self) -> None:
        """Create none: there are no tables, and the file system may be read-only."""


class PageAgent:
    """Takes batches, has them cleaned, publishes the results, and lets go of the offsets.

    Two batches are at work at a time: one is cleaned while the one before is stored and
    committed. Records are acknowledged in their order, each after everything it gives is stored.
    """

    def __init__(
        self,
        app: App,
        cleaner: BatchCleaner,
        options: StreamOptions,
        observer: Observer,
        state: StreamState,
    ) -> None:
        """Keep the parts."""
        self._app = app
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
        cleaned: asyncio.Queue[tuple[list[EventT], BatchResult]] = asyncio.Queue(maxsize=1)
        try:
            async with asyncio.TaskGroup() as stages:
                stages.create_task(self._clean(queue, cleaned))
                stages.create_task(self._store(cleaned))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self._state.enter(Phase.ENDED)

    async def _clean(
        self, queue: PageQueue, cleaned: asyncio.Queue[tuple[list[EventT], BatchResult]]
    ) -> None:
        while True:
            self._state.enter(Phase.WAITING)
            events = await self._next_batch(queue)
            self._observer.batch_taken(len(events), queue.held_bytes)
            self._state.enter(Phase.CLEANING)
            batch = await self._cleaner.clean([_incoming(event) for event in events])
            self._guard.check([each.error.reason if each.error else None for each in batch.results])
            self._state.enter(Phase.HANDING_OVER)
            await cleaned.put((events, batch))

    async def _next_batch(self, queue: PageQueue) -> list[EventT]:
        while True:
            events = queue.take_waiting(self._options.batches, self._accept)
            if events:
                return events
            await queue.wait_for_records()

    def _accept(self, event: EventT) -> bool:
        """Take a record for work, unless a rebalance has begun since it was fetched."""
        is_current = (
            self._app.flow_control.is_active()
            and event.message.generation_id == self._app.consumer_generation_id
        )
        if is_current:
            self._app.consumer.take(event.message)
        return is_current

    async def _store(self, cleaned: asyncio.Queue[tuple[list[EventT], BatchResult]]) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            events, batch = await cleaned.get()
            started = clock()
            await self._publish(batch)
            stored = clock()
            await self._cleaner.remember(batch)
            for event in events:
                self._app.consumer.ack(event.message)
            await self._app.consumer.commit_done()
            self._observer.batch_stored(
                batch,
                batch.stage_seconds | {"publish": stored - started, "commit": clock() - stored},
            )

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
            raise DeliveryError(f"{self._options.topics.dead} takes not even a pointer to a page")

    async def _deliver(self, records: list[Outgoing]) -> list[Outgoing]:
        return await deliver(self._app.producer, records, self._observer)

    def _refused(
        self,
        record: Incoming,
        refused: Outgoing,
        letter: Callable[[Incoming, InvalidPage, Stage, str], Outgoing],
    ) -> Outgoing:
        too_large = InvalidPage(
            Reason.TOO_LARGE, f"{refused.topic} refuses {refused.record_bytes} bytes"
        )
        return letter(record, too_large, Stage.PUBLISH, self._options.topics.dead)


def create_app(
    options: StreamOptions, cleaner: BatchCleaner, observer: Observer, state: StreamState
) -> App:
    """Return an app that is ready to be served by `serve`."""
    app = App(options)
    pages = app.topic(
        options.topics.pages, key_type=bytes, value_type=bytes, value_serializer="raw"
    )
    app.agent(pages, name="pages")(PageAgent(app, cleaner, options, observer, state).__call__)
    app.on_partitions_assigned.connect(_on_assigned(observer, state))
    app.on_partitions_revoked.connect(_on_revoked(observer, state))
    return app


async def serve(app: App, state: StreamState, stop: asyncio.Event) -> None:
    """Run the app until `stop` is set, then drain it; or until it fails.

    Raises:
        Exception: what made the app fail, at the start or later.
    """
    running = asyncio.create_task(_run(app))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        state.draining = True
        stopping.cancel()
        await app.stop()
    if not running.done():
        running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    if app.crash_reason is not None:
        raise app.crash_reason
    if not running.cancelled() and (error := running.exception()) is not None:
        raise error


async def _run(app: App) -> None:
    await app.start()
    await app.wait_until_stopped()


def _incoming(event: EventT) -> Incoming:
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


def _on_assigned(
    observer: Observer, state: StreamState
) -> Callable[..., Awaitable[None]]:
    async def on_assigned(app: Any, assigned: set[TP], **_: Any) -> None:  # noqa: ANN401, ARG001 - a signal
        state.assigned = len(assigned)
        state.rebalancing = False
        observer.assigned(len(assigned))

    return on_assigned


def _on_revoked(
    observer: Observer, state: StreamState
) -> Callable[..., Awaitable[None]]:
    async def on_revoked(app: Any, revoked: set[TP], **_: Any) -> None:  # noqa: ANN401, ARG001 - a signal
        state.rebalancing = True
        observer.revoked(len(revoked))

    return on_revoked
