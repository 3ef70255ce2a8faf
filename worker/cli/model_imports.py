"""`winnow model import-arpa` and `import-pyplexity`: import models of other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

import click
import orjson

from winnow.lab.imports.importing import Imported, ImportPlan, import_arpa, import_pyplexity
from winnow.lab.train.language.training import Stages, Tokeniser
from winnow.models.errors import ModelError
from winnow.models.ngram import ModelInfo
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.model_options import check_model_target, json_option, language_option
from winnow.worker.cli.model_view import info_table, progress_stages
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.score import opened

Importing = Callable[[Path, Path, ImportPlan, Stages], Imported]
Command = TypeVar("Command", bound=Callable[..., None])

_OPTIONS = (
    click.argument("path", metavar="FILE", type=PathName(dir_okay=False)),
    click.option("-o", "--output", required=True, type=PathName(dir_okay=False)),
    language_option,
    click.option(
        "--punkt",
        metavar="MODEL",
        type=PathName(),
        help="Model file to take the sentence splitter from. Default: the English one.",
    ),
    click.option(
        "--tokeniser",
        type=click.Choice([variant.name.lower() for variant in Tokeniser]),
        help="How text becomes the words of the file. Default: detected from these words.",
    ),
    json_option,
)


def _with_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class _Given(TypedDict):
    path: Path
    output: Path
    language: str
    punkt: Path | None
    tokeniser: str | None
    as_json: bool


@click.command("import-arpa")
@_with_options
def import_arpa_command(**given: Unpack[_Given]) -> None:
    """Convert the ARPA file FILE (KenLM, SRILM; also .gz or .zst) of order 1 to 3.

    The sentence splitter is copied from the model --punkt. Text is lower-cased unless the file
    has words with capitals.
    """
    _run(import_arpa, given)


@click.command("import-pyplexity")
@_with_options
def import_pyplexity_command(**given: Unpack[_Given]) -> None:
    """Convert the PyPlexity model FILE (.st, written by Perl's Storable).

    The orders keep their interpolation weights. Each word uses its own unigram.
    """
    _run(import_pyplexity, given)


def _run(importing: Importing, given: _Given) -> None:
    path, output, punkt = given["path"], given["output"], given["punkt"]
    check_model_target(output, [path, punkt] if punkt else [path])
    plan = _plan(given["language"], punkt, given["tokeniser"])
    imported = _import(importing, path, output, plan)
    _print(opened(output).info, imported.left_out, as_json=given["as_json"])


def _plan(language: str, punkt: Path | None, tokeniser: str | None) -> ImportPlan:
    variant = Tokeniser[tokeniser.upper()] if tokeniser else None
    return ImportPlan(language, variant, opened(punkt).punkt)


def _import(importing: Importing, path: Path, output: Path, plan: ImportPlan) -> Imported:
    try:
        with progress_stages() as stages:
            return importing(path, output, plan, stages)
    except (ModelError, OSError) as error:
        raise CannotStart(str(error)) from error


def _print(described: ModelInfo, left_out: int, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps({**described.to_dict(), "left_out": left_out}))
        return
    table = info_table(described)
    table.add_row("left out", f"{left_out:,} n-grams that cannot occur in text")
    PlainConsole().print(table)
