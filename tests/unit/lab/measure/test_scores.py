"""Pages, groups of pages and tables of engines, on cases computed by hand."""

import pytest

from winnow.lab.measure.bootstrap import OCC_F, WORD_F1, interval, paired_difference
from winnow.lab.measure.differences import differences
from winnow.lab.measure.figures import FIGURE
from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import Costs, PageScore, Passages, score_page
from winnow.lab.measure.summary import summarise
from winnow.lab.report.tables import by_group, by_language, by_page_type, in_full
from winnow.lab.sets.gold import GoldPage


def a_score(
    result: str, gold: str, page_id: str = "p", group: str = "set", page_type: str = ""
) -> PageScore:
    page = GoldPage(page_id, group, gold, page_type=page_type)
    return score_page(result, page, Costs(clean_ms=3.0, parse_ms=1.5))


def test_score_page_counts_chinese_by_characters() -> None:
    score = score_page("谷物", GoldPage("p", "daniel/chinese", "谷物留下", language="zh"), Costs())

    assert (score.occ.common, score.occ.gold, score.word_similarity) == (2, 4, 0.5)


def test_score_page_finds_passages_with_any_white_space() -> None:
    page = GoldPage("p", "set", "x", required=("must  appear", "is missing"), forbidden=("Log in",))

    score = score_page("This must\nappear. Log in", page, Costs())

    assert score.passages == Passages(required=2, kept=1, forbidden=1, leaked=1)


def test_score_page_leaves_out_passages_without_text_which_any_result_holds() -> None:
    page = GoldPage("p", "set", "x", required=("", "grain"), forbidden=(" \n",))

    score = score_page("", page, Costs())

    assert score.passages == Passages(required=1, kept=0, forbidden=0, leaked=0)


@pytest.mark.parametrize(
    ("result", "empty", "almost_empty"),
    [("", True, True), (" \n", True, True), ("x" * 9, False, True), ("x" * 10, False, False)],
)
def test_a_result_below_a_tenth_of_the_gold_is_almost_empty(
    result: str, empty: bool, almost_empty: bool
) -> None:
    score = a_score(result, "y" * 100)

    assert (score.is_empty, score.is_almost_empty) == (empty, almost_empty)


def test_summary_takes_f_of_the_mean_precision_and_the_mean_recall() -> None:
    # precision 1 and 0.5, recall 0.5 and 1: each page has F 2/3, the means give 3/4
    scores = [a_score("a", "a b"), a_score("a b", "a")]

    summary = summarise(scores)

    assert (summary.occ.precision, summary.occ.recall, summary.occ.f) == (0.75, 0.75, 0.75)
    assert summary.word_f1 == pytest.approx(2 / 3)
    assert (summary.clean_ms, summary.parse_ratio) == (3.0, 2.0)


def test_summary_adds_up_passages_over_pages() -> None:
    first = GoldPage("1", "set", "x", required=("a", "b"), forbidden=("z",))
    second = GoldPage("2", "set", "x", required=("c",), forbidden=("z",))

    passages = summarise(
        [score_page("a z", first, Costs()), score_page("c", second, Costs())]
    ).passages

    assert passages is not None
    assert (passages.kept, passages.leaked, passages.precision) == (2 / 3, 1 / 2, 2 / 3)


def test_summary_refuses_a_group_without_pages() -> None:
    with pytest.raises(ValueError, match="at least one page"):
        summarise([])


def test_by_group_gives_sets_of_several_groups_a_mean_of_their_own() -> None:
    run = Run(
        "engine",
        (
            a_score("a", "a", "1", "cleaneval"),
            a_score("a b", "a", "2", "daniel/polish"),
            a_score("b", "a", "3", "daniel/greek"),
        ),
    )

    table = by_group([run], FIGURE["occ_f"])

    assert [column.title for column in table.columns] == (
        ["cleaneval", "daniel/polish", "daniel/greek", "mean daniel", "mean"]
    )
    assert table.rows[0][1] == pytest.approx((100, 200 / 3, 0, 100 / 3, 500 / 9))


