"""`winnow serve`: the same cleaning over HTTP, for crawlers in any language."""

import os
from pathlib import Path
from typing import Final

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.options import cleaning_options, read_options
from winnow.worker.cli.serving import LOOPBACK, serve_until_stopped
from winnow.worker.serve.server import serve_limits, serve_pages
from winnow.worker.serve.work import ServeParts
from winnow.worker.setting_types import MAX_PORT
from winnow.worker.web.processes import CannotServe

DEFAULT_PORT: Final = 6070


@click.command("serve")
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, MAX_PORT),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    help="Pages that are worked on at a time.  [default: the CPUs that it may use]",
)
@click.option(
    "--page-seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Longest that a page may take, and that a request waits for its turn.",
)
@click.option(
    "--waiting",
    type=click.IntRange(0, 10_000),
    default=64,
    show_default=True,
    help="Requests that may wait for their turn; more are answered with 503.",
)
@click.option(
    "--batches",
    type=click.IntRange(0, 256),
    default=4,
    show_default=True,
    help="Batches of JSON lines at a time; more are answered with 503.",
)
@cleaning_options
def command(
    host: str, port: int, processes: int | None, page_seconds: float, waiting: int, batches: int,
    engine: str | None, threshold: str | None, pairs: tuple[str, ...], options_file: Path | None,
    model: Path | None,
) -> None:  # fmt: skip
    """Clean pages over HTTP: HTML in; JSON, Markdown or text out.

    It fetches nothing. Whoever reaches the port can have pages cleaned; by default that is this
    machine alone. SIGTERM and Ctrl-C end it: what is at work is answered before.
    """
    options = read_options(options_file, pairs, engine=engine, threshold=threshold)
    if options.seen:
        raise click.UsageError("serve keeps no memory of sites: leave out the option seen")
    count = processes or len(os.sched_getaffinity(0))
    limits = serve_limits(options, count, page_seconds, waiting, batches)
    try:
        serve_until_stopped(
            "serve", host, serve_pages(host, port, ServeParts(options, model), limits)
        )
    except CannotServe as error:
        raise CannotStart(str(error)) from error
