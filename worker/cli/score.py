"""`winnow score`: the perplexity of a text, sentence by sentence or token by token."""

from collections.abc import Sequence
from pathlib import Path

import click
import orjson
from rich.table import Table

from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel, ScoredSentence
from winnow.models.ngram.languages import SHIPPED
from winnow.worker.batch.inputs import InputError, read_standard_input
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.failure import CannotGoOn, CannotStart
from winnow.worker.cli.paths import PathName
from winnow.worker.scored import overall_perplexity, score_fields

# A text is scored as a whole, so standard input is limited.
MAX_TEXT_BYTES = 64 << 20


@click.command()
@click.argument("text")
@click.option("--model", "path", type=PathName(), help="Model file, instead of a shipped model.")
@click.option(
    "--language",
    type=click.Choice(SHIPPED),
    help="Language of the shipped model.  [default: en]",
)
@click.option("--explain", is_flag=True, help="Show what each token contributes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    *, text: str, path: Path | None, language: str | None, explain: bool, as_json: bool
) -> None:
    """Print how surprised the language model is by a text.

    TEXT is one text; `-` reads standard input.

    Perplexity is per token: some hundreds for well-edited prose, thousands for broken text.
    The text is split into sentences, and each is scored from its start.
    """
    if path and language:
        raise click.UsageError(
            "--model and --language cannot be combined: a model has its language"
        )
    model = opened(path, language or SHIPPED[0])
    text = _standard_input() if text == "-" else _valid(text)
    sentences = model.score_text(text)
    if not sentences:
        raise CannotStart("the text has no token to score")
    if as_json:
        click.echo(orjson.dumps(score_fields(model, sentences, explain=explain)))
        return
    console = PlainConsole()
    console.print(_sentence_table(sentences))
    if explain:
        console.print(_token_table(model, sentences))


def opened(path: Path | None, language: str = SHIPPED[0]) -> NgramModel:
    """Open a model file, or the shipped model of a language.

    Raises:
        CannotStart: the model is missing or cannot be used.
    """
    try:
        return NgramModel.open(path) if path else NgramModel.shipped(language)
    except ModelError as error:
        raise CannotStart(str(error)) from error


def _standard_input() -> str:
    try:
        body = read_standard_input(MAX_TEXT_BYTES + 1)
    except InputError as error:
        raise CannotGoOn(str(error)) from error
    if len(body) > MAX_TEXT_BYTES:
        raise CannotStart(f"the text is larger than {MAX_TEXT_BYTES >> 20} MiB")
    return body.decode("utf-8", errors="replace")


def _valid(text: str) -> str:
    """Return the text of an argument; bytes that are not UTF-8 become replacement characters."""
    return text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def _sentence_table(sentences: Sequence[ScoredSentence]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("perplexity", "tokens", "oov"):
        table.add_column(column, justify="right")
    table.add_column("sentence", overflow="fold")
    for sentence in sentences:
        figures = (f"{sentence.perplexity:.1f}", str(sentence.tokens), str(sentence.oov))
        table.add_row(*figures, sentence.text.strip())
    if len(sentences) > 1:
        tokens = sum(sentence.tokens for sentence in sentences)
        oov = sum(sentence.oov for sentence in sentences)
        perplexity = f"{overall_perplexity(sentences):.1f}"
        table.add_row(perplexity, str(tokens), str(oov), "(all sentences)", style="bold")
    return table


def _token_table(model: NgramModel, sentences: Sequence[ScoredSentence]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("token", overflow="fold")
    table.add_column("n-gram", justify="right")
    table.add_column("log2 P", justify="right")
    for sentence in sentences:
        for token in model.explain(sentence.text):
            order = str(token.order) if token.order else "unknown"
            table.add_row(token.text, order, f"{token.log2_prob:.2f}")
        table.add_section()
    return table
