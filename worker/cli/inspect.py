"""`winnow inspect`: a local web page that shows what a cleaner keeps and why."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.options import cleaning_options, read_options
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.serving import LOOPBACK, listening_options, serve_until_stopped
from winnow.worker.inspector.parts import InspectorParts
from winnow.worker.inspector.server import serve_inspector
from winnow.worker.settings import Settings, SettingsError
from winnow.worker.web.processes import CannotServe

DEFAULT_PORT: Final = 6080


@click.command("inspect")
@listening_options(DEFAULT_PORT)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Host name that browsers may use, in addition to localhost and addresses; repeatable.",
)
@click.option(
    "--look-up",
    "kinds",
    multiple=True,
    type=click.Choice(["cache", "topics"]),
    help="Allow look-ups in the worker's cache or topics, as the WINNOW_ settings name them; "
    "repeatable.",
)
@click.option(
    "--archive",
    "archives",
    multiple=True,
    type=PathName(exists=True, dir_okay=False),
    help="Allow look-ups of pages in this WARC; repeatable.",
)
@cleaning_options
def command(
    host: str, port: int, names: tuple[str, ...], kinds: tuple[str, ...],
    archives: tuple[Path, ...], engine: str | None, threshold: str | None, pairs: tuple[str, ...],
    options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Serve a local page that shows what is kept of a page, and why.

    It fetches nothing: paste pages, or drop files. Everyone who can reach the port can clean
    pages; by default that is only this machine. Stop it with Ctrl-C.
    """
    options = read_options(options_file, pairs, engine=engine, threshold=threshold)
    settings = _settings(frozenset(kinds))
    serve(InspectorParts(options, model, settings, frozenset(kinds), archives), host, port, names)


def serve(
    parts: InspectorParts, host: str = LOOPBACK, port: int = DEFAULT_PORT, names: Sequence[str] = ()
) -> None:
    """Serve until SIGINT or SIGTERM; prints the address to standard error.

    Raises:
        CannotStart: host or port cannot be bound; models or options cannot be used.
    """
    try:
        serve_until_stopped("inspect", host, serve_inspector(host, port, parts, names))
    except CannotServe as error:
        raise CannotStart(str(error)) from error


def _settings(kinds: frozenset[str]) -> Settings | None:
    """Read the settings of a worker if look-ups in its cache or topics are allowed.

    Raises:
        CannotStart: its settings cannot be used.
    """
    needed = {"cache": "redis_url", "topics": "kafka_bootstrap"}
    try:
        required = [needed[kind] for kind in sorted(kinds)]
        return Settings.from_env(os.environ, required) if kinds else None
    except SettingsError as error:
        raise CannotStart(str(error)) from error
