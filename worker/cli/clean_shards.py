"""Archives -> shards of documents in a folder, and a summary; a stopped run can be continued."""

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from signal import SIGINT, SIGTERM
from types import FrameType
from typing import Any, Final

import click
import orjson

from winnow.models.errors import InvalidPage, Reason
from winnow.models.options import CleanerOptions
from winnow.worker.batch.archives.cleaning import EntryCleaner, Outcome, value_of
from winnow.worker.batch.archives.ledger import (
    ERRORS,
    Ledger,
    Plan,
    digest_of_inputs,
    forget_run,
    read_ledger,
)
from winnow.worker.batch.archives.run import Output, Run, Source, Start, outcomes
from winnow.worker.batch.archives.shards import MissingPackageError, form_of
from winnow.worker.batch.bulk import Jobs
from winnow.worker.batch.choice import Choice
from winnow.worker.batch.inputs import Argument
from winnow.worker.cli.choice_options import say_dropped
from winnow.worker.cli.failure import CannotGoOn, CannotStart, complain
from winnow.worker.cli.output_folders import output_folder, run_of
from winnow.worker.cli.progress import Advance, progress_of
from winnow.worker.terminal import counted, shown_path

NAMED_RECORDS: Final = 5  # named on stderr per file; junk can look like many records


@dataclass(frozen=True, slots=True)
class Sharded:
    """What the command line asks for.

    Attributes:
        folder: where the shards go.
        text_format: format of the shards.
        shard_bytes: bytes of documents per shard.
        is_restarted: whether to discard the output of an earlier run.
        as_json: whether the summary is written as JSON.
        choice: which documents are written.
    """

    folder: Argument
    text_format: str
    shard_bytes: int
    is_restarted: bool
    as_json: bool
    choice: Choice


def clean_to_shards(
    source: Source, wanted: Sharded, options: CleanerOptions, model: Path | None, jobs: Jobs
) -> int:
    """Clean the pages not done yet; return how many gave no document because of an error.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
        BrokenProcessPool: all cleaning processes were killed.
    """
    try:
        form = form_of(wanted.text_format)
    except MissingPackageError as error:
        raise CannotStart(str(error)) from error
    build = partial(EntryCleaner.open, options, model, value_of, wanted.choice)
    plan = plan_of(source, wanted.text_format, options, build().fingerprint, wanted.choice)
    folder = output_folder(wanted.folder)
    name = shown_path(wanted.folder)
    with run_of(name, "give another folder, or --restart"), folder.held():
        if wanted.is_restarted:
            forget_run(folder)
        ledger = read_ledger(folder, plan)
        output = Output(folder, form, wanted.shard_bytes, wanted.choice)
        if not ledger.is_complete:
            _go_on(source, output, ledger, build, jobs)
    if not ledger.is_complete:
        raise CannotGoOn(f"{name}: stopped; run the same command to continue")
    show_summary(ledger, name, as_json=wanted.as_json)
    return ledger.counts.errors.total()


def plan_of(
    source: Source, text_format: str, options: CleanerOptions, fingerprint: str, choice: Choice
) -> Plan:
    """Return the values that must be the same to continue a run.

    Raises:
        FingerprintsError: a file of fingerprints cannot be read.
    """
    return Plan(
        form=text_format,
        options={
            **{name: str(value) for name, value in asdict(options).items()},
            "--url": source.page_url,
            "--url-prefix": source.url_prefix,
            **choice.facts(),
        },
        fingerprint=fingerprint,
        inputs=len(source.inputs),
        inputs_digest=digest_of_inputs(
            (str(found.path), size)
            for found, size in zip(source.inputs, source.sizes(), strict=True)
        ),
    )


def _go_on(
    source: Source, output: Output, ledger: Ledger, build: "partial[EntryCleaner]", jobs: Jobs
) -> None:
    if ledger.shards:
        documents, shards = ledger.counts.documents, len(ledger.shards)
        done = f"{counted(documents, 'document')} in {counted(shards, 'shard')}"
        click.echo(f"winnow: continuing after {done}", err=True)
    run = Run(source, output, ledger)
    with going_on(source, ledger, build, jobs) as (results, advance, stop):
        run.write_all(results, Watch(source, advance), stop)
    say_dropped(Counter(), run.copies.forgotten)


