"""What `winnow model` shows: progress of long stages, and a model as a table or as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import orjson
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from winnow.lab.train.language.training import Stages, Tokeniser
from winnow.models.ngram import ModelInfo
from winnow.worker.cli.console import PlainConsole


@contextmanager
def progress_stages() -> Iterator[Stages]:
    """Show each stage on standard error."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=PlainConsole(stderr=True)) as progress:
        running: list[TaskID] = []

        def begin(name: str, file_bytes: int) -> None:
            for task in running:
                progress.stop_task(task)
            running.append(progress.add_task(name, total=file_bytes or None))

        def advance(file_bytes: int) -> None:
            progress.advance(running[-1], file_bytes)

        yield Stages(begin, advance)


def info_json(described: ModelInfo) -> dict[str, object]:
    """Return what a file says of its model, for `--json`."""
    return {
        **asdict(described),
        "held_out_perplexity": described.held_out_perplexity,
        "bytes_per_ngram": described.bytes_per_ngram,
        "provenance": orjson.loads(described.provenance or "{}"),
    }


def info_table(described: ModelInfo) -> Table:
    """Return what a file says of its model, a row a fact."""
    table = Table(box=None, pad_edge=False, show_header=False)
    figures = described.figures
    weights = ", ".join(f"{weight:.4f}" for weight in figures.weights[: figures.order])
    rows = {
        "digest": described.digest,
        "language": described.language or "not known",
        "file": f"{described.file_bytes:,} bytes, {described.bytes_per_ngram:.2f} an n-gram",
        "tokens": Tokeniser(figures.tokeniser).name.lower(),
        "smoothing": "interpolated" if figures.interpolated else "backoff",
        "n-grams": _by_order(figures.listed, figures.order),
        "of those seen": _by_order(figures.seen, figures.order),
        "weights": f"{weights}, chance {1 - sum(figures.weights):.4f}",
        "unknown token": f"{figures.unknown_log2:.2f} bits",
        "trained on": f"{figures.training_tokens:,} tokens, "
        f"{figures.training_sentences:,} sentences",
        "held out": f"perplexity {described.held_out_perplexity:.1f} over "
        f"{figures.held_out_tokens:,} tokens, {figures.held_out_oov:,} of them unknown",
        "sentence ends": f"{described.punkt_abbreviations:,} abbreviations",
    }
    for name, text in rows.items():
        table.add_row(name, text)
    return table


def _by_order(counts: tuple[int, int, int], order: int) -> str:
    names = ("unigrams", "bigrams", "trigrams")
    return ", ".join(f"{n:,} {name}" for n, name in zip(counts[:order], names, strict=False))
