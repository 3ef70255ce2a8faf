"""Report in one line that an input or the whole command failed (exit code 1; 2 at its start)."""

import re
from typing import IO, Any, Final

import click

from winnow.worker.terminal import one_line, printable

# click appends it to some messages without a full stop
_HINT: Final = re.compile(r"(?<![.]) Did you mean ")


def complain(why: str) -> None:
    """Print to standard error, in one line, what is wrong with an input."""
    click.echo(f"winnow: {one_line(why)}", err=True)


class CannotGoOn(click.ClickException):
    """A failure while the command works."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the reason on standard error."""
        click.echo(f"winnow: {self.format_message()}", file=file, err=file is None)


class CannotStart(CannotGoOn):
    """A model, a broker or a setting is missing or unusable."""

    exit_code = 2


def in_our_words(error: click.ClickException) -> click.ClickException:
    """Convert a click error to ours, so that all commands report errors in one style."""
    why = printable(error.format_message()).removesuffix(".")
    why = _HINT.sub(". Did you mean ", why)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "winnow"
        why = why[:1].lower() + why[1:] if why[1:2].islower() else why
        return CannotStart(f"{why}\nTry '{command} --help'.")
    if isinstance(error, CannotGoOn):
        error.message = why
        return error
    return CannotGoOn(why)
