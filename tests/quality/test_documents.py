"""Each row of the table "What a document holds" in docs/evaluation.md is true on 500 pages."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from winnow.lab.measure.choice import Choice
from winnow.lab.measure.faults import Fault, are_dangling, faults_of, is_cut
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models import Cleaner, Page
from winnow.models._kernel.lab import hybrid_roles
from winnow.models.document import Verdict
from winnow.models.explanation import Explanation, UnitKind
from winnow.models.page import blocks_of

ROOT: Final = Path(__file__).resolve().parents[2]
SETS: Final = (
    *("dragnet", "daniel", "page-signal", "turing", "fundus"),
    *("postlight", "wcxb", "harvest", "recipes", "cleaneval"),
)
PAGES: Final = 50
TITLE, BYLINE, CAPTION = 1, 2, 3
TEXT_WORDS: Final = 8
FEW_CHARS: Final = 1000
_VIEWPORT: Final = re.compile(rb"<meta name=.viewport. content=", re.IGNORECASE)


class Held(NamedTuple):
    """A page, the role of each block, and what of it is kept."""

    page: Page
    explanation: Explanation
    roles: bytes
    choice: Choice

    def is_of(self, page_type: str) -> bool:
        return self.explanation.page_types.get(page_type, 0.0) >= 0.5

    def above(self) -> int:
        """Return the block with which the text begins."""
        blocks = self.explanation.blocks
        texts = (
            each.block.order
            for each in blocks
            if each.kept and not self.roles[each.block.order] and is_text(each.block.text)
        )
        return next(texts, 0)


def is_text(text: str) -> bool:
    return len(text.split()) >= TEXT_WORDS


def above_text(held: Held, role: int) -> Iterator[bool]:
    """Yield whether an article with a viewport has no kept block of a role above its text."""
    if held.is_of("article") and _VIEWPORT.search(held.page.body) and held.above():
        above = held.explanation.blocks[: held.above()]
        yield not any(each.kept and held.roles[each.block.order] == role for each in above)


def captions(held: Held) -> Iterator[bool]:
    """Yield whether a caption that the engine decides is kept by the threshold of the page."""
    threshold = held.explanation.document.threshold
    for each in held.explanation.blocks:
        is_caption = held.roles[each.block.order] == CAPTION and each.sentences
        if is_caption and each.decider == "engine" and each.probability is not None:
            yield bool(each.kept) == (each.probability >= threshold)


def standfirsts(held: Held) -> Iterator[bool]:
    """Yield whether text of the beginning that repeats the description is kept."""
    wanted = beginning(held.explanation.document.description)
    if wanted and held.is_of("article"):
        for each in held.explanation.blocks[: held.above() + 2]:
            is_other = held.roles[each.block.order] == 0 and is_text(each.block.text)
            if is_other and beginning(each.block.text) == wanted:
                yield bool(each.kept)


def beginning(text: str) -> str:
    return " ".join(text.lower().split())[:60]


def has_none(held: Held, *faults: Fault) -> Iterator[bool]:
    yield not set(faults) & set(faults_of(held.choice))


def units(held: Held, kind: UnitKind, is_broken: Callable[..., bool]) -> Iterator[bool]:
    """Yield whether each unit of a kind is whole."""
    for unit in held.explanation.units:
        if unit.kind is kind:
            yield not is_broken(held.choice, unit)


def comments(held: Held) -> Iterator[bool]:
    """Yield whether readers' comments are kept on a forum, and dropped under an article."""
    dropped = [each for each in held.explanation.blocks if each.verdict is Verdict.COMMENT]
    if held.is_of("forum"):
        # names and buttons of posts are dropped as comments too
        words = sum(len(each.block.text.split()) for each in dropped)
        yield words <= 0.2 * len(held.explanation.document.text.split())
    elif dropped and held.is_of("article"):
        yield not any(each.kept for each in dropped)


def data_text(held: Held) -> Iterator[bool]:
    """Yield whether text from data is taken only where the page shows little."""
    shown = blocks_of(held.page).chars
    yield held.explanation.document.text_source == "page" or shown < FEW_CHARS


class Row(NamedTuple):
    """What a row of the table says of a page, and the share of cases in which it holds."""

    says: Callable[[Held], Iterator[bool]]
    share: float


ROWS: Final = {
    "title": Row(lambda held: above_text(held, TITLE), 0.98),
    "author, date": Row(lambda held: above_text(held, BYLINE), 0.98),
    "captions": Row(captions, 0.98),
    "standfirst": Row(standfirsts, 0.8),
    "headings, lists": Row(
        lambda held: has_none(held, Fault.LIST, Fault.SERIES, Fault.HEADING), 0.9
    ),
    "data tables": Row(lambda held: units(held, UnitKind.TABLE, is_cut), 0.98),
    "footnotes, references": Row(lambda held: units(held, UnitKind.NOTES, are_dangling), 0.95),
    "readers' comments": Row(comments, 0.95),
    "menus, teasers, notices": Row(
        lambda held: has_none(held, Fault.PROMOTION, Fault.CONSENT, Fault.PLACEHOLDER), 0.98
    ),
    "text that only data of the page holds (`articleBody`, Next.js, Nuxt)": Row(data_text, 1.0),
}


@pytest.fixture(scope="module")
def held_pages(shared: Path) -> list[Held]:
    """Return 500 explained pages, as many of each set."""
    cleaner = Cleaner()
    found = []
    for name in SETS:
        source = shared / "pages" / f"{name}.tar.zst"
        some = islice(tasks(source, gold_set_of(source), Selection(limit=PAGES)), PAGES)
        for page in (task.page for task in some):
            explanation = cleaner.explain(page)
            kept = tuple(each.kept > 0 for each in explanation.blocks)
            roles = hybrid_roles(blocks_of(page, wanted="every"))
            found.append(Held(page, explanation, roles, Choice(explanation, kept)))
    return found


def test_the_table_has_the_rows_that_are_tested() -> None:
    section = (ROOT / "docs/evaluation.md").read_text().split("## What a document holds")[1]
    lines = section.split("\n## ")[0].splitlines()
    rows = [line.split(" | ")[0].strip("| ") for line in lines if line.startswith("| ")]

    assert [row for row in rows if row] == list(ROWS)


@pytest.mark.quality
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_the_table_is_true(held_pages: list[Held], name: str) -> None:
    assert len(held_pages) == len(SETS) * PAGES
    row = ROWS[name]

    cases = [(holds, held.page.url) for held in held_pages for holds in row.says(held)]

    exceptions = [url for holds, url in cases if not holds]
    assert len(cases) >= 10, cases
    assert len(exceptions) <= (1 - row.share) * len(cases), (len(cases), exceptions)
