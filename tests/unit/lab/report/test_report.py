"""The report: one file that needs nothing else."""

import re
from html.parser import HTMLParser

from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import Costs, score_page
from winnow.lab.measure.sweep import Curve, Sweep
from winnow.lab.measure.worst import worst_pages
from winnow.lab.report.report import Provenance, html_report
from winnow.lab.sets.gold import GoldPage

VOID = {"meta", "br", "line", "circle", "rect", "polyline"}


class Balance(HTMLParser):
    """Fails when an end tag does not close the element that is open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def a_run(engine: str, results: list[str], *, is_own: bool = True) -> Run:
    scores = []
    for number, result in enumerate(results):
        page = GoldPage(f"set/{number}", "set", "the grain stays", page_type="forum")
        scores.append(score_page(result, page, Costs(3.0, 1.0)))
    return Run(engine, tuple(scores), is_own)


RUNS = [
    a_run("hybrid", ["the grain", "the grain stays"]),
    a_run("other <tool>", ["the grain stays", "chaff"], is_own=False),
]


def test_report_is_balanced_html_that_fetches_nothing() -> None:
    sweep = Sweep("perplexity", "threshold", (Curve("F", ((10, 1), (20, 2))),))

    page = html_report(RUNS, Provenance("Quality", ("one line",)), [sweep])

    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert not re.search(r"https?:|<script|<link|@import|url\(|\bsrc=", page)


def test_report_shows_tools_escaped_and_engines_set_off() -> None:
    page = html_report(RUNS, Provenance("Quality", ()))

    assert "other &lt;tool&gt;" in page
    assert "<tool>" not in page
    assert page.count('<tr class="own"><th>hybrid</th>') >= 3


def test_report_leaves_out_what_the_pages_say_nothing_about() -> None:
    page = html_report(RUNS, Provenance("Quality", ()))

    assert "Threshold curves" not in page
    assert "passages F</h3>" not in page
    assert "By page type" in page
    assert "By language" not in page


def test_report_has_a_table_by_language_when_labels_name_languages() -> None:
    page = GoldPage("set/1", "set", "the grain stays", language="pl")
    run = Run("hybrid", (score_page("the grain", page, Costs()),))

    report = html_report([run], Provenance("Quality", ()))

    assert "By language" in report
    assert "<th>pl</th>" in report


def test_worst_pages_are_shown_with_the_best_result_of_other_tools() -> None:
    (worst, second) = worst_pages(RUNS[1], [RUNS[0]], 2)

    assert (worst.score.page_id, worst.best_engine, worst.best_f1) == ("set/1", "hybrid", 1.0)
    assert second.score.page_id == "set/0"
