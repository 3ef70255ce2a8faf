"""Progress of a run on a terminal: bytes read, pages and bytes per second, time left."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from winnow.worker.batch.archives.entries import Place

REFRESH_SECONDS: Final = 0.1

Advance = Callable[[int, Place, bool], None]  # number of a file, place in it, whether it is a page


@contextmanager
def progress_of(
    sizes: Sequence[int],
    begin: int = 0,
    what: str = "cleaning",
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Advance]:
    """Show progress on standard error, if it is a terminal, while the block runs.

    Args:
        sizes: size of each input file, in bytes.
        begin: bytes that an earlier run has read.
        what: the activity to show.
        clock: monotonic, in seconds.
    """
    if not sys.stderr.isatty() or sum(sizes) == 0:
        yield lambda _, __, ___: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[pages]:,} pages"),
        TextColumn("{task.fields[page_rate]:,.0f}/s"),
        TextColumn("{task.fields[byte_rate]:.1f} MB/s"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, expand=True) as progress:
        task = progress.add_task(
            what, total=sum(sizes), completed=begin, pages=0, page_rate=0.0, byte_rate=0.0
        )
        meter = Meter(sizes, begin, clock)

        def advance(file: int, place: Place, is_page: bool) -> None:
            if meter.add(file, place, pages=int(is_page)):
                progress.update(
                    task, completed=meter.read_bytes, pages=meter.pages,
                    page_rate=meter.page_rate, byte_rate=meter.byte_rate,
                )  # fmt: skip

        yield advance


class Meter:
    """Counts bytes read and pages cleaned."""

    def __init__(self, sizes: Sequence[int], begin: int, clock: Callable[[], float]) -> None:
        """Begin now."""
        self._before = [0, *accumulate(sizes)]
        self._begin = begin
        self._clock = clock
        self._started = self._shown = clock()
        self.pages = 0
        self.read_bytes = begin

    def add(self, file: int, place: Place, *, pages: int) -> bool:
        """Count a record by its place; return whether it is time to show the figures."""
        self.pages += pages
        read = self._before[file + 1 if place.is_whole_file else file]
        self.read_bytes = max(self.read_bytes, read + place.offset)
        now = self._clock()
        if now - self._shown < REFRESH_SECONDS:
            return False
        self._shown = now
        return True

    @property
    def page_rate(self) -> float:
        """Pages per second."""
        return self.pages / (self._shown - self._started)

    @property
    def byte_rate(self) -> float:
        """Megabytes of files per second."""
        return (self.read_bytes - self._begin) / (self._shown - self._started) / 1e6
