"""Output of `winnow model`: progress of long stages, and a model as a table or as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

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


def info_table(described: ModelInfo) -> Table:
    """Return the description of a model, one row per fact."""
    table = Table(box=None, pad_edge=False, show_header=False)
    figures = described.figures
    weights = ", ".join(f"{weight:.4f}" for weight in figures.weights[: figures.order])
    rows = {
        "digest": described.digest,
        "language": described.language or "not known",
        "file": f"{described.file_bytes:,} bytes, {described.bytes_per_ngram:.2f} per n-gram",
        "tokens": Tokeniser(figures.tokeniser).name.lower(),
        "smoothing": "interpolated" if figures.interpolated else "backoff",
        "n-grams": _by_order(figures.listed, figures.order),
        "n-grams seen": _by_order(figures.seen, figures.order),
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


def list_table(models: Sequence[ModelInfo]) -> Table:
    """Return models as a table, one row each."""
    table = Table(box=None, pad_edge=False)
    table.add_column("language")
    for name in ("tokens", "kB", "perplexity"):
        table.add_column(name, justify="right")
    table.add_column("text", ratio=3)
    table.add_column("licences", ratio=2)
    for info in models:
        said = listed_json(info)
        shares = ", ".join(f"{name} {share:.0%}" for name, share in said["domains"].items())
        table.add_row(
            info.language,
            f"{info.figures.training_tokens:,}",
            f"{info.file_bytes / 1000:,.0f}",
            f"{info.held_out_perplexity:,.0f}",
            shares or "not known",
            ", ".join(said["licences"]) or "not known",
        )
    return table


def listed_json(info: ModelInfo) -> dict[str, Any]:
    """Return a model's row; the share of a kind of text is its share of the bytes."""
    sizes: Counter[str] = Counter()
    for file in info.made_from:
        if "domain" in file:
            sizes[file["domain"]] += file["text_bytes"]
    total = sizes.total()
    return {
        "language": info.language,
        "digest": info.digest,
        "file_bytes": info.file_bytes,
        "training_tokens": info.figures.training_tokens,
        "held_out_perplexity": info.held_out_perplexity,
        "domains": {name: size / total for name, size in sizes.most_common()},
        "licences": sorted({file["licence"] for file in info.made_from if "licence" in file}),
    }


def _by_order(counts: tuple[int, int, int], order: int) -> str:
    names = ("unigrams", "bigrams", "trigrams")
    return ", ".join(f"{n:,} {name}" for n, name in zip(counts[:order], names, strict=False))
