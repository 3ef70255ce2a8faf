"""`winnow calibrate`: choose the threshold of an engine on labelled pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

import click
import orjson
from rich.progress import Progress

from winnow.lab.measure.calibration import Proposal, Trial, options_of, propose
from winnow.lab.measure.figures import FIGURE
from winnow.lab.measure.scores import Costs, score_page
from winnow.lab.report.calibration_report import SHOWN, calibration_report
from winnow.lab.sets.parts import Part
from winnow.lab.sets.splits import read_splits
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import ModelError, OptionsError
from winnow.models.options import CleanerOptions
from winnow.worker.cleaning import open_cleaner
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.labelled import label_files, usable_labels
from winnow.worker.cli.options import cleaning_options, read_options
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.targets import check_target, write_target

_KEYS: Final = tuple(
    key for key in FIGURE if key not in {"clean_ms", "parse_ratio"}
)  # no costs here


@dataclass(frozen=True, slots=True)
class _Outputs:
    """Files that the proposal is written to, in addition to the terminal."""

    options_file: Path | None
    report: Path | None
    as_json: bool

    def check(self, inputs: Sequence[Path]) -> None:
        """Refuse, before the work, files that cannot be written, are inputs, or are one file."""
        targets = [target for target in (self.options_file, self.report) if target]
        for target in targets:
            check_target(target, inputs)
        if len({target.resolve() for target in targets}) < len(targets):
            raise click.UsageError("-o and --report name the same file")


@click.command("calibrate")
@click.argument("source", type=PathName(exists=True))
@click.option(
    "--split",
    help="Only the training part of this split of splits.json; `train`, `tune` and `test` are "
    "parts by site.",
)
@click.option("--language", help="Only pages in this language, such as `pl`.")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum pages of each group.")
@click.option("--thresholds", help="Values to try, separated by commas.")
@click.option(
    "-o",
    "--output",
    type=PathName(dir_okay=False),
    help="Write the proposal as an options file.",
)
@click.option(
    "--report",
    type=PathName(dir_okay=False),
    help="Write the curves and the table as an HTML file.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the sweep as JSON.")
@cleaning_options
def command(
    *, source: Path, split: str | None, language: str | None, limit: int | None,
    thresholds: str | None, output: Path | None, report: Path | None, as_json: bool,
    engine: str | None, threshold: str | None, pairs: tuple[str, ...],
    options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Choose a threshold on labelled pages.

    Tries thresholds on the pages of SOURCE, and proposes the one with the best F.

    SOURCE is a folder or .tar.zst archive with html/ID.html and gold/ID.txt. F is the
    multiset measure (occ) of Barbaresi and Lejeune 2020. The engine's own threshold is tried
    too, and is proposed unless another is significantly better.
    """
    if threshold is not None:
        raise click.UsageError("calibrate chooses the threshold: give --thresholds instead")
    options = replace(read_options(options_file, pairs, engine=engine), threshold=None)
    values = _values(thresholds, options.engine)
    outputs = _Outputs(output, report, as_json)
    outputs.check([*label_files(source), *((model,) if model else ())])
    with usable_labels():
        selection = _selection(source, split, language, limit)
        pages = list(tasks(source, gold_set_of(source), selection))
    if not pages:
        raise CannotStart(f"{source}: no page with gold text was selected")
    try:
        own, *tried = _trials(options, model, pages, values)
    except OptionsError as error:
        raise click.UsageError(str(error)) from error
    except ModelError as error:
        raise CannotStart(str(error)) from error
    except ValueError as error:
        raise click.ClickException(f"{source}: {error}") from error
    found = propose(own, tried)
    _write(options, (own, *tried), found, outputs)


def _values(thresholds: str | None, engine: str) -> tuple[float, ...]:
    if thresholds is None:
        if engine not in ENGINES:
            raise click.UsageError(
                f"unknown engine {engine!r}: must be one of {', '.join(ENGINES)}"
            )
        return ENGINES[engine].tried
    try:
        values = tuple(sorted({float(value) for value in thresholds.split(",")}))
    except ValueError:
        raise click.UsageError(f"--thresholds takes numbers, not {thresholds!r}") from None
    if not all(map(isfinite, values)):
        raise click.UsageError(f"--thresholds takes finite numbers, not {thresholds!r}")
    return values


def _selection(
    source: Path, split: str | None, language: str | None, limit: int | None
) -> Selection:
    if split is None or split in list(Part):
        return Selection(Part(split) if split else None, limit, language=language)
    splits = read_splits(source)
    if split not in splits:
        raise click.UsageError(f"{source}: no split {split!r}; there are {', '.join(splits)}")
    return Selection(None, limit, splits[split].train, language)


def _trials(
    options: CleanerOptions, model: Path | None, pages: Sequence[Task], values: Sequence[float]
) -> list[Trial]:
    """Return the engine's own threshold, then the values."""
    choices = (None, *values)
    # a wrong value ends the command before the first page is cleaned
    cleaners = [open_cleaner(replace(options, threshold=value), model) for value in choices]
    trials = []
    with Progress(console=PlainConsole(stderr=True), transient=True) as progress:
        calibrating = progress.add_task("calibrating", total=len(choices))
        for value, cleaner in zip(choices, cleaners, strict=True):
            trials.append(_trial(value, cleaner, pages))
            progress.advance(calibrating)
    return trials


def _trial(value: float | None, cleaner: Cleaner, pages: Sequence[Task]) -> Trial:
    """Clean the pages with this threshold and score the texts."""
    cleaned = cleaner.clean_batch([page.page for page in pages])
    texts = [each.text if isinstance(each, Document) else "" for each in cleaned]
    scores = (
        score_page(text, page.wanted, Costs()) for text, page in zip(texts, pages, strict=True)
    )
    return Trial(value, tuple(scores))


def _write(
    options: CleanerOptions, trials: Sequence[Trial], found: Proposal, outputs: _Outputs
) -> None:
    if outputs.as_json:
        click.echo(orjson.dumps(_json(options, trials, found), option=orjson.OPT_INDENT_2))
    else:
        _print(trials, found)
    if outputs.options_file:
        chosen = options_of(options, found.trial.threshold)
        content = orjson.dumps(chosen, option=orjson.OPT_INDENT_2) + b"\n"
        write_target(outputs.options_file, content)
    if outputs.report:
        page = calibration_report(options.engine, trials, found)
        write_target(outputs.report, page.encode())


def _json(options: CleanerOptions, trials: Sequence[Trial], found: Proposal) -> dict[str, Any]:
    return {
        "pages": len(found.trial.scores),
        "proposal": options_of(options, found.trial.threshold),
        "reason": found.reason,
        "sweep": [
            {
                "threshold": trial.threshold,
                **{key: FIGURE[key].of(trial.summary) for key in _KEYS},
            }
            for trial in trials
        ],
    }


def _print(trials: Sequence[Trial], found: Proposal) -> None:
    heads = [FIGURE[key].title for key in SHOWN]
    click.echo(f"{len(found.trial.scores)} pages, x 100\n")
    click.echo(f"| threshold | {' | '.join(heads)} |\n|---:|{'---:|' * len(heads)}")
    for trial in trials:
        summary = trial.summary
        cells = [f"{100 * (FIGURE[key].of(summary) or 0.0):.1f}" for key in SHOWN]
        mark = " (proposed)" if trial is found.trial else ""
        click.echo(f"| {trial.name}{mark} | {' | '.join(cells)} |")
    click.echo(f"\nProposed: {found.reason}.")
