"""Batches of pages: what is held of them at a time, and that each is cleaned as if alone."""

import gc
from collections.abc import Sequence

import pytest

from winnow.models._kernel import Blocks, JudgedPage, Reader, Rule
from winnow.models.cleaner import PART_CHARS, Cleaner, _Read
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.options import CleanerOptions
from winnow.models.page import read

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."


def a_page(text: str, url: str = "https://sample.invalid/page") -> Page:
    return Page(url, f"<div>{PROSE}</div><div>{text}</div>".encode())


class CountingModels(LanguageModels):
    """Counts the characters of the pages that it judges at a time."""

    def __init__(self, models: list[NgramModel]) -> None:
        super().__init__(models)
        self.chars: list[int] = []

    def judge(
        self,
        rule: Rule,
        pages: Sequence[Blocks],
        *,
        scores_dropped: bool = False,
        ceiling: Ceiling | None = None,
    ) -> list[JudgedPage]:
        self.chars.append(sum(page.chars for page in pages))
        return super().judge(rule, pages, scores_dropped=scores_dropped, ceiling=ceiling)


def test_what_is_held_of_a_batch_does_not_grow_with_its_pages(english: NgramModel) -> None:
    models = CountingModels([english])
    cleaner = Cleaner(CleanerOptions(seen=2), models, site_key=bytes(16))
    refused = Page("https://sample.invalid/", b"")
    pages = [a_page(PROSE * (size % 7) * 400, f"u://{size}") for size in range(40)]
    pages[3:3] = pages[30:30] = [refused]

    cleaned = cleaner.clean_batch(pages)

    assert sum(models.chars) > 3 * PART_CHARS
    assert max(models.chars) < PART_CHARS + max(len(page.body) for page in pages)
    by_itself = Cleaner(CleanerOptions(seen=2), english, site_key=bytes(16))
    one_by_one = [by_itself.clean_batch([page])[0] for page in pages]
    places = [place for place, page in enumerate(pages) if page is refused]
    assert all(isinstance(cleaned.pop(place), InvalidPage) for place in reversed(places))
    assert cleaned == [each for each in one_by_one if isinstance(each, Document)]


def test_blocks_of_a_part_are_freed_before_more_pages_are_parsed(
    english: NgramModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def alive() -> int:
        return sum(isinstance(each, _Read) for each in gc.get_objects())

    def read_and_count(reader: Reader, page: Page) -> Blocks:
        held.append(alive() - of_others)
        return read(reader, page)

    held: list[int] = []
    of_others = alive()
    monkeypatch.setattr("winnow.models.cleaner.read", read_and_count)
    full, short = a_page(PROSE * (PART_CHARS // len(PROSE) + 1)), a_page(PROSE)

    Cleaner(CleanerOptions(), english).clean_batch([short, full, full, short, short])

    assert held == [0, 1, 0, 0, 1]


def test_a_batch_of_no_pages_gives_nothing(english: NgramModel) -> None:
    assert Cleaner(CleanerOptions(), english).clean_batch([]) == []
