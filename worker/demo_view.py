"""Answers of the demo -> text for people: what stayed, what went and why, and a table."""

import errno
import os
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from models.document import Verdict
from worker.answers import Answer
from worker.demo import Summary
from worker.terminal import counted

SHOWN_KEPT: Final = 6
SHOWN_DROPPED: Final = 4
# pages may hold sequences that command a terminal
_CONTROLS: Final = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\ufffd")
_WHY: Final = {
    Verdict.PERPLEXITY: "perplexity above the threshold",
    Verdict.BOILERPLATE: "boilerplate of the page",
    Verdict.COMMENT: "readers' comments",
    Verdict.SEEN: "seen on many pages of the site",
}


class DemoConsole(Console):
    """Raises `BrokenPipeError` when its reader is gone.

    The `SystemExit` of any other would end the event loop at once, and the worker in it never.
    """

    def on_broken_pipe(self) -> None:
        """Raise it again."""
        self.quiet = True
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


class View:
    """Prints answers as they come and keeps a row of each for the table."""

    def __init__(self, console: Console, *, full: bool) -> None:
        """Print to `console`; with `full` nothing is left out."""
        self._console = console
        self._limit_kept = 10**9 if full else SHOWN_KEPT
        self._limit_dropped = 10**9 if full else SHOWN_DROPPED
        self._rows: list[tuple[str, ...]] = []

    def answer(self, answer: Answer) -> None:
        """Print one answer."""
        if answer.dead is not None:
            self._dead(answer, answer.dead)
        elif answer.document is not None and answer.stats is not None:
            self._document(answer, answer.document, answer.stats)

    def summary(self, summary: Summary) -> None:
        """Print the table of all answers, and the totals."""
        table = Table(title="Winnowed", title_style="bold", title_justify="left")
        for name in ("page", "result", "bytes", "sentences", "kept", "characters"):
            table.add_column(name, justify="left" if name in {"page", "result"} else "right")
        for row in self._rows:
            table.add_row(*map(escape, row))
        self._console.print()
        self._console.print(table)
        self._console.print(
            f"{counted(summary.pages, 'page')} = {counted(summary.documents, 'document')} + "
            f"{counted(summary.dead, 'dead letter')} "
            f"in {summary.seconds:.1f} s; {summary.sentences_kept} of {summary.sentences} "
            "sentences kept",
            highlight=False,
        )

    def _dead(self, answer: Answer, dead: dict[str, Any]) -> None:
        self._heading(answer, "")
        detail = f": {_one_line(dead['detail'])}" if dead.get("detail") else ""
        self._console.print(
            Text(f"  dead letter, {dead['reason']} ({dead['stage']}){detail}", style="red")
        )
        row = (_name(answer.url), f"dead: {dead['reason']}", f"{answer.page_bytes:,}", "", "", "")
        self._rows.append(row)

    def _document(self, answer: Answer, document: dict[str, Any], stats: dict[str, Any]) -> None:
        self._heading(answer, document["title"])
        sentences: list[dict[str, Any]] = document.get("sentences", [])
        kept = [each for each in sentences if each["verdict"] == Verdict.KEPT]
        shown = [each["text"] for each in kept] or document["text"].split("\n")
        self._lines("+", "green", shown, self._limit_kept)
        for verdict, dropped in _by_verdict(sentences).items():
            self._console.print(
                Text(
                    f"  went: {counted(len(dropped), 'sentence')}, {_WHY.get(verdict, verdict)}",
                    style="dim",
                )
            )
            self._lines("-", "red", map(_explained, dropped), self._limit_dropped)
        share = stats["sentences_kept"] / max(1, stats["sentences"])
        counts = (f"{stats['sentences']}", f"{share:.0%}", f"{len(document['text']):,}")
        self._rows.append((_name(answer.url), "document", f"{answer.page_bytes:,}", *counts))

    def _heading(self, answer: Answer, title: str) -> None:
        self._console.print()
        heading = Text(_name(answer.url), style="bold")
        if title:
            heading.append(f"  {_one_line(title)}", style="cyan")
        self._console.print(heading, overflow="ellipsis", no_wrap=True)

    def _lines(self, mark: str, style: str, texts: Iterable[str], limit: int) -> None:
        all_texts = [text for text in texts if text.strip()]
        for text in all_texts[:limit]:
            line = Text(f"  {mark} ", style=style)
            line.append(_one_line(text), style="")
            self._console.print(line, overflow="ellipsis", no_wrap=True)
        if len(all_texts) > limit:
            self._console.print(Text(f"  {mark} ... {len(all_texts) - limit} more", style="dim"))


def _by_verdict(sentences: Iterable[dict[str, Any]]) -> dict[Verdict, list[dict[str, Any]]]:
    dropped: dict[Verdict, list[dict[str, Any]]] = defaultdict(list)
    for sentence in sentences:
        if sentence["verdict"] != Verdict.KEPT:
            dropped[Verdict(sentence["verdict"])].append(sentence)
    return dropped


def _explained(sentence: dict[str, Any]) -> str:
    return f"[{sentence['perplexity']:.0f}] {sentence['text']}"


def _name(url: str) -> str:
    return _one_line(unquote(urlsplit(url).path.rsplit("/", 1)[-1]) or url)


def _one_line(text: str) -> str:
    return " ".join(text.split()).translate(_CONTROLS)
