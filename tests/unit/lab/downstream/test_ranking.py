import math

import pytest

from winnow.lab.downstream.ranking import found_within, holm, ndcg, reciprocal_rank, without_run


def test_an_item_that_was_not_found_counts_zero() -> None:
    assert (reciprocal_rank(0), found_within(0, 10), ndcg(0, 10)) == (0, 0, 0)


def test_figures_of_the_third_rank() -> None:
    assert reciprocal_rank(3) == pytest.approx(1 / 3)
    assert (found_within(3, 2), found_within(3, 3)) == (0, 1)
    assert ndcg(3, 10) == pytest.approx(1 / math.log2(4))


def test_ndcg_ignores_ranks_below_its_depth() -> None:
    assert (ndcg(10, 10) > 0, ndcg(11, 10)) == (True, 0)


def test_holm_multiplies_by_the_number_of_hypotheses_left() -> None:
    # Holm (1979): the smallest by 4, then by 3, ...; never below the one before
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})

    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_holm_stays_within_one() -> None:
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize(
    ("tokens", "run", "kept"),
    [
        ("a b c a b", "a b", "c"),
        ("a b a c", "a c", "a b"),
        ("a a a", "a a", "a"),
        ("a b", "b a", "a b"),
        ("a b", "", "a b"),
    ],
)
def test_without_run_removes_only_whole_runs(tokens: str, run: str, kept: str) -> None:
    assert without_run(tokens.split(), run.split()) == kept.split()
