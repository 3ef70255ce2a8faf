"""`winnow demo`: the whole pipeline without a Kafka or Redis installation."""

import asyncio
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import click
import orjson

from winnow.models.document import Page
from winnow.models.errors import ModelError, OptionsError
from winnow.models.options import CleanerOptions
from winnow.worker.batch.inputs import SAMPLES, InputError, PageFile, find_pages, read_page
from winnow.worker.cleaning import build_cleaner, options_of
from winnow.worker.cli.failure import CannotStart, complain
from winnow.worker.cli.inspect import serve
from winnow.worker.cli.paths import PathName
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.run import MAX_PAGE_BYTES, Demo, DemoError, DemoPage, Summary
from winnow.worker.demo.view import DemoConsole, View
from winnow.worker.inspector.parts import InspectorParts
from winnow.worker.logs import LogFormat, LogLevel, configure_logging
from winnow.worker.settings import Settings, SettingsError

SAMPLE_URL: Final = "https://sample.invalid/"


@click.command("demo")
@click.argument("paths", nargs=-1, type=PathName())
@click.option("--json", "as_json", is_flag=True, help="One JSON line per page, then the summary.")
@click.option("--full", is_flag=True, help="Show all sentences, not only the first of each kind.")
@click.option("--web", is_flag=True, help="Then serve the inspector, as `winnow inspect` does.")
def command(paths: tuple[Path, ...], *, as_json: bool, full: bool, web: bool) -> None:
    """Run the whole pipeline on an embedded broker, with your pages.

    PATHs are files and folders. The default is the shipped samples.
    The embedded broker accepts pages of at most 2 MiB: larger ones are refused.
    """
    source = _Source(paths)
    show = _JsonLines() if as_json else View(DemoConsole(), full=full)
    try:
        settings = Settings.from_env(os.environ, required=())
        configure_logging(LogLevel.ERROR, LogFormat.CONSOLE, sys.stderr)
        # pages of a demo are not a crawl: each is cleaned independently
        cleaner = build_cleaner(settings, CleanerOptions(spans=not as_json))
    except (SettingsError, ModelError, OptionsError) as error:
        raise CannotStart(str(error)) from error
    # a folder of bad pages must not stop the demo: each is shown as refused
    demo = Demo(replace(settings, dead_ratio=1.0, dead_consecutive=10**9), cleaner)
    try:
        summary = asyncio.run(demo.run(source.pages(), show.answer))
    except DemoError as error:
        raise click.ClickException(str(error)) from error
    show.summary(summary)
    if web:
        serve(InspectorParts(options_of(settings, CleanerOptions()), settings.model))
    answered = summary.documents + summary.deleted + summary.skipped + summary.dead
    if source.has_failed or answered != summary.pages:
        sys.exit(1)


class _Source:
    """The pages of a run, without duplicates; names paths without a page on stderr."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        self._given: dict[str, Path] = {}
        self.has_failed = False

    def pages(self) -> Iterator[DemoPage]:
        for file in find_pages(self._paths or (SAMPLES,)):
            try:
                if isinstance(file, InputError):
                    raise file
                page = self._named(file, read_page(file, MAX_PAGE_BYTES))
            except InputError as error:
                self.has_failed = True
                complain(str(error))
                continue
            if page.url in self._given:
                same = f"{file.path}: the same page as {self._given[page.url]}, shown once"
                complain(same)
                continue
            self._given[page.url] = file.path
            yield DemoPage(page, _size(file, len(page.body)))

    def _named(self, file: PageFile, page: Page) -> Page:
        is_file = bool(self._paths and page.url)
        return page if is_file else replace(page, url=SAMPLE_URL + file.name.as_posix())


def _size(file: PageFile, read_bytes: int) -> int:
    """Return the size of a page; at most `MAX_PAGE_BYTES` + 1 of its bytes were read."""
    is_file = file.path.is_file()  # standard input: its full size is unknown
    return max(read_bytes, file.path.stat().st_size if is_file else 0)


class _JsonLines:
    """Writes one JSON line per answer and one for the summary."""

    def answer(self, answer: Answer) -> None:
        if answer.dead is not None:
            self._write({"dead": answer.dead})
        elif answer.is_deleted or answer.is_skipped:
            outcome = "deleted" if answer.is_deleted else "skipped"
            self._write({"url": answer.url, "outcome": outcome})
        else:
            self._write({"document": answer.document, "stats": answer.stats})

    def summary(self, summary: Summary) -> None:
        self._write({"summary": asdict(summary)})

    @staticmethod
    def _write(line: dict[str, object]) -> None:
        sys.stdout.buffer.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()
