from winnow.lab.downstream.tools import all_measures, by_language
from winnow.lab.measure.figures import FIGURE
from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import Costs, score_page
from winnow.lab.sets.gold import GoldPage


def a_run(name: str, *texts: str) -> Run:
    golds = ("bees fly here", "wasps do not fly")
    languages = ("english", "polish")
    return Run(
        name,
        tuple(
            score_page(text, GoldPage(f"d/{lang}/1", f"d/{lang}", gold), Costs(2.0, 1.0))
            for text, gold, lang in zip(texts, golds, languages, strict=True)
        ),
    )


RUNS = [a_run("all", "bees fly here", "wasps do not fly"), a_run("none", "", "")]


def test_figures_are_shown_by_language_with_mean_and_interval() -> None:
    table = by_language(RUNS, FIGURE["occ_f"])

    assert table.columns == ("english", "polish", "mean", "95 %, all pages")
    assert table.rows[0] == ("all", ("100.0", "100.0", "100.0", "100.0 to 100.0"))
    assert table.rows[1][1][:3] == ("0.0", "0.0", "0.0")


def test_empty_results_are_counted() -> None:
    assert dict(by_language(RUNS, FIGURE["empty"]).rows)["none"] == ("100.0", "100.0", "100.0")


def test_every_measure_is_a_mean_of_languages() -> None:
    table = all_measures(RUNS)
    found = dict(zip(table.columns, dict(table.rows)["all"], strict=True))

    assert (found["occ F"], found["KL"], found["x parse"]) == ("100.00", "0.00", "2.00")
