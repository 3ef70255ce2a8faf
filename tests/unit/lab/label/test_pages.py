"""The pages to look at, and what gold text and engine say of their blocks."""

from pathlib import Path

import pytest

from winnow.lab.label.pages import worst_pages
from winnow.lab.sets.labelled import LabelledError

PARAGRAPH = "<p>The volunteers carried slates up the narrow stairs on every Saturday of the year."
LINKS = "<nav class=menu><a href=/login>Home Login</a></nav>"
OTHER = "<p>Nobody had expected that the roof of the old mill would be closed again by winter."
TEXT, OTHER_TEXT = PARAGRAPH.removeprefix("<p>"), OTHER.removeprefix("<p>")
PAGES = {
    # gold is another text than the page's, the text itself, and half of it
    "bad": (f"{LINKS}{PARAGRAPH}{OTHER}", "Nothing of that is here"),
    "good": (f"{LINKS}{PARAGRAPH}{OTHER}", f"{TEXT}\n{OTHER_TEXT}"),
    "half": (f"{LINKS}{PARAGRAPH}{OTHER}", TEXT),
    "none": ("", "no page at all"),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, (page, gold) in PAGES.items():
        for path, text in ((f"html/{name}.html", page), (f"gold/{name}.txt", gold)):
            (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "mine" / path).write_text(text)
    return tmp_path / "mine"


def test_the_worst_pages_come_first_and_no_more_than_asked(source: Path) -> None:
    assert [page.name for page in worst_pages([source], None, 2)] == ["mine/bad", "mine/half"]


def test_a_page_that_cannot_be_read_is_not_offered_for_marking(source: Path) -> None:
    assert len(worst_pages([source], None, 9)) == 3


def test_blocks_have_a_share_of_the_gold_text_and_a_verdict(source: Path) -> None:
    page = worst_pages([source], None, 2)[1]

    assert page.texts == ("Home Login", TEXT, OTHER_TEXT)
    assert sorted(page.shares) == [0.0, 0.0, 1.0]
    assert page.kept == (False, True, True)
    assert page.roles == ("other",) * 3
    assert 0 < page.f1 < 1


def test_an_unknown_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelledError):
        worst_pages([tmp_path], None, 1)