def test_tables_mark_the_best_value_at_the_good_end_of_each_column() -> None:
    good = Run("good", (a_score("a b", "a b"),))
    poor = Run("poor", (a_score("", "a b"),))

    table = in_full([good, poor], "set", (FIGURE["occ_f"], FIGURE["empty"], FIGURE["passages_f"]))

    assert [column.title for column in table.columns] == ["occ F", "empty %"]
    assert [[table.is_best(row, column) for column in (0, 1)] for row in (0, 1)] == (
        [[True, True], [False, False]]
    )


def test_a_table_in_full_shows_shares_times_100_and_distances_as_they_are() -> None:
    page = GoldPage("1", "set", "a", required=("a", "b"), forbidden=("z",))
    run = Run("engine", (score_page("a z", page, Costs()),))
    keys = ("occ_precision", "cosine", "passages_kept", "passages_leaked", "passages_f")

    table = in_full([run], "set", [FIGURE[key] for key in keys])

    assert table.rows[0][1] == pytest.approx((50, 1 - 0.5**0.5, 50, 100, 50))


def test_by_page_type_shows_the_most_frequent_type_first() -> None:
    scores = (
        a_score("a", "a", "1", page_type="forum"),
        a_score("a", "a", "2", page_type="article"),
        a_score("b", "a", "3", page_type="article"),
    )

    table = by_page_type([Run("engine", scores)], FIGURE["word_f1"])

    assert [column.title for column in table.columns] == ["all", "article", "forum"]
    assert table.rows[0][1] == pytest.approx((200 / 3, 50, 100))


def test_by_language_leaves_out_pages_of_no_known_language() -> None:
    pages = (("1", "a", "pl"), ("2", "b", "el"), ("3", "a", "el"), ("4", "b", ""))
    scores = tuple(
        score_page(result, GoldPage(page_id, "set", "a", language=language), Costs())
        for page_id, result, language in pages
    )

    table = by_language([Run("engine", scores)], FIGURE["occ_f"])

    assert [column.title for column in table.columns] == ["all", "el", "pl"]
    assert table.rows[0][1] == pytest.approx((200 / 3, 50, 100))


def test_interval_holds_the_value_and_is_the_same_each_time() -> None:
    scores = [a_score("a" if i % 3 else "b", "a", str(i)) for i in range(60)]

    found = interval(scores, WORD_F1)

    assert found.value == pytest.approx(40 / 60)
    assert found.low < found.value < found.high
    # the binomial says +- 1.96 * sqrt(2/9 / 60)
    assert found.high - found.low == pytest.approx(2 * 1.96 * (2 / 9 / 60) ** 0.5, rel=0.15)
    assert interval(scores, WORD_F1) == found


def test_paired_difference_is_narrower_than_the_intervals_when_both_err_on_the_same_pages() -> None:
    worse = [a_score("a" if i % 3 else "b", "a", str(i)) for i in range(60)]
    better = [a_score("a" if i % 3 else "a b", "a", str(i)) for i in range(60)]

    difference = paired_difference(better, worse, OCC_F)

    alone = interval(worse, OCC_F)
    assert difference.low > 0
    assert difference.high - difference.low < alone.high - alone.low


def test_paired_difference_refuses_runs_over_other_pages() -> None:
    with pytest.raises(ValueError, match="same pages"):
        paired_difference([a_score("a", "a", "1")], [a_score("a", "a", "2")], OCC_F)


def test_differences_are_unsure_when_both_engines_agree() -> None:
    run = Run("one", tuple(a_score("a", "a b", str(i)) for i in range(5)))

    (difference,) = differences(run, [Run("other", run.scores)], OCC_F)

    assert (difference.interval.value, difference.is_sure) == (0.0, False)
