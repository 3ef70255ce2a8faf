"""How a command ends when it cannot begin: one line, exit code 2."""

from typing import IO, Any

import click


class CannotStart(click.ClickException):
    """A model, a broker or a setting is missing or unusable."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the reason in one line on standard error."""
        click.echo(f"winnow: {self.format_message()}", file=file, err=file is None)
