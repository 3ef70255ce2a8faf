"""Options that several commands share: engine, model, output."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import click

from winnow.models.engines.choice import ENGINES
from winnow.models.errors import InvalidPage, OptionsError
from winnow.models.options import OPTION_NAMES, CleanerOptions
from winnow.streams.pages import arrival_from
from winnow.streams.records import Incoming
from winnow.worker.cleaning import options_in
from winnow.worker.cli.paths import PathName

P = ParamSpec("P")
R = TypeVar("R")


ignore_robots_option: Final = click.option(
    "--ignore-robots", is_flag=True, help="Fetch URLs even if robots.txt forbids it."
)


def shard_size_option(what: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Add --shard-size to a command that writes shards of `what`."""
    return click.option(
        "--shard-size",
        type=click.FloatRange(0, min_open=True),
        default=128.0,
        show_default=True,
        metavar="MB",
        help=f"{what} per shard, before compression.",
    )


def _url_prefix(_: click.Context, __: click.Parameter, prefix: str) -> str:
    """Accept a prefix if the worker would accept a URL that begins with it."""
    url = os.fsencode(prefix) + b"page.html"
    try:
        arrival_from(Incoming("", 0, 0, None, b"<p>", (("url", url),)))
    except InvalidPage:
        if prefix:
            raise click.BadParameter(
                "must be the beginning of a URL, such as https://example.org/"
            ) from None
    return prefix


url_prefix_option: Final = click.option(
    "--url-prefix",
    default="",
    callback=_url_prefix,
    help="URL of a page in a file: this prefix and the path below PATH, percent-encoded. "
    "Default: file:// and the whole path.",
)


def cleaning_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add --engine, --threshold, --option, --options and --model to a command."""
    for option in (
        click.option("--model", type=PathName(),
                     help="Language model file, or a folder of them. Default: all shipped models."),
        click.option("--options", "options_file", type=PathName(),
                     help="JSON file of options, as `winnow calibrate` writes it."),
        click.option("--option", "pairs", multiple=True, metavar="KEY=VALUE",
                     help=f"One option by name: {', '.join(OPTION_NAMES)}; may be repeated."),
        click.option("--threshold", help="Threshold of the engine."),
        click.option("--engine", metavar="NAME",
                     help=f"Engine that judges blocks: {', '.join(ENGINES)}.  [default: "
                     f"{CleanerOptions().engine}]"),
    ):  # fmt: skip
        command = option(command)
    return command


def read_options(
    options_file: Path | None, pairs: tuple[str, ...], **named: object
) -> CleanerOptions:
    """Return the options: command-line options override --option pairs, and those the file.

    Raises:
        click.UsageError: a file, a pair or a value is invalid.
    """
    values: dict[str, object] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator:
            raise click.UsageError(f"--option needs KEY=VALUE, not {pair!r}")
        values[name] = value
    given = {name: value for name, value in named.items() if value is not None}
    try:
        in_file = options_in(options_file) if options_file else {}
        # one after the other, so that a wrong value is found even if another one overrides it
        return CleanerOptions().with_values(in_file).with_values(values).with_values(given)
    except OptionsError as error:
        raise click.UsageError(str(error)) from error
