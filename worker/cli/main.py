"""The command `winnow`; each subcommand is imported only when it is called."""

import importlib
import os
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final, NamedTuple

import click
from click.shell_completion import CompletionItem

from winnow.extras import MissingExtraError, importing
from winnow.worker.cli.failure import CannotStart, in_our_words
from winnow.worker.cli.standard_streams import standard_streams
from winnow.worker.environment import drop_foreign_variables


class Section(StrEnum):
    """The headings of `winnow --help`, in its order."""

    RUN = "Run"
    INSPECT = "Inspect"
    OPERATE = "Operate"
    MODELS = "Models and evaluation"


class Entry(NamedTuple):
    """A command: the module `winnow.worker.cli.NAME` (`_` for `-`), and its line in the help.

    The line is written here, because the import of a command costs up to a second.
    """

    name: str
    section: Section
    line: str


COMMANDS: Final = (
    Entry("demo", Section.RUN, "Run the whole pipeline on an embedded broker, with your pages."),
    Entry("clean", Section.RUN, "Clean pages and whole archives, without a broker."),
    Entry("worker", Section.RUN, "Run the service: N processes that clean a Kafka topic."),
    Entry("serve", Section.RUN, "Clean pages over HTTP: HTML in; JSON, Markdown or text out."),
    Entry("strip", Section.RUN, "Remove the tags of pages, and keep all text."),
    Entry("near-copies", Section.INSPECT, "List documents in shards that are copies of others."),
    Entry("explain", Section.INSPECT, "Show for each block of a page whether it is kept, and why."),
    Entry(
        "inspect",
        Section.INSPECT,
        "Serve a local page that shows what is kept of a page, and why.",
    ),
    Entry("score", Section.INSPECT, "Print how surprised the language model is by a text."),
    Entry("publish", Section.OPERATE, "Publish pages to Kafka."),
    Entry("tail", Section.OPERATE, "Print the records of a topic."),
    Entry("topics", Section.OPERATE, "Create the topics, or check them."),
    Entry("index-template", Section.OPERATE, "Print the fields of documents for search engines."),
    Entry("reclean", Section.OPERATE, "Clean all pages again, after a change of model or options."),
    Entry("dead", Section.OPERATE, "List, show and replay dead letters."),
    Entry("top", Section.OPERATE, "Watch rates, lag and dead letters, live, until interrupted."),
    Entry("model", Section.MODELS, "Train, import and inspect language models."),
    Entry("evaluate", Section.MODELS, "Score engines on labelled pages."),
    Entry("calibrate", Section.MODELS, "Choose a threshold on labelled pages."),
    Entry("label", Section.MODELS, "Serve a page to correct gold texts, block by block."),
    Entry("web2text", Section.MODELS, "Train and evaluate the web2text engine (Web2Text)."),
)
_NAMES: Final = tuple(each.name for each in COMMANDS)


class LazyGroup(click.Group):
    """A click group whose commands live in one module each, as `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all command names, in the order of the help."""
        return [*_NAMES, *super().list_commands(ctx)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as click has it
        """Write the commands under their headings, without importing them."""
        width = max(map(len, _NAMES))
        for section in Section:
            with formatter.section(section.value):
                formatter.write_dl(
                    [
                        (f"{each.name:{width}}", each.line)
                        for each in COMMANDS
                        if each.section is section
                    ]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands and options, without importing a command."""
        offered = [
            CompletionItem(each.name, help=each.line)
            for each in COMMANDS
            if each.name.startswith(incomplete)
        ]
        return [*offered, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it, or None if there is no such command.

        Raises:
            CannotStart: the extra of the command is not installed.
        """
        if cmd_name not in _NAMES:
            return super().get_command(ctx, cmd_name)
        drop_foreign_variables(os.environ)
        try:
            with importing(cmd_name):
                module = f"winnow.worker.cli.{cmd_name.replace('-', '_')}"
                command = importlib.import_module(module).command
        except MissingExtraError as error:
            raise CannotStart(str(error)) from error
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.command is not a click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest one with a similar name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if close := get_close_matches(args[0], _NAMES, n=1):
                raise click.UsageError(f"{error.message} Did you mean '{close[0]}'?", ctx) from None
            raise

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 - as click has it
        """Parse the options before the command."""
        try:
            return super().make_context(*args, **kwargs)
        except click.ClickException as error:
            raise in_our_words(error) from error

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command, and make untrusted names in its errors safe to print."""
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
