"""Collect the commands into `winnow`, load each only when it is called."""

import importlib
import os
from difflib import get_close_matches
from typing import Any, Final

import click

from winnow.worker.cli.failure import in_our_words
from winnow.worker.cli.standard_streams import standard_streams
from winnow.worker.environment import drop_foreign_variables

# command -> module under winnow.worker.cli; a module is imported only when its command runs,
# so that `winnow score` does not pay for the import of Faust.
COMMANDS: Final[dict[str, str]] = {
    "demo": "demo",
    "worker": "worker",
    "clean": "clean",
    "explain": "explain",
    "inspect": "inspect",
    "strip": "strip",
    "score": "score",
    "model": "model",
    "calibrate": "calibrate",
    "evaluate": "evaluate",
    "web2text": "web2text",
    "publish": "publish",
    "tail": "tail",
    "topics": "topics",
    "dead": "dead",
    "top": "top",
}


class LazyGroup(click.Group):
    """A click group whose commands live in one module each, as `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all command names, in the order in which help shows them."""
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        drop_foreign_variables(os.environ)
        command = importlib.import_module(f"winnow.worker.cli.{COMMANDS[cmd_name]}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"winnow.worker.cli.{COMMANDS[cmd_name]}.command is no click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, or say which one may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if close := get_close_matches(args[0], COMMANDS, n=1):
                raise click.UsageError(f"{error.message} Did you mean '{close[0]}'?", ctx) from None
            raise

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 - as click has it
        """Read the options before the command."""
        try:
            return super().make_context(*args, **kwargs)
        except click.ClickException as error:
            raise in_our_words(error) from error

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; its errors may name what others have named."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            raise in_our_words(error) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as click has it
        """Run a command with standard streams that are safe to use."""
        with standard_streams():
            return super().main(*args, **kwargs)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="winnow-web", prog_name="winnow")
def main() -> None:
    """Winnow keeps the text worth keeping of crawled web pages."""
