"""Find the brokers that answer: all are asked at once, so that a dead one causes no extra wait."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiokafka.client
from aiokafka.conn import collect_hosts
from aiokafka.errors import KafkaConnectionError, KafkaTimeoutError
from aiokafka.protocol.metadata import MetadataRequest

from winnow.streams.kafka.answers import BrokerConnection
from winnow.streams.kafka.connection import Connection, cannot_connect, in_words

# For TCP, TLS and SASL together, about ten answers, each perhaps a second late. aiokafka allows as
# long as a join may take, and starts no other connection of the client meanwhile.
CONNECT_S: Final = 10.0
# For the others after one has answered. It only serves to report which brokers are silent.
OTHERS_S: Final = 2.0
# Between two rounds of a client that found no broker.
ASK_AGAIN_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class BrokerAnswers:
    """The answers from the addresses that a worker was given.

    Attributes:
        answering: in the order given.
        silent: address -> why it is not usable.
    """

    answering: tuple[str, ...]
    silent: Mapping[str, str]

    def complaints(self) -> list[str]:
        """Return each silent address with its reason."""
        return [f"{address}: {why}" for address, why in self.silent.items()]

    def cannot_connect(self) -> str:
        """Return the text for the case that no broker answers; each address is named once."""
        whys = list(self.silent.values()) if len(self.silent) == 1 else self.complaints()
        return cannot_connect(tuple(self.silent), "; ".join(whys))


async def ask_brokers(connection: Connection) -> BrokerAnswers:
    """Connect to every address at once; wait for the first success, then briefly for others."""
    options = connection.client_options()
    someone = asyncio.Event()
    asked = {
        address: asyncio.create_task(_greet(address, options, someone))
        for address in options["bootstrap_servers"]
    }
    everyone = asyncio.create_task(asyncio.wait(asked.values()))
    first = asyncio.create_task(someone.wait())
    try:
        await asyncio.wait({first, everyone}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({everyone}, timeout=OTHERS_S)
    finally:
        for task in (first, everyone, *asked.values()):
            task.cancel()
    await asyncio.gather(*asked.values(), return_exceptions=True)
    silent = {address: _why_silent(task) for address, task in asked.items() if _has_failed(task)}
    return BrokerAnswers(tuple(each for each in asked if each not in silent), silent)


async def existing_topics(connection: Connection, address: str) -> set[str]:
    """Return the topics that one broker shows to this user.

    Raises:
        KafkaError, OSError: the broker no longer answers.
    """
    link = await _connect(address, connection.client_options())
    try:
        answer = await link.send(MetadataRequest(None))
    finally:
        link.close()
    return {name for error, name, *_ in answer.topics if not error}


def tune_connections() -> None:
    """Set the options of every client in this process that aiokafka does not offer.

    A connection times out, and answers are read in place.
    """
    aiokafka.client.create_conn = _create_in_time


def keep_trying(client: aiokafka.client.AIOKafkaClient) -> None:
    """Make a client retry its first brokers until one answers: aiokafka tries only once.

    Before a worker starts, a broker has answered. A failure after that is an outage, and the caller
    that starts the client limits its time.
    """
    bootstrap = client.bootstrap

    async def bootstrap_at_last() -> None:
        while True:
            try:
                return await bootstrap()
            except KafkaConnectionError:
                await asyncio.sleep(ASK_AGAIN_S)

    client.bootstrap = bootstrap_at_last  # type: ignore[method-assign]


async def _create_in_time(host: str, port: int, **options: Any) -> BrokerConnection:  # noqa: ANN401 - aiokafka's
    connection = BrokerConnection(host, port, **options)
    try:
        async with asyncio.timeout(CONNECT_S):
            await connection.connect()
    except TimeoutError:
        raise KafkaTimeoutError(f"no answer within {CONNECT_S:.0f} s") from None
    return connection


async def _connect(address: str, options: Mapping[str, Any]) -> BrokerConnection:
    (host, port, _family) = collect_hosts(address)[0]
    security = {name: value for name, value in options.items() if name != "bootstrap_servers"}
    return await _create_in_time(host, port, **security)


async def _greet(address: str, options: Mapping[str, Any], someone: asyncio.Event) -> None:
    link = await _connect(address, options)
    link.close()
    someone.set()


def _has_failed(task: asyncio.Task[None]) -> bool:
    return task.cancelled() or task.exception() is not None


def _why_silent(task: asyncio.Task[None]) -> str:
    if task.cancelled():
        return f"no answer within {OTHERS_S:.0f} s after another broker's"
    error = task.exception()
    return in_words(" ".join(str(error).split()) or type(error).__name__)
