"""Scores as they come: engines and other tools on the same pages."""

from itertools import count

import pytest

from winnow.lab.measure.engines import KeepEverything
from winnow.lab.measure.outputs import Output
from winnow.lab.measure.run import Evaluation
from winnow.lab.measure.scores import Costs
from winnow.lab.sets.gold import GoldPage
from winnow.lab.sets.tasks import Task
from winnow.models.document import Page


def a_task(page_id: str, text: str = "The grain stays.") -> Task:
    page = Page(f"http://site.example/{page_id}", f"<p>{text}</p>".encode())
    return Task(page, GoldPage(f"mine/{page_id}", "mine", text), page_id, "site.example")


def an_evaluation() -> Evaluation:
    return Evaluation({"everything": KeepEverything()})


def test_pages_without_a_result_of_a_tool_count_as_empty_and_are_reported() -> None:
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


def test_sets_are_listed_with_their_pages_and_digest() -> None:
    evaluation = an_evaluation()
    pages, reported = [a_task("1"), a_task("2")], list[Task]()

    for name, tasks in (("a", pages), ("b", pages), ("c", pages[:1])):
        evaluation.add_set(name, tasks, {}, reported.append)

    whole, again, part = evaluation.sets
    assert [(facts.name, facts.pages) for facts in (whole, again, part)] == [
        ("a", 2),
        ("b", 2),
        ("c", 1),
    ]
    assert whole.digest == again.digest != part.digest
    assert reported == [*pages, *pages, *pages[:1]]


def test_engines_are_distinguished_from_other_tools() -> None:
    evaluation = an_evaluation()

    evaluation.add_set("mine", [a_task("1")], {"tool": {"1": Output()}}, lambda _: None)

    assert [(run.engine, run.is_own) for run in evaluation.runs()] == [
        ("everything", True),
        ("tool", False),
    ]


def test_an_engine_costs_the_time_between_its_start_and_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluation = an_evaluation()
    seconds = count(8, 2)
    monkeypatch.setattr("winnow.lab.measure.run.thread_time", lambda: next(seconds))

    evaluation.add_set("mine", [a_task("1")], {}, lambda _: None)

    (run,) = evaluation.runs()
    assert run.scores[0].costs == Costs(clean_ms=2000.0, parse_ms=2000.0)
