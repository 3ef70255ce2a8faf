"""Pages -> one text file per page in a folder; a stopped run can be continued."""

import errno
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import click

from winnow.models.errors import InvalidPage
from winnow.models.options import CleanerOptions
from winnow.worker.batch.archives.cleaning import EntryCleaner, Outcome, text_of
from winnow.worker.batch.archives.copies import CopyLog
from winnow.worker.batch.archives.folders import LocalFolder
from winnow.worker.batch.archives.ledger import LEDGER, Ledger, forget_run, open_ledger
from winnow.worker.batch.archives.run import Source
from winnow.worker.batch.bulk import Jobs
from winnow.worker.batch.choice import Choice
from winnow.worker.cli.choice_options import say_dropped
from winnow.worker.cli.clean_shards import going_on, plan_of
from winnow.worker.cli.failure import CannotGoOn
from winnow.worker.cli.output_folders import run_of
from winnow.worker.cli.sinks import FolderSink, WriteError, folder_of
from winnow.worker.terminal import counted, shown_path

COMMIT_SECONDS: Final = 5.0  # most work that a kill can lose

# the next page cannot be written either, so this one must not count as done
_FOLDER_IS_LOST: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}

# returns why no file was written
WriteOutcome = Callable[[Outcome, FolderSink], InvalidPage | WriteError | None]


@dataclass(frozen=True, slots=True)
class Files:
    """What the command line asks for.

    Attributes:
        folder: where the files go.
        text_format: format of the files.
        suffix: suffix of their names.
        is_restarted: whether to discard an earlier, unfinished run.
        choice: which documents are written.
    """

    folder: Path
    text_format: str
    suffix: str
    is_restarted: bool
    choice: Choice


def clean_to_files(
    source: Source,
    wanted: Files,
    options: CleanerOptions,
    model: Path | None,
    jobs: Jobs,
    write: WriteOutcome,
) -> int:
    """Clean the pages not done yet, write them by `write`; return how many gave no document.

    A file is written whole or not at all, and writing it again gives the same file. So the ledger
    only holds the progress of a run, and is removed at its end.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
        BrokenProcessPool: all cleaning processes were killed.
    """
    build = partial(EntryCleaner.open, options, model, text_of, wanted.choice)
    plan = plan_of(source, wanted.text_format, options, build().fingerprint, wanted.choice)
    folder = LocalFolder(folder_of(wanted.folder))
    name = shown_path(wanted.folder)
    with run_of(name, "give another folder, or --restart"):
        if wanted.is_restarted:
            forget_run(folder)
        ledger = open_ledger(folder, plan)
        if ledger.counts.documents:
            done = counted(ledger.counts.documents, "document")
            click.echo(f"winnow: continuing after {done}", err=True)
        copies = CopyLog(wanted.choice, folder, ledger.fingerprints_bytes)
        _write_all(source, _FilesOf(wanted, folder, write, copies), ledger, build, jobs)
    if not ledger.is_complete:
        raise CannotGoOn(f"{name}: stopped; run the same command to continue")
    say_dropped(ledger.counts.dropped, copies.forgotten)
    return ledger.counts.errors.total()


class _FilesOf:
    """Writes the files, and the progress of the run."""

    def __init__(
        self, wanted: Files, folder: LocalFolder, write: WriteOutcome, copies: CopyLog
    ) -> None:
        self._sink = FolderSink(wanted.folder, wanted.suffix)
        self._write = write
        self._copies = copies
        self._folder = folder
        self._since = time.monotonic()

    def add(self, each: Outcome, ledger: Ledger) -> None:
        """Write an outcome, and the progress every few seconds."""
        outcome = self._copies.without_copy(each)
        error = self._write(outcome, self._sink)
        if not isinstance(error, WriteError):
            ledger.counts.add(outcome)
            if isinstance(outcome.result, bytes):
                self._copies.keep(outcome.fingerprint)
        else:
            cause = error.__cause__
            if isinstance(cause, OSError) and cause.errno in _FOLDER_IS_LOST:
                raise cause
            ledger.counts.errors["not_written"] += 1
        ledger.move(outcome)
        if time.monotonic() - self._since >= COMMIT_SECONDS:
            self.commit(ledger)

    def commit(self, ledger: Ledger) -> None:
        """Flush the written files to disk, then record the progress."""
        os.sync()
        ledger.fingerprints_bytes = self._copies.sync()
        ledger.write(self._folder)
        self._since = time.monotonic()

    def forget(self) -> None:
        """Keep only the files and the fingerprints of their documents."""
        self._copies.sync()
        self._copies.close()
        self._folder.remove(LEDGER)


def _write_all(
    source: Source,
    files: _FilesOf,
    ledger: Ledger,
    build: "partial[EntryCleaner]",
    jobs: Jobs,
) -> None:
    with going_on(source, ledger, build, jobs) as (results, advance, stop):
        for outcome in results:
            files.add(outcome, ledger)
            advance(outcome.file, outcome.place, isinstance(outcome.result, bytes))
            if stop():
                files.commit(ledger)
                return
    ledger.is_complete = True
    files.forget()
