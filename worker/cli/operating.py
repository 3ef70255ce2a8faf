"""What the operator's commands share: settings from the environment, errors in one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from models.errors import WinnowError
from streams.librdkafka import KafkaUnavailable
from streams.topic_reader import NoSuchTopic
from worker.cli.failure import CannotStart
from worker.settings import Settings, SettingsError


def operator_settings() -> Settings:
    """Read the settings of a command that needs brokers.

    Raises:
        CannotStart: with all problems, one a line.
    """
    try:
        return Settings.from_env(os.environ)
    except SettingsError as error:
        raise CannotStart(str(error)) from None


@contextmanager
def failures() -> Iterator[None]:
    """Turn an error that was raised on purpose into its text and exit code 1.

    The exit code is 2 when the brokers do not answer or refuse, or there is no such topic.
    """
    try:
        yield
    except (KafkaUnavailable, NoSuchTopic) as error:
        raise CannotStart(str(error)) from None
    except WinnowError as error:
        raise click.ClickException(str(error)) from None
