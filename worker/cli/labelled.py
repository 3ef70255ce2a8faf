"""How a command on labelled pages ends when they, or what tools made of them, cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager

from worker.cli.failure import CannotStart
from worker.evaluation.outputs import OutputsError
from worker.labelled import LabelledError


@contextmanager
def usable_labels() -> Iterator[None]:
    """Say in one line which file is at fault, and end with exit code 2."""
    try:
        yield
    except (LabelledError, OutputsError) as error:
        raise CannotStart(str(error)) from error
