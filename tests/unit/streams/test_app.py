"""The end of a stream is reported in time."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tests.clocks import ManualClock
from winnow.streams import app as app_module
from winnow.streams.app import serve
from winnow.streams.errors import NotConnectedError
from winnow.streams.health import StreamState

LONG_S = 60.0


class FailedApp:
    """Ends by itself."""

    crash_reason: Any = RuntimeError("too many dead letters")

    def __init__(self, said: list[str]) -> None:
        self.consumer = SimpleNamespace(connected=asyncio.Event())
        self._said = said

    async def start(self) -> None:
        self._said.append("started")

    async def wait_until_stopped(self) -> None:
        pass

    async def stop(self) -> None:
        self._said.append("stopped")


async def test_a_stream_that_fails_is_reported_before_it_is_stopped() -> None:
    said: list[str] = []
    app: Any = FailedApp(said)
    state = StreamState(LONG_S, ManualClock())

    with pytest.raises(RuntimeError, match="too many dead letters"):
        await serve(app, state, asyncio.Event(), lambda: said.append("reported"))

    assert said == ["started", "reported", "stopped"]


class UnconnectedApp(FailedApp):
    """Waits for brokers that do not answer."""

    crash_reason = None

    async def start(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self._said.append("gave up")
            raise


async def test_a_stop_during_the_start_ends_it_when_brokers_do_not_answer() -> None:
    said: list[str] = []
    app: Any = UnconnectedApp(said)
    stop = asyncio.Event()
    stop.set()

    async with asyncio.timeout(LONG_S):
        await serve(app, StreamState(LONG_S, ManualClock()), stop, lambda: said.append("reported"))

    assert said == ["reported", "gave up", "stopped"]


async def test_a_start_whose_brokers_do_not_answer_in_time_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    app: Any = UnconnectedApp(said)
    monkeypatch.setattr(app_module, "CONNECTED_S", 0.001)

    with pytest.raises(NotConnectedError, match="not connected within"):
        await serve(app, StreamState(LONG_S, ManualClock()), asyncio.Event(), lambda: None)

    assert said == ["gave up", "stopped"]
