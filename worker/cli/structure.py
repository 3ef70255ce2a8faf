"""`winnow structure`: train and evaluate the structure engine, label blocks by gold text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np
import orjson
from rich.console import Console
from rich.table import Table

from models.errors import ModelError
from models.structure import content_labels
from models.structure.baselines import bte
from models.structure.cleaneval import LabelledTree, labelled_tree
from models.structure.features import VERSIONS, feature_version
from models.structure.figures import Figures, Labels, f1_gain, figures, page_counts
from models.structure.labelling import content_of
from models.structure.training import Example, Schedule, fit_blocks, fit_edges
from models.structure.weights import Weights, load, pack
from worker.labelled import labelled_pages
from worker.splits import Split, read_splits

PAGES: Final = Path("../shared/pages/cleaneval.tar.zst")
_pages = click.option(
    "--pages",
    default=PAGES,
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
@_pages
@_split
@click.option(
    "--features",
    default=max(VERSIONS),
    show_default=True,
    type=click.Choice(sorted(VERSIONS)),
    help="Feature version: 1 as published, 2 ours.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same weights.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, dir_okay=False))
def train(*, pages: Path, split: str, features: int, seed: int, output: Path) -> None:
    """Train on the training pages of a split; the validation pages choose the step."""
    parts = _split_of(pages, split)
    columns = feature_version(features)
    examples: dict[str, list[Example]] = {"train": [], "validation": []}
    for page_id, page in _trees(pages, parts.train | parts.validation):
        part = "train" if page_id in parts.train else "validation"
        blocks, edges = columns.blocks(page.tree), columns.edges(page.tree)
        examples[part].append(Example(blocks, edges, page.labels))
    weights = Weights(
        feature_version=features,
        pairwise_weight=1.0,
        blocks=fit_blocks(examples["train"], examples["validation"], Schedule(), seed),
        edges=fit_edges(examples["train"], examples["validation"], Schedule(), seed),
        provenance=f"CleanEval, split {split}: {len(parts.train)} pages trained it, "
        f"{len(parts.validation)} chose the step; seed {seed}",
    )
    output.write_bytes(pack(weights))
    click.echo(f"{output}: {output.stat().st_size} bytes")


@command.command()
@_pages
@_split
@click.option(
    "--weights",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Weight file to evaluate; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def evaluate(*, pages: Path, split: str, files: tuple[Path, ...], as_json: bool) -> None:
    """Print block figures on the test pages of a split, beside BTE and keeping everything."""
    systems = _systems(files)
    counts: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in systems}
    for _, page in _trees(pages, _split_of(pages, split).test):
        for name, system in systems.items():
            counts[name].append(page_counts(system(page), page.labels))
    base = next(iter(systems))
    rows = [
        _Row(name, figures(found), f1_gain(found, counts[base])) for name, found in counts.items()
    ]
    if as_json:
        click.echo(orjson.dumps({"split": split, "systems": [asdict(row) for row in rows]}))
    else:
        _print(split, rows)


@command.command()
@_pages
@click.argument("page_id")
def label(*, pages: Path, page_id: str) -> None:
    """Print the blocks of a page with their labels by the gold text, 1 for content."""
    for _, page in _trees(pages, frozenset([page_id])):
        for text, is_content in zip(page.tree.texts, page.labels, strict=True):
            click.echo(f"{is_content}\t{text.strip()}")


@dataclass(frozen=True, slots=True)
class _Row:
    system: str
    figures: Figures
    f1_gain: tuple[float, float]  # 95 % interval over the first system, paired by page


def _split_of(pages: Path, name: str) -> Split:
    try:
        splits = read_splits(pages)
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from error
    if name not in splits:
        raise click.UsageError(f"no split {name}; there are {', '.join(sorted(splits))}")
    return splits[name]


def _trees(pages: Path, wanted: frozenset[str]) -> Iterator[tuple[str, LabelledTree]]:
    for page in labelled_pages(pages):
        if page.page_id in wanted:
            yield page.page_id, labelled_tree(page.html, page.gold)


def _systems(files: tuple[Path, ...]) -> Mapping[str, Callable[[LabelledTree], Labels]]:
    systems: dict[str, Callable[[LabelledTree], Labels]] = {}
    for path in files:
        systems[path.stem] = _labeller(path)
    systems["BTE"] = lambda page: content_labels(page.tree.texts, bte(page.markup))
    systems["keep everything"] = lambda page: np.ones_like(page.labels)
    return systems


def _labeller(path: Path) -> Callable[[LabelledTree], Labels]:
    try:
        weights = load(path)
    except ModelError as error:
        raise click.UsageError(str(error)) from error
    return lambda page: content_of(page.tree, weights)


def _print(split: str, rows: list[_Row]) -> None:
    table = Table(title=f"split {split}: {rows[0].figures.pages} pages", title_justify="left")
    for heading in ("system", "accuracy", "P", "R", "F1", "F1 95 %", "gain 95 %"):
        table.add_column(heading)
    for row in rows:
        found = row.figures
        numbers = (found.accuracy, found.precision, found.recall, found.f1)
        interval = f"{found.f1_low:.3f}-{found.f1_high:.3f}"
        gain = f"{row.f1_gain[0]:+.3f} {row.f1_gain[1]:+.3f}"
        table.add_row(row.system, *(f"{number:.4f}" for number in numbers), interval, gain)
    Console().print(table)
