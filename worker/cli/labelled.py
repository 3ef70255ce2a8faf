"""What the commands on labelled pages share: files that no output replaces, errors in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from worker.cli.failure import CannotStart
from worker.evaluation.outputs import OutputsError
from worker.labelled import LabelledError

_FOLDERS: Final = frozenset({"html", "gold"})
_NAMES: Final = frozenset({"meta.json", "splits.json"})


def label_files(source: Path) -> Iterator[Path]:
    """Yield an archive, or what a folder of labelled pages consists of."""
    yield source
    for path in source.rglob("*"):
        if path.parent.name in _FOLDERS or path.name in _NAMES:
            yield path


@contextmanager
def usable_labels() -> Iterator[None]:
    """Say in one line which file is at fault, and end with exit code 2."""
    try:
        yield
    except (LabelledError, OutputsError) as error:
        raise CannotStart(str(error)) from error
