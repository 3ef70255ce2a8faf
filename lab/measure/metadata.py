r"""Title, author and date of labelled pages: Winnow compared with trafilatura and htmldate.

    python -m winnow.lab.measure.metadata ../shared/pages/wcxb.tar.zst \
        ../shared/pages/wcxb-metadata.json --peers PYTHON [--half judging|making]

`PYTHON` is the interpreter of an environment made from `lab/measure/peers/peers.txt`. Sites are
split in two halves: the rules were written with pages of one half, the other half judges them.

Recall is right values over values in the gold; precision is right values over values given,
including values for pages without gold. A title is right if it is equal except for case, white
space and the shape of quotes and dashes. A date is right if the day is right. Authors are compared
as sets of names: split at `,` `;` `/` `|` `&` and `and`, without `by`, letter case, accents,
punctuation and academic titles (`MD`, `PhD`). CPU is in bare lexbor parses of the same pages.
"""

import argparse
import json
import re
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from time import thread_time
from typing import IO, Any, Final

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.peers.pages import decoded
from winnow.lab.sets.labelled import json_object
from winnow.lab.sets.parts import fold_of
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.models.document import Page
from winnow.models.engines.hybrid import HybridModel
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of, decode

FIELDS: Final = ("title", "author", "date")
_WORKER: Final = Path(__file__).with_name("peers") / "metadata.py"
_NAMES_END: Final = re.compile(r"[,;/|&\n]|\band\b|\bund\b|\bet\b", re.IGNORECASE)
_LETTERS: Final = re.compile(r"(?:M\.?D|Ph\.?D|[MBR]\.?[ANSD]|[A-Z]{2,5}(?:-[A-Z]{1,4})?)\.?")
_SHAPES: Final = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u2011\u2010", "''\"\"----")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


class Half(StrEnum):
    """Which half of the sites."""

    MAKING = "making"
    JUDGING = "judging"


@dataclass(frozen=True, slots=True)
class Found:
    """A tool's result for one page and its cost; `parse_s` is the cost of a bare parse."""

    values: Mapping[str, str]
    cpu_s: float
    parse_s: float


NOTHING: Final = Found({}, 0.0, 0.0)


