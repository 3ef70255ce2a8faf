"""Scores as they come: engines and other tools on the same pages."""

import pytest

from models.document import Page
from models.evaluation.scores import GoldPage
from worker.evaluation.engines import KeepEverything
from worker.evaluation.outputs import Output
from worker.evaluation.run import Evaluation
from worker.evaluation.tasks import Task


def a_task(page_id: str, text: str = "The grain stays.") -> Task:
    page = Page(f"http://site.example/{page_id}", f"<p>{text}</p>".encode())
    return Task(page, GoldPage(f"mine/{page_id}", "mine", text), page_id, "site.example")


def an_evaluation() -> Evaluation:
    return Evaluation({"everything": KeepEverything()})


def test_a_tool_with_the_name_of_an_engine_is_refused_before_it_mixes_with_it() -> None:
    evaluation = an_evaluation()

    with pytest.raises(ValueError, match="'everything' is an engine that runs here"):
        evaluation.add_set("mine", [a_task("1")], {"everything": {"1": Output("x")}}, print)

    assert evaluation.runs() == []


def test_pages_that_a_tool_says_nothing_of_count_as_empty_and_are_told() -> None:
    evaluation = an_evaluation()
    outputs = {"tool": {"1": Output("The grain stays.")}}

    evaluation.add_set("mine", [a_task("1"), a_task("2"), a_task("3")], outputs, lambda _: None)

    (tool,) = [run for run in evaluation.runs() if run.engine == "tool"]
    assert [score.is_empty for score in tool.scores] == [False, True, True]
    assert evaluation.failed == {"tool": 2}


def test_a_page_that_is_too_long_to_be_aligned_is_named() -> None:
    evaluation = an_evaluation()
    text = "x" * (1 << 20)

    with pytest.raises(ValueError, match=r"long: .* more than"):
        evaluation.add_set("mine", [a_task("long", f"{text} y")], {}, lambda _: None)