@contextmanager
def going_on(
    source: Source, ledger: Ledger, build: "partial[EntryCleaner]", jobs: Jobs
) -> Iterator[tuple[Iterator[Outcome], Advance, "Stop"]]:
    """Clean from where the ledger ends; show progress, and stop on request."""
    sizes = source.sizes()
    start = Start(ledger.file, ledger.position, ledger.has_response)
    begin = sum(sizes[: ledger.file]) + max(ledger.position.offset, 0)
    stop = Stop()
    with (
        closing(outcomes(source, build, jobs, start)) as results,
        stop.listening(),
        progress_of(sizes, begin) as advance,
    ):
        yield results, advance, stop


class Watch:
    """Names unreadable inputs and the first bad records of each; all of them are in the log."""

    def __init__(self, source: Source, advance: Advance) -> None:
        """Name files by their paths in a source; show the progress by `advance`."""
        self._source = source
        self._advance = advance
        self._named: Counter[int] = Counter()

    def __call__(self, outcome: Outcome) -> None:
        """Show an outcome."""
        if isinstance(outcome.result, InvalidPage):
            self._name(outcome, outcome.result)
        self._advance(outcome.file, outcome.place, isinstance(outcome.result, bytes))

    def _name(self, outcome: Outcome, error: InvalidPage) -> None:
        title = shown_path(self._source.name_of(outcome.file))
        why = error.detail if error.reason is Reason.UNREADABLE else str(error)
        if outcome.place.is_whole_file:
            complain(f"{title}: {why}")
        elif outcome.is_no_response and not outcome.place.line:
            self._named[outcome.file] += 1
            if self._named[outcome.file] <= NAMED_RECORDS:
                complain(f"{title}: {outcome.place}: {why}")


class Stop:
    """Remembers a stop request, so that the run stops between two pages."""

    def __init__(self) -> None:
        """Start without a stop request."""
        self._is_asked = False

    def __call__(self) -> bool:
        """Whether a stop was requested."""
        return self._is_asked

    def _ask(self, _: int, __: FrameType | None) -> None:
        self._is_asked = True
        signal.signal(SIGINT, signal.default_int_handler)  # a second signal stops the run at once

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Catch the signals that request a stop while the block runs."""
        before = {number: signal.signal(number, self._ask) for number in (SIGINT, SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def summary(ledger: Ledger) -> dict[str, Any]:
    """Return the figures of a run."""
    counts = ledger.counts
    return {
        "documents": counts.documents,
        "skipped": dict(sorted(counts.skipped.items())),
        "errors": dict(sorted(counts.errors.items())),
        "dropped": dict(sorted(counts.dropped.items())),
        "mended": dict(sorted(counts.mended.items())),
        "page_bytes": counts.page_bytes,
        "document_bytes": counts.document_bytes,
        "ratio": round(counts.document_bytes / counts.page_bytes, 4) if counts.page_bytes else 0.0,
        "shards": len(ledger.shards),
        "shard_bytes": sum(shard.file_bytes for shard in ledger.shards),
        "seconds": round(counts.seconds, 3),
    }


def show_summary(ledger: Ledger, folder: str, *, as_json: bool) -> None:
    """Print the summary; `folder` names the place of the shards."""
    figures = summary(ledger)
    if as_json:
        click.echo(orjson.dumps(figures))
        return
    counts = ledger.counts
    rate = counts.documents / counts.seconds if counts.seconds else 0.0
    click.echo(
        f"{counted(counts.documents, 'document')} in {counted(len(ledger.shards), 'shard')}, "
        f"{counts.seconds:,.1f} s, {rate:,.0f} per second\n"
        f"pages      {_mega(counts.page_bytes)}\n"
        f"documents  {_mega(counts.document_bytes)}, {figures['ratio']:.1%} of the pages\n"
        f"shards     {_mega(figures['shard_bytes'])}, compressed"
    )
    tallies = (
        ("skipped", counts.skipped), ("errors", counts.errors),
        ("dropped", counts.dropped), ("mended", counts.mended),
    )  # fmt: skip
    for title, reasons in tallies:
        if reasons:
            listed = ", ".join(f"{number:,} {name}" for name, number in sorted(reasons.items()))
            click.echo(f"{title:<9}  {reasons.total():,}: {listed}")
    if counts.errors:
        click.echo(f"winnow: errors are listed in {folder}/{ERRORS}", err=True)


def _mega(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
