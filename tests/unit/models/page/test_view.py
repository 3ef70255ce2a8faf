"""A page as it may be shown in a frame, at a bounded cost."""

import time
from contextlib import suppress

import pytest

from tests.hostile_pages import HOSTILE
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page.view import MOST_NODES, view_of

# Seconds of CPU time a megabyte of markup takes at most: real pages take a hundredth of it.
MOST_CPU_S: float = 1.0


@pytest.mark.parametrize("name", HOSTILE)
def test_a_view_of_a_hostile_page_takes_no_long_time(name: str) -> None:
    started = time.process_time()
    with suppress(InvalidPage):
        view_of(Page("", HOSTILE[name], "text/html"))

    assert time.process_time() - started < MOST_CPU_S


def test_a_view_draws_a_page_with_its_options() -> None:
    page = Page("", b"<select><option>one<option selected>two</select>", "text/html")

    assert b"<option>one</option><option selected" in view_of(page)


@pytest.mark.parametrize(
    ("paragraphs", "is_drawn"), [(MOST_NODES // 2 - 10, True), (MOST_NODES, False)]
)
def test_a_page_of_too_many_elements_is_shown_as_text(paragraphs: int, *, is_drawn: bool) -> None:
    page = Page("", b"<b>x</b>" + b"<p>a" * paragraphs, "text/html")

    view = view_of(page)

    assert (b"<b>x</b>" in view) is is_drawn
    assert (b"&lt;b>x&lt;/b>" in view) is not is_drawn
