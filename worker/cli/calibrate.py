"""`winnow calibrate`: choose the threshold of an engine on labelled pages."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Final

import click
import orjson
from rich.console import Console
from rich.progress import track

from models.document import Document
from models.errors import ModelError, OptionsError
from models.evaluation.metrics import f_measure, occ_overlap, word_similarity
from models.evaluation.scores import ALMOST_EMPTY
from models.evaluation.splits import Part
from models.evaluation.tokens import tokens
from models.options import CleanerOptions
from worker.cleaning import open_cleaner
from worker.cli.failure import CannotStart
from worker.cli.options import cleaning_options, read_options
from worker.evaluation.tasks import Selection, Task, gold_set_of, tasks
from worker.splits import read_splits

# Perplexities spread over orders of magnitude: five steps a doubling where the best ones lie.
PERPLEXITIES: Final = tuple(round(1000 * 2 ** (step / 3)) for step in range(-3, 20))


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold gives: means over pages, F on the means."""

    threshold: float
    precision: float
    recall: float
    occ_f: float
    word_similarity: float
    almost_empty: float


@click.command("calibrate")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--split",
    help="Only the training part of this split of splits.json; `train`, `tune` and `test` are "
    "parts by site.",
)
@click.option("--language", help="Only pages in this language, such as `pl`.")
@click.option("--thresholds", help="Values to try, separated by commas.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the proposal as an options file.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the sweep as JSON.")
@cleaning_options
def command(
    source: Path, split: str | None, language: str | None, thresholds: str | None,
    output: Path | None, as_json: bool,
    engine: str | None, threshold: str | None, pairs: tuple[str, ...],
    options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Try thresholds on the labelled pages of SOURCE, and propose the one with the best F.

    SOURCE is a folder or .tar.zst archive with html/ID.html and gold/ID.txt. F is that of the
    multiset measure (occ) of Barbaresi and Lejeune 2020.
    """
    if threshold is not None:
        raise click.UsageError("calibrate tries thresholds itself: give --thresholds")
    options = read_options(options_file, pairs, engine=engine)
    values = _values(thresholds)
    pages = _pages(source, split)
    pages = [page for page in pages if language in {None, page.wanted.language}]
    if not pages:
        raise click.UsageError(f"{source}: no labelled page is left to calibrate on")
    try:
        shown = track(values, "calibrating", console=Console(stderr=True), transient=True)
        points = [_point(replace(options, threshold=value), model, pages) for value in shown]
    except (ModelError, OptionsError) as error:
        raise CannotStart(str(error)) from error
    best = max(points, key=lambda point: point.occ_f)
    if output:
        chosen = {"engine": options.engine, "threshold": best.threshold}
        output.write_bytes(orjson.dumps(chosen, option=orjson.OPT_INDENT_2) + b"\n")
    _show(points, best, len(pages), as_json=as_json)


def _values(thresholds: str | None) -> tuple[float, ...]:
    if thresholds is None:
        return tuple(map(float, PERPLEXITIES))
    try:
        return tuple(float(value) for value in thresholds.split(","))
    except ValueError:
        raise click.UsageError(f"--thresholds takes numbers, not {thresholds!r}") from None


def _pages(source: Path, split: str | None) -> list[Task]:
    by_site = Part(split) if split in list(Part) else None
    try:
        pages = list(tasks(source, gold_set_of(source), Selection(by_site)))
        if split is None or by_site is not None:
            return pages
        splits = read_splits(source)
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from error
    if split not in splits:
        raise click.UsageError(f"{source}: no split {split!r}; there are {', '.join(splits)}")
    return [page for page in pages if page.in_set in splits[split].train]


def _point(options: CleanerOptions, model: Path | None, pages: Sequence[Task]) -> Point:
    cleaned = open_cleaner(options, model).clean_batch([page.page for page in pages])
    found = [
        tokens(each.text, page.wanted.language) if isinstance(each, Document) else []
        for each, page in zip(cleaned, pages, strict=True)
    ]
    wanted = [tokens(page.wanted.text, page.wanted.language) for page in pages]
    pairs = list(zip(found, wanted, strict=True))
    overlaps = [occ_overlap(*pair) for pair in pairs]
    precision = fmean(overlap.precision for overlap in overlaps)
    recall = fmean(overlap.recall for overlap in overlaps)
    assert options.threshold is not None
    return Point(
        threshold=options.threshold,
        precision=precision,
        recall=recall,
        occ_f=f_measure(precision, recall),
        word_similarity=fmean(word_similarity(*pair) for pair in pairs),
        almost_empty=fmean(len(some) < ALMOST_EMPTY * len(all_) for some, all_ in pairs),
    )


def _show(points: Sequence[Point], best: Point, pages: int, *, as_json: bool) -> None:
    if as_json:
        sweep = [asdict(point) for point in points]
        click.echo(orjson.dumps({"pages": pages, "best": asdict(best), "sweep": sweep}))
        return
    click.echo(f"{pages} pages; occ precision, recall and F, word similarity, almost empty (%)\n")
    click.echo(
        "| threshold | P | R | F | similarity | almost empty |\n|---:|---:|---:|---:|---:|---:|"
    )
    for point in points:
        figures = (
            point.precision, point.recall, point.occ_f, point.word_similarity, point.almost_empty,
        )  # fmt: skip
        cells = [f"{100 * figure:.1f}" for figure in figures]
        mark = " (best)" if point is best else ""
        click.echo(f"| {point.threshold:g}{mark} | {' | '.join(cells)} |")
