"""A broker that answers is found at once, even if others are dead, frozen or refused."""

import asyncio
import socket
from collections.abc import Iterator

import pytest

from winnow.streams.kafka import brokers
from winnow.streams.kafka.brokers import ask_brokers, existing_topics
from winnow.streams.kafka.connection import Connection
from winnow.worker.demo.embedded import EmbeddedBroker

pytestmark = pytest.mark.integration


@pytest.fixture
def frozen() -> Iterator[str]:
    """Address of a broker that lets the kernel take connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def closed() -> Iterator[str]:
    """Address where nobody listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{unused.getsockname()[1]}"


async def test_dead_brokers_do_not_hide_the_one_that_answers(
    frozen: str, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brokers, "OTHERS_S", 0.1)
    with EmbeddedBroker() as broker:
        broker.create_topic("pages")
        (address,) = broker.bootstrap

        answers = await ask_brokers(Connection((frozen, closed, address)))
        topics = await existing_topics(Connection((frozen,)), address)

    assert answers.answering == (address,)
    assert [*answers.silent] == [frozen, closed]
    assert answers.silent[frozen].startswith("no answer")
    assert "refused" in answers.silent[closed] or "failed" in answers.silent[closed]
    assert "pages" in topics


async def test_brokers_that_do_not_answer_are_all_named_after_one_wait(
    frozen: str, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brokers, "CONNECT_S", 0.2)

    async with asyncio.timeout(10):
        answers = await ask_brokers(Connection((frozen, closed)))

    assert answers.answering == ()
    assert [line.split(": ")[0] for line in answers.complaints()] == [frozen, closed]
