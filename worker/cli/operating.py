"""Shared by the operator's commands: settings from the environment, errors in one line."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

import click

from winnow.models.errors import WinnowError
from winnow.streams.errors import KafkaUnavailable, NoSuchTopic
from winnow.worker.cli.failure import CannotStart
from winnow.worker.settings import Settings, SettingsError, variable_of


def _settings(_: click.Context, __: click.Parameter, bootstrap: str | None) -> Settings:
    return environment_settings(
        {variable_of("kafka_bootstrap"): bootstrap} if bootstrap is not None else {}
    )


def environment_settings(given: Mapping[str, str] = MappingProxyType({})) -> Settings:
    """Return the settings of the environment, and of what is given instead.

    Raises:
        CannotStart: one of them is missing or wrong.
    """
    try:
        return Settings.from_env({**os.environ, **given})
    except SettingsError as error:
        raise CannotStart(str(error)) from None


# Gives a command its settings; --bootstrap replaces the brokers of the environment.
broker_settings: Final = click.option(
    "--bootstrap",
    "settings",
    metavar="HOST:PORT,...",
    callback=_settings,
    help=f"Kafka brokers. Default: {variable_of('kafka_bootstrap')}.",
)


@contextmanager
def failures() -> Iterator[None]:
    """Print an expected error as one line, with exit code 1.

    The exit code is 2 when the brokers do not answer or refuse, or the topic does not exist.
    """
    try:
        yield
    except (KafkaUnavailable, NoSuchTopic) as error:
        raise CannotStart(str(error)) from None
    except WinnowError as error:
        raise click.ClickException(str(error)) from None
