"""Show the demo's answers: kept text, dropped text with reasons, and a table."""

import errno
import os
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from winnow.models.document import Verdict
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.run import Summary
from winnow.worker.terminal import counted, one_line

SHOWN_KEPT: Final = 6
SHOWN_DROPPED: Final = 4
_WHY: Final = {
    Verdict.PERPLEXITY: "perplexity above the threshold",
    Verdict.BOILERPLATE: "boilerplate of the page",
    Verdict.COMMENT: "readers' comments",
    Verdict.SEEN: "seen on many pages of the site",
}
# members of a document that are not metadata
_NO_METADATA: Final = frozenset(
    {"schema_version", "url_hash", "text", "blocks", "sentences", "threshold", "fetched_at"}
    | {"content_digest", "engine_digest", "model_digest", "text_digest", "simhash", "wishes"}
    | {"page_type_probability", "text_source"}
)
_NEXT: Final = """
Next:
  winnow demo PATH...                   the same with your pages (--full)
  winnow clean PATH... -o DIR           clean files without a broker
  winnow clean PAGE --format markdown   one page, on the terminal
  winnow inspect                        why blocks are dropped, in a browser
  winnow worker --help                  the service for your own Kafka
"""


class DemoConsole(Console):
    """Raises `BrokenPipeError` when the reader has closed the pipe.

    Another console would raise `SystemExit`, which ends the event loop but not its worker.
    """

    def on_broken_pipe(self) -> None:
        """Raise it again."""
        self.quiet = True
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


class View:
    """Prints answers as they arrive, and keeps a row of each for the table.

    The first document is shown in full, with the metadata of the page.
    """

    def __init__(self, console: Console, *, full: bool) -> None:
        """Print to `console`; with `full`, print everything."""
        self._console = console
        self._all_in_full = full
        self._documents = 0
        self._rows: list[tuple[str, ...]] = []

    def answer(self, answer: Answer) -> None:
        """Print one answer."""
        if answer.dead is not None:
            self._dead(answer, answer.dead)
        elif answer.document is not None and answer.stats is not None:
            self._document(answer, answer.document, answer.stats)
        else:
            self._without_page(answer)

    def summary(self, summary: Summary) -> None:
        """Print the table of all answers, the totals, and what to try next."""
        table = Table(title="Winnowed", title_style="bold", title_justify="left")
        for name in ("page", "result", "bytes", "sentences", "kept", "characters"):
            table.add_column(name, justify="left" if name in {"page", "result"} else "right")
        for row in self._rows:
            table.add_row(*map(escape, row))
        self._console.print()
        self._console.print(table)
        self._console.print(
            f"{counted(summary.pages, 'page')} = {counted(summary.documents, 'document')} + "
            f"{summary.deleted} deleted + {summary.skipped} skipped + "
            f"{counted(summary.dead, 'dead letter')} "
            f"in {summary.seconds:.1f} s; {summary.sentences_kept} of {summary.sentences} "
            "sentences kept",
            highlight=False,
        )
        self._console.print(Text(_NEXT.rstrip()), no_wrap=True, overflow="ellipsis")

    def _dead(self, answer: Answer, dead: dict[str, Any]) -> None:
        self._heading(answer, "")
        detail = f": {_one_line(dead['detail'])}" if dead.get("detail") else ""
        self._console.print(
            Text(f"  dead letter, {dead['reason']} ({dead['stage']}){detail}", style="red")
        )
        row = (_name(answer.url), f"dead: {dead['reason']}", f"{answer.page_bytes:,}", "", "", "")
        self._rows.append(row)

    def _without_page(self, answer: Answer) -> None:
        self._heading(answer, "")
        outcome = "deleted" if answer.is_deleted else "skipped"
        self._console.print(Text(f"  {outcome}, by its status", style="yellow"))
        self._rows.append((_name(answer.url), outcome, f"{answer.page_bytes:,}", "", "", ""))

    def _document(self, answer: Answer, document: dict[str, Any], stats: dict[str, Any]) -> None:
        in_full = self._all_in_full or not self._documents
        self._documents += 1
        self._heading(answer, document["title"])
        if in_full:
            self._metadata(document, stats)
        sentences: list[dict[str, Any]] = document.get("sentences", [])
        kept = [each for each in sentences if each["verdict"] == Verdict.KEPT]
        shown = [each["text"] for each in kept] or document["text"].split("\n")
        self._lines("+", "green", shown, None if in_full else SHOWN_KEPT)
        for verdict, (what, dropped) in _dropped(document).items():
            why = _WHY.get(verdict, verdict)
            count = counted(len(dropped), what)
            self._console.print(Text(f"  dropped: {count}, {why}{_legend(document, what)}", "dim"))
            self._lines("-", "red", dropped, None if in_full else SHOWN_DROPPED)
        share = stats["sentences_kept"] / max(1, stats["sentences"])
        counts = (f"{stats['sentences']}", f"{share:.0%}", f"{len(document['text']):,}")
        self._rows.append((_name(answer.url), "document", f"{answer.page_bytes:,}", *counts))

    def _metadata(self, document: dict[str, Any], stats: dict[str, Any]) -> None:
        """Print the metadata in the document and its statistics, one line each."""
        first = {"url": "", "title": "", "page_type": stats.get("page_type", "")}
        known = first | document
        for name, value in known.items():
            if value not in ("", None, [], {}) and name not in _NO_METADATA:
                shown = _shown(value)
                line = Text(f"  {name.replace('_', ' '):<14} ", style="dim")
                line.append(_one_line(shown), style="")
                self._console.print(line, overflow="ellipsis", no_wrap=True)

    def _heading(self, answer: Answer, title: str) -> None:
        self._console.print()
        heading = Text(_name(answer.url), style="bold")
        if title:
            heading.append(f"  {_one_line(title)}", style="cyan")
        self._console.print(heading, overflow="ellipsis", no_wrap=True)

    def _lines(self, mark: str, style: str, texts: Iterable[str], limit: int | None) -> None:
        """Print texts, each cut to one line; without a limit print all of them, wrapped."""
        all_texts = [text for text in texts if text.strip()]
        is_cut = limit is not None
        for text in all_texts[:limit]:
            line = Table.grid()
            line.add_row(Text(f"  {mark} ", style=style), _text(text, is_cut=is_cut))
            self._console.print(line)
        if limit is not None and len(all_texts) > limit:
            self._console.print(Text(f"  {mark} ... {len(all_texts) - limit} more", style="dim"))


