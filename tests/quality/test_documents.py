"""The statements of docs/evaluation.md about documents hold on development pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models import Cleaner, Page
from winnow.models._kernel.lab import hybrid_roles
from winnow.models.explanation import Explanation
from winnow.models.page import blocks_of

SETS = ("dragnet", "daniel", "page-signal", "turing", "fundus", "fundus-eval", "postlight", "wcxb")
TITLE, BYLINE = 1, 2
TEXT_WORDS = 8
_VIEWPORT = re.compile(rb"<meta name=.viewport. content=", re.IGNORECASE)


def pages(shared: Path) -> Iterator[Page]:
    """Yield up to 60 pages of each group of each set."""
    for name in SETS:
        source = shared / "pages" / f"{name}.tar.zst"
        for task in tasks(source, gold_set_of(source), Selection(limit=60)):
            yield task.page


def articles(shared: Path) -> Iterator[tuple[Page, Explanation, bytes, int]]:
    """Yield pages that are held for articles, the roles of their blocks, and where text begins."""
    cleaner = Cleaner()
    for page in pages(shared):
        explanation = cleaner.explain(page)
        roles = hybrid_roles(blocks_of(page, wanted="every"))
        first = next(
            (
                each.block.order
                for each in explanation.blocks
                if each.kept and not roles[each.block.order] and is_text(each.block.text)
            ),
            None,
        )
        if explanation.page_types.get("article", 0.0) >= 0.5 and first is not None:
            yield page, explanation, roles, first


def is_text(text: str) -> bool:
    return len(text.split()) >= TEXT_WORDS


@pytest.mark.quality
@pytest.mark.timeout(300)
def test_articles_made_for_phones_have_no_headline_or_byline_above_their_text(
    shared: Path,
) -> None:
    count, exceptions = 0, []
    for page, explanation, roles, first in articles(shared):
        if _VIEWPORT.search(page.body):
            count += 1
            above = [each.block.order for each in explanation.blocks[:first] if each.kept]
            if {roles[order] for order in above} & {TITLE, BYLINE}:
                exceptions.append(page.url)

    # other words say here where the text begins
    assert len(exceptions) <= 0.02 * count, exceptions
    assert count >= 100, count


@pytest.mark.quality
@pytest.mark.timeout(300)
def test_standfirsts_that_repeat_the_description_are_kept(shared: Path) -> None:
    found = kept = 0
    for _, explanation, roles, first in articles(shared):
        wanted = beginning(explanation.document.description)
        for each in explanation.blocks[: first + 2]:
            is_other = roles[each.block.order] == 0 and is_text(each.block.text)
            if wanted and is_other and beginning(each.block.text) == wanted:
                found += 1
                kept += bool(each.kept)

    assert found >= 50, found
    assert kept >= 0.85 * found, (kept, found)


def beginning(text: str) -> str:
    return " ".join(text.lower().split())[:60]
