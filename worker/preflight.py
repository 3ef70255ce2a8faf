"""Ask the brokers, before any process starts, for what every process will need."""

import logging
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from streams.admin import HiddenConfigs, UnfitTopics, require_topics
from streams.connection import Connection
from streams.librdkafka import KafkaUnavailable
from streams.topics import TopicNames


class PreflightError(Exception):
    """No broker answers, or a topic is missing or unfit; one line for an operator."""


async def check_brokers(connection: Connection, topics: Iterable[str]) -> None:
    """Connect once and look for the topics.

    Raises:
        PreflightError: what is missing.
    """
    brokers = ", ".join(connection.bootstrap)
    client = AIOKafkaConsumer(**connection.client_options())
    with _last_words(logging.getLogger("aiokafka")) as words:
        try:
            await client.start()
            existing = await client.topics()
        except (KafkaError, OSError) as error:
            why = _one_line(words[-1] if words else error)
            raise PreflightError(f"no broker lets us in at {brokers}: {why}") from error
        finally:
            await client.stop()
    missing = sorted(set(topics) - existing)
    if missing:
        # a topic that this user may not describe looks the same
        way_out = "winnow topics create, or the right to describe it"
        raise PreflightError(f"{brokers} shows no topic {', '.join(missing)}: {way_out}")


def check_topics(connection: Connection, names: TopicNames) -> str:
    """Ask whether the topics take all that a worker publishes.

    Returns:
        Why it cannot be known, if this user may not see it; then delivery will tell, page by page.

    Raises:
        PreflightError: what does not fit.
    """
    try:
        require_topics(connection, names)
    except HiddenConfigs as error:
        return _one_line(error)
    except (UnfitTopics, KafkaUnavailable) as error:
        raise PreflightError(_one_line(error)) from error
    return ""


@contextmanager
def _last_words(logger: logging.Logger) -> Iterator[deque[str]]:
    """Keep the last error that a library logs, instead of writing it: its exception says less."""
    words: deque[str] = deque(maxlen=1)
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: words.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    propagate, logger.propagate = logger.propagate, False
    try:
        yield words
    finally:
        logger.propagate = propagate
        logger.removeHandler(handler)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())
