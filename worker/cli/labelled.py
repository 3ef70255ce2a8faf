"""Shared by the commands on labelled pages: protected input files, names, errors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from winnow.lab.measure.outputs import OutputsError
from winnow.lab.sets.labelled import LabelledError
from winnow.lab.sets.patches import PatchError
from winnow.lab.sets.tasks import set_name
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.paths import PathName
from winnow.worker.terminal import one_line

_FOLDERS: Final = frozenset({"html", "gold"})
_NAMES: Final = frozenset({"meta.json", "splits.json"})

against_option: Final = click.option(
    "--against",
    multiple=True,
    type=PathName(exists=True),
    help="Outputs of other tools for the pages: TOOL.jsonl, or a folder with "
    "SET/TOOL.jsonl. May be repeated.",
)


def label_files(source: Path) -> Iterator[Path]:
    """Yield the archive, or the parts of a folder of labelled pages."""
    yield source
    for path in source.rglob("*"):
        if path.parent.name in _FOLDERS or path.name in _NAMES:
            yield path


def check_names(sources: Sequence[Path]) -> None:
    """Refuse two sets with the same name: names identify results, and sets identify pages."""
    named: dict[str, Path] = {}
    for source in sources:
        other = named.setdefault(set_name(source), source)
        if other is not source:
            raise click.UsageError(f"{other} and {source} are both called {set_name(source)!r}")


@contextmanager
def usable_labels() -> Iterator[None]:
    """Report the bad file in one line, and exit with code 2."""
    try:
        yield
    except (LabelledError, OutputsError, PatchError) as error:
        raise CannotStart(one_line(str(error))) from error
