"""What the commands of `winnow model` that make a model have in common."""

from collections.abc import Iterable
from pathlib import Path

from worker.cli.failure import CannotStart
from worker.cli.targets import check_target, is_device


def check_model_target(output: Path, inputs: Iterable[Path]) -> None:
    """Check the file of a new model, which takes the place of what has its name.

    Raises:
        click.UsageError: it is one of `inputs`.
        CannotStart: there can be no such file.
    """
    check_target(output, inputs)
    if is_device(output):
        raise CannotStart(f"{output}: no regular file, and a model takes its place")
