"""What the operator's commands share: settings from the environment, errors in one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from models.errors import WinnowError
from worker.settings import Settings, SettingsError


def operator_settings() -> Settings:
    """Read the settings of a command that needs brokers.

    Raises:
        click.UsageError: with all problems; the exit code is 2.
    """
    try:
        return Settings.from_env(os.environ)
    except SettingsError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def failures() -> Iterator[None]:
    """Turn an error that was raised on purpose into its text and exit code 1."""
    try:
        yield
    except WinnowError as error:
        raise click.ClickException(str(error)) from None