@dataclass(slots=True)
class Count:
    """Counts of wanted, given and right values of a field."""

    wanted: int = 0
    given: int = 0
    right: int = 0

    def add(self, field: str, wanted: str, given: str) -> None:
        """Count one page."""
        self.wanted += bool(wanted)
        self.given += bool(given)
        self.right += is_right(field, wanted, given)

    @property
    def recall(self) -> float:
        """Right over wanted."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def precision(self) -> float:
        """Right over given."""
        return self.right / self.given if self.given else 0.0


def is_right(field: str, wanted: str, given: str) -> bool:
    """Whether a value equals the gold value."""
    if not wanted or not given:
        return False
    match field:
        case "title":
            return plain_title(wanted) == plain_title(given)
        case "author":
            return names_of(wanted) == names_of(given)
        case _:
            return day_of(wanted) == day_of(given)


def plain_title(title: str) -> str:
    """Return a title without typographic variants."""
    folded = unicodedata.normalize("NFKC", title).translate(_SHAPES).casefold()
    return " ".join(folded.split())


def names_of(authors: str) -> frozenset[str]:
    """Return the names in a list of authors; the list itself if there are none."""
    parts = (part.strip() for part in _NAMES_END.split(authors))
    plain = {_plain_name(part) for part in parts if not _LETTERS.fullmatch(part)}
    return frozenset(plain - {""}) or frozenset({_plain_name(authors)})


def _plain_name(name: str) -> str:
    spread = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(
        character if character.isalnum() else " "
        for character in spread
        if not unicodedata.combining(character)
    )
    return " ".join(letters.split()).removeprefix("by ")


def day_of(date: str) -> str:
    """Return the day of an RFC 3339 date."""
    found = _DAY.match(date)
    return found[0] if found else date


def half_of(site: str) -> Half:
    """Return the half that a site belongs to."""
    return Half.JUDGING if fold_of(site, 2) else Half.MAKING


def winnow(page: Page, model: HybridModel) -> dict[str, Found]:
    """Return the metadata of the cleaner, and the CPU for finding them.

    Twice: with the page type of the default engine, and without it, like the other engines. Types
    were trained on pages of this set, so only the second row is independent of training.

    Raises:
        InvalidPage: the page is refused.
    """
    blocks = blocks_of(page, wanted="every")
    markup = decode(page).markup
    started = thread_time()
    LexborHTMLParser(markup)
    parse_s = thread_time() - started
    (judgement,) = model.judge([blocks])
    found = {}
    for name, page_type in (("winnow", judgement.page_type), ("winnow, type unknown", "")):
        started = thread_time()
        metadata = blocks.metadata(page.url, page_type)
        cpu_s = thread_time() - started
        values = {
            "title": metadata.title,
            "author": metadata.author,
            "date": metadata.published_at,
        }
        found[name] = Found(values, cpu_s, parse_s)
    return found


class Peers:
    """The other tools, in a separate process."""

    def __init__(self, python: Path) -> None:
        """Start the process."""
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter that was asked for
            [str(python), str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def find(self, page: Page) -> dict[str, dict[str, Any]]:
        """Return the metadata that each tool finds on a page.

        Raises:
            SystemExit: the process has ended, because its environment lacks a tool.
        """
        request = {"html": decoded(page), "url": page.url}
        try:
            _open(self._process.stdin).write(json.dumps(request).encode() + b"\n")
            _open(self._process.stdin).flush()
            line = _open(self._process.stdout).readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise SystemExit("the other tools do not run: install lab/measure/peers/peers.txt")
        found: dict[str, dict[str, Any]] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def table(
    pages: Iterable[Task],
    gold: Mapping[str, Mapping[str, str | None]],
    model: HybridModel,
    peers: Peers | None,
) -> dict[str, tuple[dict[str, Count], float]]:
    """Return the counts of each tool by field, and its CPU in parses."""
    counts: dict[str, dict[str, Count]] = {}
    cpu_s: dict[str, float] = {}
    parses_s = 0.0
    for task in pages:
        wanted = _wanted(gold.get(task.in_set, {}))
        try:
            found = winnow(task.page, model)
        except InvalidPage:
            found = {"winnow": NOTHING, "winnow, type unknown": NOTHING}
        parses_s += found["winnow"].parse_s
        if peers:
            for name, answer in peers.find(task.page).items():
                found[name] = Found(answer, answer["cpu_ms"] / 1000, 0.0)
        for name, each in found.items():
            own = counts.setdefault(name, {field: Count() for field in FIELDS})
            cpu_s[name] = cpu_s.get(name, 0.0) + each.cpu_s
            for field in FIELDS:
                own[field].add(field, wanted[field], each.values.get(field) or "")
    return {name: (counts[name], cpu_s[name] / (parses_s or 1.0)) for name in counts}


def _wanted(gold: Mapping[str, str | None]) -> dict[str, str]:
    named = {"title": "title", "author": "author", "date": "publish_date"}
    return {field: gold.get(name) or "" for field, name in named.items()}


def lines(rows: Mapping[str, tuple[Mapping[str, Count], float]]) -> Iterator[str]:
    """Yield the table as Markdown."""
    yield "| tool | title exact | author recall | precision | date recall | precision | parses |"
    yield "|---|---|---|---|---|---|---|"
    for name, (counts, cost) in rows.items():
        title, author, date = (counts[field] for field in FIELDS)
        figures = (title.recall, author.recall, author.precision, date.recall, date.precision)
        yield f"| {name} | {' | '.join(f'{figure:.3f}' for figure in figures)} | {cost:.2f} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of one half, or of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--peers", type=Path, help="Python of the other tools' environment")
    parser.add_argument("--half", type=Half, choices=list(Half), default=None)
    asked = parser.parse_args(arguments)
    gold = json_object(str(asked.gold), asked.gold.read_bytes())
    model = HybridModel.load()
    peers = Peers(asked.peers) if asked.peers else None
    for half in [asked.half] if asked.half else list(Half):
        found = tasks(asked.pages, gold_set_of(asked.pages), Selection())
        chosen = [task for task in found if half_of(task.site) is half]
        print(f"\n{half}: {len(chosen)} pages of {len({task.site for task in chosen})} sites\n")
        print("\n".join(lines(table(chosen, gold, model, peers))), flush=True)
    if peers:
        peers.close()


if __name__ == "__main__":
    main()
