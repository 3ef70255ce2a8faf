"""`winnow label`: correct gold texts in a browser."""

from itertools import chain
from pathlib import Path

import click

from winnow.lab.label.pages import worst_pages
from winnow.lab.label.session import Session
from winnow.lab.sets.parts import Part
from winnow.worker.cli.labelled import check_names, label_files, usable_labels
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.serving import LOOPBACK, serve_until_stopped
from winnow.worker.cli.targets import check_target
from winnow.worker.inspector.labels import LABEL_LIMITS, label_site
from winnow.worker.inspector.site import serve_site


@click.command("label")
@click.argument("sources", nargs=-1, required=True, type=PathName(exists=True))
@click.option(
    "-o", "--output", required=True, type=PathName(dir_okay=False), help="File of patches to write."
)
@click.option(
    "--worst", default=20, show_default=True, type=click.IntRange(min=1), help="How many pages."
)
@click.option("--split", type=click.Choice([*Part]), help="Only pages of the sites of this part.")
@click.option(
    "--port",
    type=click.IntRange(0, 0xFFFF),
    default=6081,
    show_default=True,
    help="Port of 127.0.0.1 to listen on; 0: any free port.",
)
def command(
    sources: tuple[Path, ...], output: Path, worst: int, split: str | None, port: int
) -> None:
    """Serve a page to correct gold texts, block by block.

    SOURCES are labelled sets. The pages with the least agreement between default engine and gold
    text come first. Every change is written to the file of patches at once. Stop it with Ctrl-C.
    """
    check_names(sources)
    check_target(output, chain.from_iterable(map(label_files, sources)))
    with usable_labels():
        session = Session(worst_pages(sources, Part(split) if split else None, worst), output)
    site = label_site(session)
    serve_until_stopped("label", LOOPBACK, serve_site(LOOPBACK, port, site, (), LABEL_LIMITS))
