"""The Faust app: configure it once, run it until a stop is requested."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import faust
from faust.types.tuples import TP
from mode import CrashingSupervisor
from yarl import URL

from winnow.streams.agents import AgentOptions, Observer, PageAgent
from winnow.streams.cleaning import BatchCleaner
from winnow.streams.errors import NotConnectedError
from winnow.streams.health import StreamState
from winnow.streams.kafka.batches import PageQueue
from winnow.streams.kafka.consumer import Consumer
from winnow.streams.kafka.transport import Producer, Transport
from winnow.streams.kafka.tuning import Tuning
from winnow.streams.topics import DEFAULT_GROUP

# Producer and consumer each find a broker and ask it for the others: about twenty answers in
# sequence, and each may be seconds late. They retry while no broker accepts a connection. The time
# does not include a join, which waits for other members.
CONNECTED_S: Final = 120.0
_FIRST: Final = asyncio.FIRST_COMPLETED


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """Configuration of one worker process.

    Attributes:
        buffer_bytes: most bytes of records that are fetched and not yet taken.
    """

    tuning: Tuning
    agent: AgentOptions
    pages_topic: str
    group: str = DEFAULT_GROUP
    buffer_bytes: int = 32 << 20


class App(faust.App):
    """A Faust app on our transport, without directories and without environment variables."""

    consumer: Consumer
    producer: Producer

    def __init__(self, options: StreamOptions) -> None:
        """Set every option whose default does not fit; nothing is read from the environment."""
        self._buffer_bytes = options.buffer_bytes
        brokers = [URL(f"kafka://{address}") for address in options.tuning.connection.bootstrap]
        super().__init__(
            options.group,
            env={},
            broker=brokers,
            agent_supervisor=CrashingSupervisor,
            stream_wait_empty=True,
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
        self,
        maxsize: int | None = None,  # noqa: ARG002 - of items
        *,
        clear_on_resume: bool = False,
    ) -> PageQueue:
        """Return the queue of an agent, limited in bytes."""
        return PageQueue(self._buffer_bytes, self.flow_control, clear_on_resume=clear_on_resume)

    def is_current(self, generation: int | None) -> bool:
        """Return whether work may begin on records fetched in this generation of the group."""
        return self.flow_control.is_active() and self.is_member(generation)

    def is_member(self, generation: int | None) -> bool:
        """Return whether the group probably still accepts commits of this generation."""
        return generation == self.consumer_generation_id == self.consumer.generation

    async def _producer_flush(self, logger: Any) -> None:  # noqa: ANN401 - Faust's
        """Wait until all published records are stored or the drain deadline passes.

        aiokafka alone would retry for ever. Records that are not stored hold their offsets back.
        """
        try:
            async with asyncio.timeout(self.consumer.drain_left_s()):
                await super()._producer_flush(logger)
        except TimeoutError:
            self.log.error("drain_deadline_passed unflushed")  # noqa: TRY400 - not a bug

    def _create_directories(self) -> None:
        """Create no directory: there are no tables, and the file system may be read-only."""


def create_app(
    options: StreamOptions, cleaner: BatchCleaner, observer: Observer, state: StreamState
) -> App:
    """Return an app that is ready for `serve`."""
    app = App(options)
    pages = app.topic(options.pages_topic, key_type=bytes, value_type=bytes, value_serializer="raw")
    app.agent(pages, name="pages")(PageAgent(app, cleaner, options.agent, observer, state).__call__)
    state.commit_s = lambda: app.consumer.commit_s
    app.on_partitions_assigned.connect(_on_assigned(observer, state))
    app.on_partitions_revoked.connect(_on_revoked(observer, state))
    return app


async def serve(
    app: App, state: StreamState, stop: asyncio.Event, on_end: Callable[[], None]
) -> None:
    """Run the app until `stop` is set or the app fails, then drain it.

    `on_end` is called before the app stops, in both cases, because the stop may take for ever.

    Raises:
        NotConnectedError: the brokers did not answer in time.
        Exception: the app failed, at the start or later.
    """
    running = asyncio.create_task(_run(app))
    stopping = asyncio.create_task(stop.wait())
    connecting = asyncio.create_task(app.consumer.connected.wait())
    try:
        events = {running, stopping, connecting}
        begun, _ = await asyncio.wait(events, timeout=CONNECTED_S, return_when=_FIRST)
        if connecting in begun:
            await asyncio.wait({running, stopping}, return_when=_FIRST)
    finally:
        state.draining = True
        stopping.cancel()
        connecting.cancel()
        on_end()
        if not app.consumer.connected.is_set():
            await _cancel(running)  # else the stop would wait for the task that it stops
        await app.stop()
    await _cancel(running)
    if not begun:
        raise NotConnectedError(f"not connected within {CONNECTED_S:.0f} s")
    if app.crash_reason is not None:
        raise app.crash_reason
    if not running.cancelled() and (error := running.exception()) is not None:
        raise error


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _run(app: App) -> None:
    await app.start()
    await app.wait_until_stopped()


def _on_assigned(observer: Observer, state: StreamState) -> Callable[..., Awaitable[None]]:
    async def on_assigned(app: Any, assigned: set[TP], **_: Any) -> None:  # noqa: ANN401, ARG001 - a signal
        state.in_group = True
        state.rebalancing = False
        observer.assigned(len(assigned))

    return on_assigned


def _on_revoked(observer: Observer, state: StreamState) -> Callable[..., Awaitable[None]]:
    async def on_revoked(app: Any, revoked: set[TP], **_: Any) -> None:  # noqa: ANN401, ARG001 - a signal
        state.rebalancing = True
        observer.revoked(len(revoked))

    return on_revoked
