"""The end of a stream is told in time."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from streams.app import serve
from streams.health import StreamState
from tests.clocks import ManualClock

LONG_S = 60.0


class FailedApp:
    """Ends by itself."""

    crash_reason = RuntimeError("too many dead letters")

    def __init__(self, said: list[str]) -> None:
        self.consumer = SimpleNamespace(connected=asyncio.Event())
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
