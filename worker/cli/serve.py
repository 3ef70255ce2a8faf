"""`winnow serve`: clean pages over HTTP, for crawlers in any language."""

import os
from pathlib import Path
from typing import Final

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.options import cleaning_options, read_options
from winnow.worker.cli.serving import listening_options, serve_until_stopped
from winnow.worker.serve.server import serve_limits, serve_pages
from winnow.worker.serve.work import ServeParts
from winnow.worker.web.processes import CannotServe

DEFAULT_PORT: Final = 6070


@click.command("serve")
@listening_options(DEFAULT_PORT)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    help="Pages cleaned at the same time.  [default: number of usable CPUs]",
)
@click.option(
    "--page-seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for cleaning a page, and for a request in the queue.",
)
@click.option(
    "--waiting",
    type=click.IntRange(0, 10_000),
    default=64,
    show_default=True,
    help="Maximum requests in the queue; more are answered with 503.",
)
@click.option(
    "--batches",
    type=click.IntRange(0, 256),
    default=4,
    show_default=True,
    help="Maximum batches of JSON lines at the same time; more are answered with 503.",
)
@cleaning_options
def command(
    host: str, port: int, processes: int | None, page_seconds: float, waiting: int, batches: int,
    engine: str | None, threshold: str | None, pairs: tuple[str, ...], options_file: Path | None,
    model: Path | None,
) -> None:  # fmt: skip
    """Clean pages over HTTP: HTML in; JSON, Markdown or text out.

    It fetches nothing. Everyone who can reach the port can clean pages; by default that is only
    this machine. SIGTERM and Ctrl-C stop it after open requests are answered.
    """
    options = read_options(options_file, pairs, engine=engine, threshold=threshold)
    if options.seen:
        raise click.UsageError("serve does not remember sites: leave out the option seen")
    count = processes or len(os.sched_getaffinity(0))
    limits = serve_limits(options, count, page_seconds, waiting, batches)
    try:
        serve_until_stopped(
            "serve", host, serve_pages(host, port, ServeParts(options, model), limits)
        )
    except CannotServe as error:
        raise CannotStart(str(error)) from error
