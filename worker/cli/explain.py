"""`winnow explain`: why each block of a page is kept or dropped."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
import orjson

from winnow.models._kernel import TEXT_SOURCES
from winnow.models.document import Document, Page, PageStats, Verdict
from winnow.models.errors import InvalidPage, ModelError, OptionsError
from winnow.models.explanation import ExplainedBlock, Explanation, Influence, InfluenceKind
from winnow.streams.pages import is_url
from winnow.worker.batch.inputs import STANDARD_INPUT, InputError, find_pages, read_page
from winnow.worker.cleaning import open_cleaner
from winnow.worker.cli.failure import CannotGoOn, CannotStart
from winnow.worker.cli.options import cleaning_options, read_options
from winnow.worker.cli.paths import PathName
from winnow.worker.explained import explanation_fields, influence_fields
from winnow.worker.terminal import counted, one_line, shown_path

# width of the columns before a block: verdict and probability
_INDENT: Final = " " * 9
_MOST_INFLUENCES: Final = 20
_MOST_SHOWN_CHARS: Final = 60


@click.command("explain")
@click.argument("path", type=PathName(), metavar="PAGE")
@click.option("--url", help="URL of the page on standard input (`-`).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--why",
    "number",
    type=click.IntRange(min=0),
    metavar="BLOCK",
    help="Show what weighed most in one block, by its number: words, labels, other blocks.",
)
@cleaning_options
def command(
    path: Path, url: str | None, *, as_json: bool, number: int | None, engine: str | None,
    threshold: str | None, pairs: tuple[str, ...], options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Show for each block of a page whether it is kept, and why.

    PAGE is an HTML or text file, or `-` for standard input. Each block is followed by its sentences
    with their perplexities; dropped text is marked with `-`. With --why the page is judged again
    without each word of one block, each name of the elements around it and each block near it. The
    largest change of the block's log-odds is printed first.
    """
    if url is not None and (path != STANDARD_INPUT or not is_url(url)):
        raise click.UsageError("--url applies only to standard input (`-`), and needs a scheme")
    options = read_options(options_file, pairs, engine=engine, threshold=threshold)
    try:
        cleaner = open_cleaner(options, model)
    except (ModelError, OptionsError) as error:
        raise CannotStart(str(error)) from error
    page = _page(path, url or "", options.limits.page_bytes)
    try:
        explanation = cleaner.explain(page)
        influences = () if number is None else cleaner.influences(page, number)
    except InvalidPage as error:
        raise CannotGoOn(f"{shown_path(path)}: {error}") from error
    except OptionsError as error:
        raise CannotGoOn(f"--why: {error}") from error
    if as_json:
        fields = explanation_fields(explanation)
        if number is not None:
            fields["why"] = {"block": number, "influences": influence_fields(influences)}
        sys.stdout.buffer.write(orjson.dumps(fields) + b"\n")
        return
    for line in _lines(explanation) if number is None else _why(explanation, number, influences):
        click.echo(line)


def _page(path: Path, url: str, max_bytes: int) -> Page:
    """Read the one page that a path names.

    Raises:
        CannotGoOn: the path is a folder or has no page.
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
        "text from": "" if document.text_source == TEXT_SOURCES[0] else document.text_source,
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
    what = f"{block.block.kind.value} {block.block.order}: {block.reason}"
    yield f"{click.style(sign, fg=colour, bold=True)} {likely:<5}  {click.style(what, dim=True)}"
    if not block.sentences:
        yield f"{_INDENT}{one_line(_in_one_line(block.block.text))}"
    for sentence in block.sentences:
        mark = "+" if sentence.verdict is Verdict.KEPT else "-"
        figures = f"{mark} {sentence.perplexity:>9,.1f}"
        yield f"{_INDENT}{click.style(figures, dim=True)}  {one_line(_in_one_line(sentence.text))}"


def _why(explanation: Explanation, number: int, influences: Sequence[Influence]) -> Iterator[str]:
    yield from _block(explanation.blocks[number])
    yield ""
    yield click.style(f"{'log-odds':>{len(_INDENT)}}  for (+) or against (-) content", dim=True)
    for each in influences[:_MOST_INFLUENCES]:
        colour = "green" if each.log_odds > 0 else "red"
        weight = click.style(f"{each.log_odds:>+{len(_INDENT)}.2f}", fg=colour)
        yield f"{weight}  {click.style(f'{each.kind:<7}', dim=True)}  {_named(each, explanation)}"


def _named(influence: Influence, explanation: Explanation) -> str:
    if influence.kind is not InfluenceKind.BLOCK:
        return one_line(influence.name)
    text = _in_one_line(explanation.blocks[int(influence.name)].block.text)
    end = "…" if len(text) > _MOST_SHOWN_CHARS else ""
    return one_line(f"{influence.name}: {text[:_MOST_SHOWN_CHARS]}{end}")


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
