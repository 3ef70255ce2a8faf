"""`winnow evaluate`: engines and other tools against gold text."""

from dataclasses import dataclass
from pathlib import Path

import click
import orjson
from rich.console import Console
from rich.progress import Progress

from models.evaluation.bootstrap import OCC_F
from models.evaluation.differences import differences
from models.evaluation.gold import GoldSet
from models.evaluation.splits import Part
from models.evaluation.tables import (
    FIGURE,
    MAIN_FIGURES,
    Run,
    by_group,
    by_page_type,
    groups_of,
    in_full,
)
from worker.evaluation.engines import ENGINES, build_engine
from worker.evaluation.outputs import read_outputs, tools_of
from worker.evaluation.printing import figures_json, print_differences, print_table
from worker.evaluation.run import Evaluation
from worker.evaluation.tasks import Selection, gold_set_of, set_name, tasks

_SOURCES = click.argument(
    "sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)


@click.command()
@_SOURCES
@click.option(
    "--engine",
    "engines",
    multiple=True,
    type=click.Choice(sorted(ENGINES)),
    help="Engine to run; may be repeated. Default: all of them.",
)
@click.option(
    "--against",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="What other tools made of the pages: TOOL.jsonl, or a folder with "
    "SET/TOOL.jsonl. May be repeated.",
)
@click.option(
    "--set",
    "gold_set",
    type=click.Choice([member.value for member in GoldSet]),
    help="How the gold files mark content. Default: judged by the set's name.",
)
@click.option(
    "--split",
    "part",
    type=click.Choice([member.value for member in Part]),
    help="Only pages of sites of this part.",
)
@click.option("--limit", type=click.IntRange(min=1), help="At most so many pages of each group.")
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def command(
    *,
    sources: tuple[Path, ...],
    engines: tuple[str, ...],
    against: tuple[Path, ...],
    gold_set: str | None,
    part: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Score engines on labelled pages.

    SOURCES are folders, or .tar.zst archives of one, with html/ID.html and gold/ID.txt, and
    perhaps a meta.json that says page types and passages.
    """
    reader = _Reader(
        GoldSet(gold_set) if gold_set else None,
        Selection(Part(part) if part else None, limit),
        against,
    )
    evaluation = Evaluation({name: build_engine(name) for name in engines or ENGINES})
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for source in sources:
            reader.add(evaluation, source, progress)
    runs = evaluation.runs()
    if not runs:
        raise click.ClickException("no page with gold text was selected")
    for tool in evaluation.partial():
        click.echo(f"left out, as it lacks a set: {tool}", err=True)
    _show(runs, evaluation.failed, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Reader:
    """What of the sources takes part."""

    gold_set: GoldSet | None
    selection: Selection
    against: tuple[Path, ...]

    def add(self, evaluation: Evaluation, source: Path, progress: Progress) -> None:
        """Clean and score the pages of a source; a bad file ends the command with its name."""
        name = set_name(source)
        bar = progress.add_task(name, total=None)
        pages = tasks(source, self.gold_set or gold_set_of(source), self.selection)
        try:
            outputs = {
                tool: read_outputs(path)
                for origin in self.against
                for tool, path in tools_of(origin, name).items()
            }
            evaluation.add_set(pages, outputs, lambda _: progress.advance(bar))
        except (FileNotFoundError, ValueError) as error:
            raise click.ClickException(f"{source}: {error}") from error


def _show(runs: list[Run], failed: dict[str, int], *, as_json: bool) -> None:
    found = differences(runs[0], runs[1:], OCC_F)
    if as_json:
        click.echo(orjson.dumps(figures_json(runs, failed, found), option=orjson.OPT_INDENT_2))
        return
    console = Console(width=max(Console().width, 160))
    print_table(console, by_group(runs, FIGURE["occ_f"]))
    if any(score.page_type for score in runs[0].scores):
        print_table(console, by_page_type(runs, FIGURE["word_f1"]))
    for group in groups_of(runs):
        print_table(console, in_full(runs, group, MAIN_FIGURES))
    if found:
        print_differences(console, runs[0].engine, found, groups_of(runs))
    for engine, pages in failed.items():
        console.print(f"{engine}: {pages} pages could not be cleaned and count as empty")
