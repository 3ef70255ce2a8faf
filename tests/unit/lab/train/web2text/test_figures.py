import numpy as np
import pytest

from winnow.lab.train.web2text.figures import f1_gain, figures, page_counts

PAGES = [(8, 2, 1, 9), (1, 0, 3, 6), (5, 5, 0, 0)]


def test_a_page_is_counted_by_its_four_outcomes() -> None:
    guesses, labels = (np.array(values, np.int8) for values in ([1, 1, 0, 0, 1], [1, 0, 1, 0, 1]))

    assert page_counts(guesses, labels) == (2, 1, 1, 1)


def test_figures_pool_the_blocks_of_all_pages() -> None:
    found = figures(PAGES)

    assert (found.pages, found.blocks) == (3, 40)
    assert found.accuracy == pytest.approx(29 / 40)
    assert found.precision == pytest.approx(14 / 21)
    assert found.recall == pytest.approx(14 / 18)
    assert found.f1 == pytest.approx(28 / 39)
    assert found.f1_low <= found.f1 <= found.f1_high


def test_figures_of_pages_without_content_are_zero() -> None:
    found = figures([(0, 0, 0, 7)])

    assert (found.precision, found.recall, found.f1) == (0, 0, 0)
    assert found.accuracy == 1


def test_gain_over_the_same_counts_is_zero() -> None:
    assert f1_gain(PAGES, PAGES) == (0, 0)


def test_gain_of_a_better_system_is_above_zero_on_every_draw() -> None:
    better = [(hits + missed, 0, 0, rest + false) for hits, false, missed, rest in PAGES]

    low, high = f1_gain(better, PAGES)

    assert 0 < low <= high
