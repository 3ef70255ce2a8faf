"""A client asks its first brokers until one answers; a start has its own deadline."""

import asyncio
from typing import Any

import pytest
from aiokafka.errors import BrokerResponseError, KafkaConnectionError

from winnow.streams.kafka import brokers
from winnow.streams.kafka.brokers import keep_trying

LONG_S = 60.0


class Client:
    """Fails to connect so often as a test says."""

    def __init__(self, *failures: Exception) -> None:
        self.asked = 0
        self._failures = list(failures)

    async def bootstrap(self) -> None:
        self.asked += 1
        if self._failures:
            raise self._failures.pop(0)


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brokers, "ASK_AGAIN_S", 0.0)


async def connect(client: Any) -> None:  # noqa: ANN401 - replaces aiokafka's
    keep_trying(client)
    async with asyncio.timeout(LONG_S):
        await client.bootstrap()


async def test_a_client_retries_when_no_broker_answers() -> None:
    client = Client(KafkaConnectionError("refused"), KafkaConnectionError("refused"))

    await connect(client)

    assert client.asked == 3


async def test_any_other_error_ends_the_start() -> None:
    with pytest.raises(BrokerResponseError):
        await connect(Client(BrokerResponseError()))


async def test_a_retrying_client_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brokers, "ASK_AGAIN_S", LONG_S)
    starting = asyncio.create_task(connect(Client(KafkaConnectionError("refused"))))
    await asyncio.sleep(0)

    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting
