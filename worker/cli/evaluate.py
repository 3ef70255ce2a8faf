"""`winnow evaluate`: engines and other tools against gold text."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Final

import click
import orjson
from rich.markup import escape
from rich.progress import Progress

from winnow.lab.measure.bootstrap import OCC_F
from winnow.lab.measure.differences import differences
from winnow.lab.measure.engines import ENGINES, build_engine
from winnow.lab.measure.figures import FIGURE, MAIN_FIGURES
from winnow.lab.measure.outputs import read_outputs, tools_of
from winnow.lab.measure.run import Evaluation
from winnow.lab.measure.runs import Run, groups_of, languages_of
from winnow.lab.measure.sweep import Sweep, SweepPlan, sweep_plan, swept
from winnow.lab.report.printing import figures_json, print_differences, print_table
from winnow.lab.report.report import Provenance, html_report
from winnow.lab.report.tables import by_group, by_language, by_page_type, in_full
from winnow.lab.sets.gold import GoldSet
from winnow.lab.sets.parts import Part
from winnow.lab.sets.patches import SHIPPED, Patches
from winnow.lab.sets.tasks import Selection, gold_set_of, set_name, tasks
from winnow.models._kernel import KERNEL_VERSION
from winnow.models.errors import ModelError, OptionsError
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.labelled import against_option, check_names, label_files, usable_labels
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.targets import check_target, write_target

# wide enough for nine groups with intervals
_FILE_WIDTH: Final = 220

_SOURCES = click.argument("sources", nargs=-1, required=True, type=PathName(exists=True))


@click.command()
@_SOURCES
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME[:OPTION=VALUE,...]",
    help=f"Engine to run: {', '.join(ENGINES)}; may be repeated. Default: all.",
)
@against_option
@click.option(
    "--set",
    "gold_set",
    type=click.Choice([member.value for member in GoldSet]),
    help="How the gold files mark content. Default: guessed from the set's name.",
)
@click.option(
    "--split",
    "part",
    type=click.Choice([member.value for member in Part]),
    help="Only pages of sites of this part.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Maximum pages of each group.")
@click.option(
    "--patched", is_flag=True, help="Correct gold texts with the patches of lab/sets/patches."
)
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="ENGINE.OPTION=V,V,...",
    help="Try an option with several values; the report draws the curves. May be repeated.",
)
@click.option("--report", type=PathName(dir_okay=False), help="Write an HTML report.")
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def command(
    *,
    sources: tuple[Path, ...],
    engines: tuple[str, ...],
    against: tuple[Path, ...],
    gold_set: str | None,
    part: str | None,
    limit: int | None,
    patched: bool,
    sweeps: tuple[str, ...],
    report: Path | None,
    as_json: bool,
) -> None:
    """Score engines on labelled pages.

    SOURCES are folders or .tar.zst archives with html/ID.html and gold/ID.txt. An optional
    meta.json holds page types and passages.
    """
    check_names(sources)
    chosen = Selection(Part(part) if part else None, limit)
    with usable_labels():
        tools = tools_of(against, [set_name(source) for source in sources])
        patches = Patches.read(SHIPPED) if patched else None
    reader = _Reader(GoldSet(gold_set) if gold_set else None, chosen, tools, patches)
    plans = [_plan(text) for text in sweeps]
    if report:
        check_target(report, _inputs(sources, against))
    evaluation = _evaluation(engines or tuple(ENGINES), plans)
    for tool in set(chain.from_iterable(tools.values())) & evaluation.engines.keys():
        raise click.UsageError(
            f"{tool!r} is an engine that runs here: give the outputs another name"
        )
    console = PlainConsole(stderr=True)
    bars = Progress(console=console, transient=True, disable=not console.is_terminal)
    with usable_labels(), bars as progress:
        for source in sources:
            reader.add(evaluation, source, progress)
    runs = evaluation.runs()
    if not runs:
        raise CannotStart("no page with gold text was selected")
    for tool in evaluation.partial():
        click.echo(f"left out, because it lacks a set: {tool}", err=True)
    curves = [swept(plan, evaluation.all_runs()) for plan in plans]
    if as_json:
        _write_json(runs, evaluation, curves)
    else:
        _print(runs, evaluation)
    if report:
        page = html_report(runs, _provenance(evaluation, chosen, patches), curves)
        write_target(report, page.encode())


def _inputs(sources: Sequence[Path], against: Sequence[Path]) -> Iterator[Path]:
    for source in sources:
        yield from label_files(source)
    for origin in against:
        yield from (origin, *origin.rglob("*.jsonl"))


def _plan(text: str) -> SweepPlan:
    try:
        return sweep_plan(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--sweep") from error


def _evaluation(engines: Sequence[str], plans: Sequence[SweepPlan]) -> Evaluation:
    tried = [plan.run_name(value) for plan in plans for value in plan.values]
    try:
        built = {name: build_engine(name) for name in (*engines, *tried)}
    except OptionsError as error:
        raise click.UsageError(str(error)) from error
    except ModelError as error:
        raise CannotStart(str(error)) from error
    return Evaluation(built, tried=frozenset(tried) - set(engines))


@dataclass(frozen=True, slots=True)
class _Reader:
    """The selected pages of the sources, and the outputs of other tools by set and tool."""

    gold_set: GoldSet | None
    selection: Selection
    tools: Mapping[str, Mapping[str, Path]]
    patches: Patches | None

    def add(self, evaluation: Evaluation, source: Path, progress: Progress) -> None:
        """Clean and score the pages of a source; an error names the bad file."""
        name = set_name(source)
        bar = progress.add_task(escape(name), total=None)
        gold_set = self.gold_set or gold_set_of(source)
        pages = tasks(source, gold_set, self.selection, self.patches)
        outputs = {tool: read_outputs(path) for tool, path in self.tools[name].items()}
        try:
            evaluation.add_set(name, pages, outputs, lambda _: progress.advance(bar))
        except ValueError as error:
            raise click.ClickException(f"{source}: {error}") from error


def _provenance(evaluation: Evaluation, chosen: Selection, patches: Patches | None) -> Provenance:
    pages = sum(facts.pages for facts in evaluation.sets)
    part = f", sites of the {chosen.part} part" if chosen.part else ""
    part += ", gold texts corrected by patches" if patches else ""
    sets = [f"{s.name}: {s.pages} pages, digest {s.digest[:16]}" for s in evaluation.sets]
    head = f"Winnow {version('winnow-web')}, kernel {KERNEL_VERSION}: {pages} pages{part}"
    return Provenance("Quality of cleaned text", (head, *sets))


def _write_json(runs: Sequence[Run], evaluation: Evaluation, curves: Sequence[Sweep]) -> None:
    found = differences(runs[0], runs[1:], OCC_F)
    document = figures_json(runs, evaluation.failed, found, curves)
    click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2))


def _print(runs: Sequence[Run], evaluation: Evaluation) -> None:
    console = PlainConsole(width=None if sys.stdout.isatty() else _FILE_WIDTH)
    print_table(console, by_group(runs, FIGURE["occ_f"]))
    if any(score.page_type for score in runs[0].scores):
        print_table(console, by_page_type(runs, FIGURE["word_f1"]))
    if len(languages_of(runs)) > 1:
        print_table(console, by_language(runs, FIGURE["occ_f"]))
    for group in groups_of(runs):
        print_table(console, in_full(runs, group, MAIN_FIGURES))
    found = differences(runs[0], runs[1:], OCC_F)
    if found:
        print_differences(console, runs[0].engine, found, groups_of(runs))
    for engine, pages in evaluation.failed.items():
        console.print(f"{engine}: no result for {pages} pages; they count as empty")
