"""How a command ends that cannot begin, exit code 2, or cannot go on, 1: one line."""

from typing import IO, Any

import click


class CannotGoOn(click.ClickException):
    """What a command reads from has failed."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the reason in one line on standard error."""
        click.echo(f"winnow: {self.format_message()}", file=file, err=file is None)


class CannotStart(CannotGoOn):
    """A model, a broker or a setting is missing or unusable."""

    exit_code = 2
