"""Ask the brokers, before any process starts, for what every process will need."""

import logging
from collections.abc import Iterable

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from streams.admin import HiddenConfigs, UnfitTopics, require_topics
from streams.connection import Connection
from streams.librdkafka import KafkaUnavailable
from streams.topics import TopicNames


class PreflightError(Exception):
    """No broker answers, or a topic is missing or too small; one line for an operator."""


async def check_brokers(connection: Connection, topics: Iterable[str]) -> None:
    """Connect once and look for the topics.

    Raises:
        PreflightError: what is missing.
    """
    brokers = ", ".join(connection.bootstrap)
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # one line, and it is ours
    client = AIOKafkaConsumer(**connection.client_options())
    try:
        await client.start()
        existing = await client.topics()
    except (KafkaError, OSError) as error:
        raise PreflightError(f"no broker answers at {brokers}: {_one_line(error)}") from error
    finally:
        await client.stop()
    missing = sorted(set(topics) - existing)
    if missing:
        raise PreflightError(f"{brokers} has no topic {', '.join(missing)}: winnow topics create")


def check_topics(connection: Connection, names: TopicNames) -> str:
    """Ask whether the topics take the largest record that a worker publishes.

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


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
