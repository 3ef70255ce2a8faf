from pathlib import Path

from winnow.lab.downstream.cleaning import CUT_OFFS, at_cut_offs, by_engine, tool_texts
from winnow.lab.sets.gold import GoldPage
from winnow.lab.sets.tasks import Task
from winnow.models.document import Page
from winnow.models.ngram import NgramModel

MARKUP = b"<p>The bees of the city fly to the flowers.<p>Zxqw vbnm plokij qazwsx"
PAGE = Task(
    Page("", MARKUP), GoldPage("s/1", "s", "The bees of the city fly to the flowers."), "1", "a"
)


def test_a_higher_cut_off_keeps_more() -> None:
    found = at_cut_offs(NgramModel.shipped(), PAGE)

    assert len(found) == len(CUT_OFFS)
    assert max(found) == 1.0


def test_a_page_that_is_refused_counts_as_empty() -> None:
    refused = Task(Page("", b"%PDF-1.7"), GoldPage("s/1", "s", "text"), "1", "a")

    assert at_cut_offs(NgramModel.shipped(), refused) == [0.0] * len(CUT_OFFS)


def test_a_page_without_a_line_counts_as_empty(tmp_path: Path) -> None:
    outputs = tmp_path / "tool.jsonl"
    outputs.write_text('{"page": "2", "text": "of another"}\n')

    assert tool_texts(outputs, [PAGE]) == [""]


def test_tools_are_listed_with_engines(tmp_path: Path) -> None:
    outputs = tmp_path / "tool.jsonl"
    outputs.write_text('{"page": "1", "text": "The bees of the city fly to the flowers."}\n')

    rows = dict(by_engine([PAGE], {"tool": outputs}).rows)

    assert rows["tool"] == ("1.0000", "1.0000 to 1.0000", "1.0000", "0")
    assert "hybrid" in rows
