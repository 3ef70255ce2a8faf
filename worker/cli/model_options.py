"""What the commands of `winnow model` that make a model have in common."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.targets import check_target, is_device

_SUBTAG: Final = re.compile(r"[a-z]{2,8}")


def _subtag(_ctx: click.Context, _param: click.Parameter, language: str) -> str:
    if language and not _SUBTAG.fullmatch(language):
        raise click.BadParameter("a subtag such as en is wanted")
    return language


language_option = click.option(
    "--language", default="", callback=_subtag, help="BCP 47 subtag of the text, as in en."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def check_model_target(output: Path, inputs: Iterable[Path]) -> None:
    """Check the file of a new model, which takes the place of what has its name.

    Raises:
        click.UsageError: it is one of `inputs`.
        CannotStart: there can be no such file.
    """
    check_target(output, inputs)
    if is_device(output):
        raise CannotStart(f"{output}: no regular file, and a model takes its place")
