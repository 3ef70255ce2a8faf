"""Pages emptied of all that they show."""

import json

from winnow.lab.measure.data_text import Both, emptied, rows
from winnow.models.document import Page

TEXT = "The bees of the city find more flowers than the bees in the fields around it. " * 4
SCRIPT = f"<script type=application/ld+json>{json.dumps({'articleBody': TEXT})}</script>"
HEAD = "<head><title>Bees</title></head>"


def a_page(markup: str) -> Page:
    return Page("https://sample.invalid/bees", markup.encode(), "text/html")


def test_an_emptied_page_has_only_its_head_and_scripts() -> None:
    page = emptied(a_page(f"{HEAD}<body><p>Shown</p>{SCRIPT}</body>"))

    assert page is not None
    assert b"Shown" not in page.body
    assert b"<title>Bees</title>" in page.body
    assert b"articleBody" in page.body


def test_pages_without_text_in_their_data_are_not_emptied() -> None:
    assert emptied(a_page(f"{HEAD}<body><p>{TEXT}</p></body>")) is None
    assert emptied(a_page("")) is None


def test_an_emptied_page_gains_the_text_of_its_data() -> None:
    page = emptied(a_page(f"{HEAD}<body><p>Shown</p>{SCRIPT}</body>"))
    both = Both("perplexity")

    assert page is not None
    assert both.source(page) == "json-ld:articleBody"
    assert both.scores(page, TEXT) == (0.0, 1.0)


def test_a_row_counts_what_became_better_and_worse() -> None:
    found = {"set": [(0.0, 0.5), (0.5, 0.25), (0.5, 0.5)]}

    assert list(rows(found)) == ["| set | 3 | 0.333 | 0.417 | 1 | 1 |"]