def _text(text: str, *, is_cut: bool) -> Text:
    return Text(_one_line(text), no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")


def _dropped(document: dict[str, Any]) -> dict[Verdict, tuple[str, list[str]]]:
    """Return the judged sentences or blocks by verdict, each with its figure."""
    sentences = [each for each in document.get("sentences", []) if each["verdict"] != Verdict.KEPT]
    by_verdict: dict[Verdict, dict[int, str]] = defaultdict(dict)
    judges_sentences = document.get("engine") == "perplexity"
    for index, sentence in enumerate(sentences):
        texts = by_verdict[Verdict(sentence["verdict"])]
        if judges_sentences:
            texts[index] = f"[{sentence['perplexity']:.0f}] {sentence['text']}"
        elif sentence["block"] in texts:
            texts[sentence["block"]] += f" {sentence['text']}"
        else:
            likely = document["blocks"][sentence["block"]].get("probability")
            figure = "" if likely is None else f"[{likely:.2f}] "
            texts[sentence["block"]] = f"{figure}{sentence['text']}"
    what = "sentence" if judges_sentences else "block"
    return {why: (what, list(texts.values())) for why, texts in by_verdict.items()}


def _legend(document: dict[str, Any], what: str) -> str:
    """Return the meaning of the figures before the texts, and the threshold."""
    if what == "sentence":
        return f" ([perplexity], threshold {document['threshold']:.0f})"
    if any("probability" in block for block in document.get("blocks", [])):
        return f" ([probability], threshold {document['threshold']:.2f})"
    return ""


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _name(url: str) -> str:
    return _one_line(unquote(urlsplit(url).path.rsplit("/", 1)[-1]) or url)


def _one_line(text: str) -> str:
    return one_line(" ".join(text.split()))
