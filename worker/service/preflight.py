"""Check brokers and topics before the worker processes start."""

from collections.abc import Iterable

from aiokafka.errors import KafkaError

from winnow.models.errors import WinnowError
from winnow.streams.errors import HiddenConfigs, KafkaUnavailable, UnfitTopics
from winnow.streams.kafka.brokers import BrokerAnswers, ask_brokers, existing_topics
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.admin import require_topics
from winnow.streams.topics import TopicNames


class PreflightError(WinnowError):
    """No broker answers, or a topic is missing or unsuitable; one line for an operator."""


async def check_brokers(connection: Connection, topics: Iterable[str]) -> BrokerAnswers:
    """Try every broker address, and ask one that answers for the topics.

    Raises:
        PreflightError: no broker answers, or topics are missing.
    """
    answers = await ask_brokers(connection)
    if not answers.answering:
        raise PreflightError(answers.cannot_connect())
    broker = answers.answering[0]
    try:
        existing = await existing_topics(connection, broker)
    except (KafkaError, OSError) as error:
        why = _one_line(error)
        raise PreflightError(f"{broker}: connected, but cannot list the topics: {why}") from error
    missing = sorted(set(topics) - existing)
    if missing:
        # a topic that this user may not describe looks the same
        way_out = "run winnow topics create, or grant this user Describe"
        raise PreflightError(f"{broker}: no topic {', '.join(missing)}: {way_out}")
    return answers


def check_topics(connection: Connection, names: TopicNames) -> str:
    """Check that the topics accept every record that a worker publishes.

    Returns:
        Why the check is not possible, if this user may not describe the topics. Then delivery
        shows it, page by page.

    Raises:
        PreflightError: a topic does not accept them.
    """
    try:
        require_topics(connection, names)
    except HiddenConfigs as error:
        return _one_line(error)
    except (UnfitTopics, KafkaUnavailable) as error:
        raise PreflightError(_one_line(error)) from error
    return ""


def _one_line(error: object) -> str:
    return " ".join(str(error).split())
