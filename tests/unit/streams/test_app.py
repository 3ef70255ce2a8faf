"""A rebalance ends whatever the producer does, and the end of a stream is told in time."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from faust.types.tuples import TP

from streams import consumer as consumer_module
from streams.agents import AgentOptions
from streams.app import App, StreamOptions, serve
from streams.connection import Connection
from streams.health import StreamState
from streams.tuning import Tuning
from tests.clocks import ManualClock

PARTITION = TP("pages", 0)
LONG_S = 60.0


class StuckProducer:
    """Has records that the brokers never confirm, as with too few copies in sync."""

    def __init__(self) -> None:
        self.is_asked = False

    async def flush(self) -> None:
        self.is_asked = True
        await asyncio.Event().wait()


class Work:
    """A record that is never done."""


class StoppedFetcher:
    async def stop(self) -> None:
        pass

    def service_reset(self) -> None:
        pass


@contextmanager
def a_member(drain_s: float, producer: StuckProducer) -> Iterator[Any]:
    """Yield an app with one partition, without brokers."""
    tuning = Tuning(Connection(("127.0.0.1:1",)), drain_s=drain_s)
    app: Any = App(StreamOptions(tuning, AgentOptions("dead"), "pages"))
    app._producer = producer
    app.__dict__["_fetcher"] = StoppedFetcher()
    app.consumer.assignment = lambda: {PARTITION}
    yield app
    app.consumer._thread.thread_loop.close()  # of a thread that was never started


async def test_a_rebalance_ends_when_the_producer_cannot_be_flushed() -> None:
    producer = StuckProducer()

    with a_member(drain_s=0.001, producer=producer) as app:
        async with asyncio.timeout(LONG_S / 2):
            await app.consumer.on_partitions_revoked({PARTITION})

    assert producer.is_asked


async def test_a_rebalance_waits_for_work_and_flush_no_longer_than_one_drain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, producer, work = ManualClock(), StuckProducer(), Work()
    monkeypatch.setattr(consumer_module, "time", SimpleNamespace(monotonic=clock))
    started = clock()

    async def wait_in_vain(**given: float) -> None:
        clock.advance(given["timeout"])

    with a_member(drain_s=LONG_S, producer=producer) as app:
        app.consumer._wait_for_ack = wait_in_vain
        app.consumer._unacked_messages.add(work)
        async with asyncio.timeout(LONG_S / 2):
            await app.consumer.on_partitions_revoked({PARTITION})

    assert clock() - started == LONG_S
    assert producer.is_asked


class FailedApp:
    """Ends by itself."""

    crash_reason = RuntimeError("too many dead letters")

    def __init__(self, said: list[str]) -> None:
        self._said = said

    async def start(self) -> None:
        self._said.append("started")

    async def wait_until_stopped(self) -> None:
        pass

    async def stop(self) -> None:
        self._said.append("stopped")


async def test_the_end_of_a_stream_that_fails_is_told_before_it_is_stopped() -> None:
    said: list[str] = []
    app: Any = FailedApp(said)
    state = StreamState(LONG_S, ManualClock())

    with pytest.raises(RuntimeError, match="too many dead letters"):
        await serve(app, state, asyncio.Event(), lambda: said.append("told"))

    assert said == ["started", "told", "stopped"]
