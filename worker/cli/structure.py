"""`winnow structure`: train and evaluate the structure engine, label blocks by gold text."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import orjson
from rich.console import Console

from models.errors import ModelError
from models.structure.cleaneval import LabelledPage
from models.structure.figures import PageCounts, f1_gain, figures, page_counts
from models.structure.joint import JointSchedule, fit
from models.structure.training import Schedule, fit_blocks, fit_edges
from models.structure.weights import PublishedWeights, Weights, pack
from worker.evaluation.tasks import set_name
from worker.splits import Split, read_splits
from worker.structure.examples import (
    cleaneval_pages,
    joint_example,
    published_example,
    training_sites,
)
from worker.structure.printing import Row, print_rows, rows_json
from worker.structure.systems import systems

CLEANEVAL: Final = Path("../shared/pages/cleaneval.tar.zst")
SHIPPED: Final = Path(__file__).parents[2] / "models" / "data"
# 56 training pages of the small split, 531 of the large one: chosen by cross-validation
UPDATES: Final = {"cleaneval": 240, "web2text": 640}

_pages = click.option(
    "--pages",
    default=CLEANEVAL,
    show_default=True,
    type=click.Path(path_type=Path),
    help="CleanEval: a folder or .tar.zst with html/, gold/ and splits.json.",
)
_split = click.option(
    "--split", default="cleaneval", show_default=True, help="Which split of splits.json."
)


@click.group()
def command() -> None:
    """Train and evaluate the structure engine (Web2Text)."""


@command.command()
@click.argument("sources", nargs=-1, type=click.Path(exists=True, path_type=Path))
@_pages
@_split
@click.option(
    "--features",
    default="2",
    show_default=True,
    type=click.Choice(["1", "2"]),
    help="Feature version: 1 as published, 2 ours.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same weights.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, dir_okay=False))
def train(
    *,
    sources: tuple[Path, ...],
    pages: Path,
    split: str,
    features: str,
    seed: int,
    output: Path,
) -> None:
    """Train networks and write their weight file.

    Without SOURCES, on the training pages of a split of CleanEval. With SOURCES (labelled sets),
    on the pages of their training sites: this makes the weights of the engine.
    """
    if sources:
        weights = _train_engine(sources, seed)
    else:
        weights = _train_split(pages, split, features, seed)
    try:
        output.write_bytes(pack(weights))
    except ModelError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{output}: {output.stat().st_size} bytes; {weights.provenance}")


@command.command()
@_pages
@_split
@click.option(
    "--weights",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Weight file; may be repeated. Default: those shipped for the split.",
)
@click.option(
    "--against",
    multiple=True,
    type=click.Path(exists=True, path_type=Path, dir_okay=False),
    help="What another tool made of the pages: TOOL.jsonl; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def evaluate(
    *,
    pages: Path,
    split: str,
    files: tuple[Path, ...],
    against: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Print block figures on the test pages of a split, beside BTE and keeping everything."""
    test = _split_of(pages, split).test
    names = {path.stem: path for path in files or _shipped(split)}
    try:
        compared = systems(names, {path.stem: path for path in against})
    except (ModelError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    counts: dict[str, list[PageCounts]] = {name: [] for name in compared}
    for page_id, page in cleaneval_pages(pages, test):
        for name, system in compared.items():
            counts[name].append(page_counts(system(page_id, page), page.labels))
    rows = _rows(counts)
    if as_json:
        click.echo(rows_json(split, rows))
    else:
        print_rows(split, rows, Console())


@command.command()
@_pages
@click.argument("page_ids", nargs=-1)
def label(*, pages: Path, page_ids: tuple[str, ...]) -> None:
    """Write the blocks of pages with their labels by the gold text, one JSON line a page.

    Default: all pages.
    """
    wanted = frozenset(page_ids) or _all_pages(pages)
    for page_id, page in cleaneval_pages(pages, wanted):
        click.echo(_label_line(page_id, page))


def _label_line(page_id: str, page: LabelledPage) -> bytes:
    labels = page.labels.tolist()
    return orjson.dumps({"page": page_id, "labels": labels, "blocks": page.texts})


def _rows(counts: Mapping[str, list[PageCounts]]) -> list[Row]:
    base = next(iter(counts.values()))
    return [Row(name, figures(rows), *f1_gain(rows, base)) for name, rows in counts.items()]


def _train_split(pages: Path, name: str, features: str, seed: int) -> Weights:
    split = _split_of(pages, name)
    found = dict(cleaneval_pages(pages, split.train | split.validation))
    train = [page for page_id, page in found.items() if page_id in split.train]
    validation = [page for page_id, page in found.items() if page_id in split.validation]
    provenance = f"CleanEval, split {name}, {len(train)} training pages, seed {seed}"
    if features == "2":
        schedule = JointSchedule(updates=UPDATES.get(name, max(UPDATES.values())))
        return fit([joint_example(page) for page in train], schedule, seed, provenance)
    examples = [published_example(page) for page in train]
    checks = [published_example(page) for page in validation]
    return PublishedWeights(
        pairwise_weight=1.0,
        blocks=fit_blocks(examples, checks, Schedule(), seed),
        edges=fit_edges(examples, checks, Schedule(), seed),
        provenance=f"{provenance}, {len(checks)} validation pages chose the step",
    )


def _train_engine(sources: tuple[Path, ...], seed: int) -> Weights:
    pages = {set_name(source): list(training_sites(source)) for source in sources}
    sets = ", ".join(f"{name} ({len(found)})" for name, found in pages.items())
    examples = [page for found in pages.values() for page in found]
    provenance = f"training sites of {sets}, seed {seed}"
    return fit(examples, JointSchedule(updates=4 * len(examples) // 6), seed, provenance)


def _split_of(pages: Path, name: str) -> Split:
    try:
        splits = read_splits(pages)
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from error
    if name not in splits:
        raise click.UsageError(f"no split {name}; there are {', '.join(sorted(splits))}")
    return splits[name]


def _shipped(split: str) -> list[Path]:
    return sorted(SHIPPED.glob(f"structure-{split}-*.weights"), reverse=True)


def _all_pages(pages: Path) -> frozenset[str]:
    try:
        return frozenset().union(*(split.everything for split in read_splits(pages).values()))
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from error
