"""`winnow model`: train language models and inspect model files."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
import orjson

from winnow.lab.train.language.training import (
    MAX_ORDER,
    PUNKT_SAMPLE_BYTES,
    Tokeniser,
    TrainingPlan,
    train_model,
)
from winnow.models.errors import ModelError, OptionsError
from winnow.models.filtering import DocumentFilter
from winnow.models.ngram import ModelInfo
from winnow.models.ngram.languages import SHIPPED
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.model_documents import documents_options, text_of_documents
from winnow.worker.cli.model_imports import import_arpa_command, import_pyplexity_command
from winnow.worker.cli.model_options import check_model_target, json_option, language_option
from winnow.worker.cli.model_view import info_table, list_table, listed_json, progress_stages
from winnow.worker.cli.paths import PathName
from winnow.worker.cli.score import opened

_RULES: Final = "counts=2,2,3, gain=1.5 and punkt=8"
_NOT_NUMBERS: Final = "must be numbers separated by commas, such as 1,2,3"


@click.group()
def command() -> None:
    """Train, import and inspect language models."""


command.add_command(import_arpa_command)
command.add_command(import_pyplexity_command)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Which n-grams a model leaves out; see `TrainingPlan`."""

    min_counts: tuple[int, int, int] = (1, 1, 1)
    min_gain: float = 0.0
    punkt_min_count: int = 2


def _pruning(_ctx: click.Context, _param: click.Parameter, rules: tuple[str, ...]) -> Pruning:
    pruning = Pruning()
    for rule in rules:
        name, _, value = rule.partition("=")
        try:
            pruning = _with_rule(pruning, name, value)
        except ValueError as error:
            raise click.BadParameter(f"must be one of {_RULES}, not {rule!r}") from error
    return pruning


def _with_rule(pruning: Pruning, name: str, value: str) -> Pruning:
    """Raise `ValueError` for an unknown rule."""
    if name == "gain":
        return replace(pruning, min_gain=float(value))
    if name == "punkt":
        return replace(pruning, punkt_min_count=int(value))
    if name != "counts":
        raise ValueError(name)
    numbers = [int(part) for part in value.split(",")]
    if len(numbers) > MAX_ORDER:
        raise ValueError(value)
    first, second, third = (numbers + numbers[-1:] * 2)[:MAX_ORDER]
    return replace(pruning, min_counts=(first, second, third))


def _weights(
    _ctx: click.Context, _param: click.Parameter, text: str | None
) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise click.BadParameter(_NOT_NUMBERS) from error


@command.command()
@click.argument("corpus", nargs=-1, type=PathName(exists=True, dir_okay=False))
@documents_options
@click.option("-o", "--output", required=True, type=PathName(dir_okay=False))
@click.option("--order", default=2, show_default=True, type=click.IntRange(1, 3))
@language_option
@click.option(
    "--prune",
    multiple=True,
    metavar="RULE",
    callback=_pruning,
    help="Leave n-grams out: counts=2,2,3 leaves out n-grams that occur fewer times, by order "
    "(the last number is for all higher orders); gain=1.5, n-grams that save fewer bits over the "
    "whole text; punkt=8, the sentence splitter's entries for words seen fewer times. One of each "
    "may be given. Default: keep every n-gram.",
)
@click.option(
    "--weights",
    callback=_weights,
    help="Weights of the orders, unigrams first: 0.2,0.7. Default: chosen on every 128th line, or "
    "every 32nd of a text below 20 MB; these lines are not counted.",
)
@click.option(
    "--tokeniser",
    default=Tokeniser.FOLDED.name.lower(),
    show_default=True,
    type=click.Choice([variant.name.lower() for variant in Tokeniser]),
    help="Lower case, upper and lower case, or lower case with separate apostrophes.",
)
@click.option(
    "--punkt-bytes",
    default=PUNKT_SAMPLE_BYTES,
    show_default=True,
    type=click.IntRange(min=0),
    help="Size of the sample that the sentence splitter learns from.",
)
@json_option
def train(
    *,
    corpus: tuple[Path, ...],
    documents: tuple[str, ...],
    min_confidence: float,
    min_words: int,
    output: Path,
    order: int,
    language: str,
    prune: Pruning,
    weights: tuple[float, ...] | None,
    tokeniser: str,
    punkt_bytes: int,
    as_json: bool,
) -> None:
    """Train a model on the text files CORPUS (.txt, .zst, .gz), one paragraph per line.

    Or on documents that Winnow has cleaned: --documents.

    The same files and options give the same model, byte by byte.
    """
    if bool(corpus) == bool(documents):
        raise click.UsageError("give files of text, or --documents")
    if documents and not language:
        raise click.UsageError("--documents are of one language: give --language")
    check_model_target(output, [*corpus, *map(Path, documents)])
    try:
        plan = TrainingPlan(
            order=order,
            language=language,
            tokeniser=Tokeniser[tokeniser.upper()],
            min_counts=prune.min_counts,
            min_gain=prune.min_gain,
            weights=weights,
            punkt_bytes=punkt_bytes,
            punkt_min_count=prune.punkt_min_count,
        )
        with progress_stages() as stages:
            if corpus:
                train_model(corpus, output, plan, stages)
            else:
                wanted = DocumentFilter(frozenset({language}), min_confidence, min_words)
                with text_of_documents(documents, wanted, output.parent, stages) as text:
                    train_model([text], output, plan, stages)
    except (ModelError, OptionsError, OSError) as error:
        raise CannotStart(str(error)) from error
    _print(opened(output).info, as_json=as_json)


@command.command()
@click.argument("path", metavar="FILE", type=PathName())
@json_option
def info(*, path: Path, as_json: bool) -> None:
    """Check a model file completely, and print its description."""
    _print(opened(path).info, as_json=as_json)


@command.command(name="list")
@json_option
def list_models(*, as_json: bool) -> None:
    """List the shipped models: language, size, kinds of text and their licences."""
    shipped = [opened(None, language).info for language in SHIPPED]
    if as_json:
        click.echo(orjson.dumps([listed_json(info) for info in shipped]))
    else:
        PlainConsole().print(list_table(shipped))


def _print(described: ModelInfo, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(described.to_dict()))
    else:
        PlainConsole().print(info_table(described))
