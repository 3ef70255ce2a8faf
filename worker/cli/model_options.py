"""Options shared by the `winnow model` commands that write a model."""

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
        raise click.BadParameter("must be a language subtag such as en")
    return language


language_option = click.option(
    "--language", default="", callback=_subtag, help="BCP 47 subtag of the text, such as en."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def check_model_target(output: Path, inputs: Iterable[Path]) -> None:
    """Check that a new model can be written to this path; it replaces a file there.

    Raises:
        click.UsageError: the path is one of `inputs`.
        CannotStart: the file cannot be written.
    """
    check_target(output, inputs)
    if is_device(output):
        raise CannotStart(f"{output}: not a regular file, so a model cannot replace it")
