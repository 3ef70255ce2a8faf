"""F1 before and after mends, and the pages that all tools fail on."""

import pytest

from winnow.lab.measure.mended import PageFigures, changes, figures, hardest
from winnow.lab.measure.outputs import Output
from winnow.lab.sets.gold import GoldPage
from winnow.lab.sets.patches import Patch, Patches, sha256
from winnow.lab.sets.tasks import Task
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason

BODY = b"<p>Bees find more flowers in the city.</p><p>Nobody has counted them before.</p>"
GOLD = "Bees find more flowers in the city."
MENDED = f"{GOLD}\nNobody has counted them before."


class Echo:
    """An engine that gives the same text for every page."""

    def __init__(self, text: str) -> None:
        self._text = text

    def clean_text(self, _: Page) -> str:
        return self._text


class Refuse:
    """An engine that takes no page."""

    def clean_text(self, _: Page) -> str:
        raise InvalidPage(Reason.EMPTY)


def a_task(in_set: str) -> Task:
    wanted = GoldPage(page_id=f"mine/{in_set}", group="mine", text=GOLD)
    return Task(page=Page("", BODY, "text/html"), wanted=wanted, in_set=in_set, site=in_set)


def a_patch(page_id: str) -> Patch:
    return Patch(
        set_name="mine",
        page_id=page_id,
        page=sha256(BODY),
        gold=sha256(GOLD),
        result=sha256(MENDED),
        reason="a paragraph is missing",
        content=(1,),
    )


def test_a_mended_page_has_figures_before_and_after() -> None:
    outputs = {"other": {"1": Output(GOLD)}}

    (page,) = figures([a_task("1")], Echo(MENDED), outputs, Patches([a_patch("1")]))

    assert page.before == {"hybrid": pytest.approx(14 / 19), "other": 1.0}
    assert page.after == {"hybrid": 1.0, "other": pytest.approx(14 / 19)}


def test_a_page_without_a_patch_has_none_after() -> None:
    (page,) = figures([a_task("2")], Echo(GOLD), {}, Patches([a_patch("1")]))

    assert page.after == {}


def test_pages_without_text_count_as_empty() -> None:
    (page,) = figures([a_task("1")], Refuse(), {"other": {}}, Patches([]))

    assert page.before == {"hybrid": 0.0, "other": 0.0}


def test_the_hardest_pages_are_those_on_which_the_best_is_worst() -> None:
    easy = PageFigures("mine/easy", {"hybrid": 0.1, "other": 0.9}, {})
    hard = PageFigures("mine/hard", {"hybrid": 0.3, "other": 0.2}, {})

    assert hardest([easy, hard], 1) == [hard]


def test_changes_are_means_over_mended_pages_the_best_first() -> None:
    pages = [
        PageFigures("mine/1", {"a": 0.2, "b": 0.6}, {"a": 0.4, "b": 0.5}),
        PageFigures("mine/2", {"a": 0.4, "b": 0.8}, {"a": 0.4, "b": 1.0}),
        PageFigures("mine/3", {"a": 1.0, "b": 1.0}, {}),
    ]

    first, second = changes(pages)

    assert (first.name, first.risen, first.fallen) == ("b", 1, 1)
    assert (second.name, second.risen, second.fallen) == ("a", 1, 0)
    assert (second.before, second.after) == pytest.approx((0.3, 0.4))


def test_changes_of_no_mended_page_are_refused() -> None:
    with pytest.raises(ValueError, match="no page is corrected"):
        changes([PageFigures("mine/1", {"a": 1.0}, {})])
