"""Gain and cost of text from data: on original pages, and on pages without their markup text.

    python -m winnow.lab.measure.data_text ../shared/pages/*.tar.zst

The first table counts the pages of each set whose text comes from data with `data_text=keep`, and
has their mean F with and without it. Most labelled pages were saved after rendering. So the second
table empties the pages whose data has text: only the head and the scripts remain, as before any
script has run. F is on multisets of words.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.lab.measure.metrics import word_f1
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, set_name, tasks
from winnow.models import Cleaner, CleanerOptions, Page
from winnow.models._kernel import TEXT_SOURCES
from winnow.models._kernel.lab import data_text
from winnow.models.document import Document
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import InvalidPage
from winnow.models.options import Keep
from winnow.models.page import decode, tree_of

_PAGE: Final = TEXT_SOURCES[0]

# F of a page without and with the text of its data, in that order
Pair = tuple[float, float]


class Both:
    """A cleaner without the text of data and one with it."""

    def __init__(self, engine: str) -> None:
        """Build both for an engine."""
        options = CleanerOptions(engine=engine)
        self._drop, self._keep = (
            Cleaner(replace(options, data_text=each)) for each in (Keep.DROP, Keep.KEEP)
        )

    def source(self, page: Page) -> str:
        """Return the source of the kept text; empty for a refused page."""
        document = _cleaned(self._keep, page)
        return document.text_source if document else ""

    def scores(self, page: Page, gold: str) -> Pair:
        """Return the F of both cleaners."""
        texts = (_cleaned(cleaner, page) for cleaner in (self._drop, self._keep))
        drop, keep = (word_f1(document.text, gold) if document else 0.0 for document in texts)
        return drop, keep


def _cleaned(cleaner: Cleaner, page: Page) -> Document | None:
    (document,) = cleaner.clean_batch([page])
    return None if isinstance(document, InvalidPage) else document


def emptied(page: Page) -> Page | None:
    """Return a page without its visible content, if its data has text; the scripts stay."""
    try:
        source = decode(page)
        holds_text = data_text(tree_of(source.markup.decode()), 0) is not None
    except InvalidPage:
        return None
    if source.form == "text" or not holds_text:
        return None
    tree = LexborHTMLParser(source.markup)
    head = tree.head.html if tree.head else ""
    scripts = "".join(node.html or "" for node in _body_scripts(tree))
    markup = f"<!doctype html><html>{head}<body><div id=root></div>{scripts}</body></html>"
    return replace(
        page, body=markup.encode(errors="replace"), content_type="text/html;charset=utf-8"
    )


def _body_scripts(tree: LexborHTMLParser) -> Iterable[LexborNode]:
    return tree.body.css("script") if tree.body else ()


def rows(pairs: dict[str, list[Pair]]) -> Iterator[str]:
    """Yield the lines of a table: pages, F without and with, better pages and worse pages."""
    for name, found in sorted(pairs.items()):
        drop, keep = (mean(column) for column in zip(*found, strict=True))
        won = sum(with_data > without for without, with_data in found)
        lost = sum(with_data < without for without, with_data in found)
        yield f"| {name} | {len(found)} | {drop:.3f} | {keep:.3f} | {won} | {lost} |"


def _all_tasks(sources: Sequence[Path]) -> Iterator[tuple[str, Task]]:
    for source in sources:
        for task in tasks(source, gold_set_of(source), Selection()):
            yield set_name(source), task


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--engine", choices=list(ENGINES), default=CleanerOptions().engine)
    asked = parser.parse_args(arguments)
    both = Both(asked.engine)
    read: defaultdict[str, int] = defaultdict(int)
    as_they_are: defaultdict[str, list[Pair]] = defaultdict(list)
    without_page: defaultdict[str, list[Pair]] = defaultdict(list)
    for name, task in _all_tasks(asked.sources):
        read[name] += 1
        if both.source(task.page) not in {"", _PAGE}:
            as_they_are[name].append(both.scores(task.page, task.wanted.text))
        shell = emptied(task.page)
        if shell and (source := both.source(shell)) not in {"", _PAGE}:
            without_page[source].append(both.scores(shell, task.wanted.text))
    changed = sum(map(len, as_they_are.values()))
    print(f"{sum(read.values())} pages of {len(read)} sets, {changed} with text of data\n")
    head = "pages | F drop | F keep | better | worse |\n|---|---:|---:|---:|---:|---:|"
    print(f"| set | {head}", *rows(as_they_are), sep="\n")
    print(f"\n| emptied, text in | {head}", *rows(without_page), sep="\n")


if __name__ == "__main__":
    main()
