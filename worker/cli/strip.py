"""`winnow strip`: tag removal only."""

import sys
from pathlib import Path

import click

from winnow.models._kernel import render
from winnow.models.errors import InvalidPage
from winnow.models.page import Limits, blocks_of
from winnow.worker.batch.inputs import InputError, PageFile, find_pages, read_page
from winnow.worker.cli.failure import complain
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.sinks import StreamSink, Written
from winnow.worker.terminal import shown_path


@click.command("strip")
@click.argument("paths", nargs=-1, required=True, type=PathName())
def command(paths: tuple[Path, ...]) -> None:
    """Remove the tags of pages, and keep all text.

    PATHs are HTML files, folders of them, or `-` for standard input.

    Symbolic links below a PATH are not followed.
    """
    found = list(find_pages(paths))
    pages = sum(isinstance(item, PageFile) for item in found)
    sink = StreamSink(titled=pages > 1, is_text=True)
    failed = 0
    for item in found:
        try:
            if isinstance(item, InputError):
                raise item
            page = Written(shown_path(item.path), item.name)
            sink.write(page, _stripped(item, Limits()).encode() + b"\n")
        except InputError as error:
            complain(str(error))
            failed += 1
    sys.exit(1 if failed else 0)


def _stripped(item: PageFile, limits: Limits) -> str:
    page = read_page(item, limits.page_bytes)
    try:
        blocks = blocks_of(page, limits)
    except InvalidPage as error:
        raise InputError(item.path, str(error)) from error
    return render(blocks, None, bytes(len(blocks)), "text", mark=False).text
