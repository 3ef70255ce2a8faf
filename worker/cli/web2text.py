"""`winnow web2text`: train and evaluate the web2text engine, label blocks by gold text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import click
import orjson

from winnow.lab.measure.outputs import tools_of
from winnow.lab.sets.splits import Split, read_splits
from winnow.lab.sets.tasks import set_name
from winnow.lab.train.web2text.cleaneval import LabelledLeaves
from winnow.lab.train.web2text.examples import cleaneval_pages
from winnow.lab.train.web2text.figures import PageCounts, f1_gain, figures, page_counts
from winnow.lab.train.web2text.printing import Row, print_rows, rows_json
from winnow.lab.train.web2text.systems import BASELINES, systems
from winnow.lab.train.web2text.training import train_engine, train_split
from winnow.lab.train.web2text.weights import JointWeights, load, pack
from winnow.models.engines.web2text.model import SHIPPED
from winnow.models.errors import ModelError
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.labelled import against_option, check_names, label_files, usable_labels
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.targets import check_target, write_target
from winnow.worker.terminal import one_line

CLEANEVAL: Final = Path("../shared/pages/cleaneval.tar.zst")

_pages = click.option(
    "--pages",
    default=CLEANEVAL,
    show_default=True,
    type=PathName(),
    help="CleanEval: a folder or .tar.zst with html/, gold/ and splits.json.",
)
_split = click.option(
    "--split", default="cleaneval", show_default=True, help="Name of a split in splits.json."
)
_seed = click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    help="The same seed gives the same weights with one BLAS thread (OPENBLAS_NUM_THREADS=1).",
)


@click.group()
def command() -> None:
    """Train and evaluate the web2text engine (Web2Text)."""


@command.command()
@click.argument("sources", nargs=-1, type=PathName(exists=True))
@_pages
@_split
@_seed
@click.option("-o", "--output", required=True, type=PathName(dir_okay=False))
def train(
    *,
    sources: tuple[Path, ...],
    pages: Path,
    split: str,
    seed: int,
    output: Path,
) -> None:
    """Train networks and write their weight file.

    Without SOURCES it trains on the training pages of a CleanEval split. With SOURCES (labelled
    sets) it trains on the pages of their training sites, as for the shipped weights.
    """
    check_names(sources)
    check_target(output, chain.from_iterable(map(label_files, sources or (pages,))))
    try:
        with usable_labels():
            if sources:
                weights = train_engine(sources, seed)
            else:
                chosen = _split_of(pages, split)
                found = dict(cleaneval_pages(pages, chosen.train))
                weights = train_split(found, chosen, split, seed)
        packed = pack(weights)
    except (ModelError, ValueError) as error:
        raise CannotStart(str(error)) from error
    write_target(output, packed)
    click.echo(f"{output}: {len(packed)} bytes; {weights.provenance}")


@command.command()
@_pages
@_split
@click.option(
    "--within",
    help="Only test pages that are also test pages of this split.",
)
@click.option(
    "--weights",
    "files",
    multiple=True,
    type=PathName(dir_okay=False),
    help="Weight file; may be repeated. Default: the engine's weights, and networks newly trained "
    "on the training pages of the split (takes minutes).",
)
@_seed
@against_option
@click.option("--json", "as_json", is_flag=True, help="Write the figures as JSON.")
def evaluate(
    *,
    pages: Path,
    split: str,
    within: str | None,
    files: tuple[Path, ...],
    seed: int,
    against: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Print block figures on the test pages of a split, with figures of older systems."""
    title = f"{split}, within {within}" if within else split
    pages_name = set_name(pages)
    try:
        with usable_labels():
            outputs = tools_of(against, [pages_name])[pages_name]
            _check_systems([*(path.stem for path in files), *outputs, *BASELINES])
            chosen = _split_of(pages, split)
            test = chosen.test & _split_of(pages, within).test if within else chosen.test
            if not test:
                raise click.UsageError(f"no test page in split {title}")
            found = dict(cleaneval_pages(pages, chosen.everything))
            weights = _loaded(files) if files else _trained(found, chosen, split, seed)
            compared = systems(weights, outputs)
    except (ModelError, ValueError) as error:
        raise CannotStart(str(error)) from error
    rows = _rows(
        {
            name: [
                page_counts(system(at, page), page.labels)
                for at, page in found.items()
                if at in test
            ]
            for name, system in compared.items()
        }
    )
    if as_json:
        click.echo(rows_json(title, rows))
    else:
        print_rows(title, rows, PlainConsole())


@command.command()
@_pages
@click.argument("page_ids", nargs=-1)
@click.option(
    "--format",
    "form",
    default="jsonl",
    show_default=True,
    type=click.Choice(["jsonl", "text"]),
    help="jsonl: one line per page. text: one line per block, `+` before content.",
)
def label(*, pages: Path, page_ids: tuple[str, ...], form: str) -> None:
    """Write the blocks of pages, labelled by the gold text.

    Default: all pages.
    """
    write = _label_lines if form == "text" else _label_json
    with usable_labels():
        splits = read_splits(pages)
        known = frozenset().union(*(each.everything for each in splits.values()))
        wanted = frozenset(page_ids) or known
        if unknown := sorted(wanted - known):
            raise click.UsageError(f"no page {', '.join(unknown)} in {pages}")
        for page_id, page in cleaneval_pages(pages, wanted):
            click.echo(write(page_id, page))


def _label_json(page_id: str, page: LabelledLeaves) -> bytes:
    return orjson.dumps({"page": page_id, "labels": page.labels.tolist(), "blocks": page.texts})


def _label_lines(page_id: str, page: LabelledLeaves) -> str:
    blocks = zip(page.labels, page.texts, strict=True)
    lines = [f"{'+' if label else '-'} {text.strip()}" for label, text in blocks]
    kept = int(page.labels.sum())
    return "\n".join(
        [f"page {one_line(page_id)}: {kept} of {len(lines)} blocks are content", *lines]
    )


def _check_systems(names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise click.UsageError(f"two systems are called {name!r}")


def _loaded(files: Sequence[Path]) -> dict[str, JointWeights]:
    return {path.stem: load(path) for path in files}


def _trained(
    pages: Mapping[str, LabelledLeaves], split: Split, name: str, seed: int
) -> dict[str, JointWeights]:
    click.echo("training version 2", err=True)
    trained = train_split(pages, split, name, seed)
    return {"version 2": trained, "engine's weights": load(SHIPPED)}


def _rows(counts: Mapping[str, list[PageCounts]]) -> list[Row]:
    base = next(iter(counts.values()))
    return [Row(name, figures(rows), *f1_gain(rows, base)) for name, rows in counts.items()]


def _split_of(pages: Path, name: str) -> Split:
    splits = read_splits(pages)
    if name not in splits:
        raise click.UsageError(f"no split {name}; there are {', '.join(sorted(splits))}")
    return splits[name]
