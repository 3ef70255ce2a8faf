"""`winnow explain`: why each block of a page stays or goes."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
import orjson

from models.document import Document, Page, PageStats, Verdict
from models.errors import InvalidPage, ModelError, OptionsError
from models.explanation import ExplainedBlock, Explanation
from streams.pages import is_url
from worker.cleaning import open_cleaner
from worker.cli.failure import CannotGoOn, CannotStart
from worker.cli.options import cleaning_options, read_options
from worker.cli.paths import PathName
from worker.explained import explanation_fields
from worker.inputs import STANDARD_INPUT, InputError, find_pages, read_page
from worker.terminal import counted, one_line, shown_path

# of the signs before a block: its verdict and its probability
_INDENT: Final = " " * 9


@click.command("explain")
@click.argument("path", type=PathName(), metavar="PAGE")
@click.option("--url", help="URL of the page that `-` carries.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@cleaning_options
def command(
    path: Path, url: str | None, *, as_json: bool, engine: str | None, threshold: str | None,
    pairs: tuple[str, ...], options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Say of each block of a page whether it stays, and why.

    PAGE is an HTML or text file, or `-`, standard input. Below each block stand its sentences with
    their perplexities; what goes is marked with `-`.
    """
    if url is not None and (path != STANDARD_INPUT or not is_url(url)):
        raise click.UsageError("--url takes the URL, with its scheme, of `-`")
    options = read_options(options_file, pairs, engine=engine, threshold=threshold)
    try:
        cleaner = open_cleaner(options, model)
    except (ModelError, OptionsError) as error:
        raise CannotStart(str(error)) from error
    try:
        explanation = cleaner.explain(_page(path, url or "", options.limits.page_bytes))
    except InvalidPage as error:
        raise CannotGoOn(f"{shown_path(path)}: {error}") from error
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(explanation_fields(explanation)) + b"\n")
        return
    for line in _lines(explanation):
        click.echo(line)


def _page(path: Path, url: str, max_bytes: int) -> Page:
    """Read the only page that a path names.

    Raises:
        CannotGoOn: it names none, or a folder.
    """
    if path.is_dir():
        raise CannotGoOn(f"{shown_path(path)}: a folder: name one page")
    (file,) = find_pages((path,))
    try:
        if isinstance(file, InputError):
            raise file
        page = read_page(file, max_bytes)
    except InputError as error:
        raise CannotGoOn(str(error)) from error
    return page if page.url else replace(page, url=url)


def _lines(explanation: Explanation) -> Iterator[str]:
    yield from _head(explanation)
    for block in explanation.blocks:
        yield ""
        yield from _block(block)


def _head(explanation: Explanation) -> Iterator[str]:
    document, stats = explanation.document, explanation.document.stats
    facts = {
        "title": document.title,
        "url": document.url,
        "canonical": document.canonical_url,
        "author": document.author,
        "published": document.published_at,
        "site": document.site_name,
        "language": document.language or "unknown",
        "page type": _page_types(explanation),
        "engine": f"{document.engine}, threshold {document.threshold:.6g}",
        "kept": _kept(document, stats),
        "CPU ms": ", ".join(f"{stage} {ms:.2f}" for stage, ms in stats.cpu_ms.items()),
    }
    for name, value in facts.items():
        if value:
            yield f"{click.style(f'{name:<10}', dim=True)} {one_line(value)}"


def _page_types(explanation: Explanation) -> str:
    likely = sorted(explanation.page_types.items(), key=lambda each: -each[1])
    return ", ".join(f"{name} {probability:.2f}" for name, probability in likely[:3])


def _kept(document: Document, stats: PageStats) -> str:
    return (
        f"{stats.blocks_kept:,} of {counted(stats.blocks, 'block')}, "
        f"{stats.sentences_kept:,} of {counted(stats.sentences, 'sentence')}, "
        f"{len(document.text):,} characters"
    )


def _block(block: ExplainedBlock) -> Iterator[str]:
    sign, colour = ("+", "green") if block.kept else ("-", "red")
    likely = "" if block.probability is None else f"{block.probability:.3f}"
    what = f"{block.block.kind.value}: {block.reason}"
    yield f"{click.style(sign, fg=colour, bold=True)} {likely:<5}  {click.style(what, dim=True)}"
    if not block.sentences:
        yield f"{_INDENT}{one_line(_in_one_line(block.block.text))}"
    for sentence in block.sentences:
        mark = "+" if sentence.verdict is Verdict.KEPT else "-"
        figures = f"{mark} {sentence.perplexity:>9,.1f}"
        yield f"{_INDENT}{click.style(figures, dim=True)}  {one_line(_in_one_line(sentence.text))}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
