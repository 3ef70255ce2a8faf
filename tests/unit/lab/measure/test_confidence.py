"""Confidence compared with the F1 of pages."""

import numpy as np
import pytest

from winnow.lab.measure.confidence import trust


def test_a_confidence_equal_to_f1_has_perfect_figures() -> None:
    f1 = np.random.default_rng(1).permutation(np.linspace(0.5, 1.0, 200))

    found = trust(f1, f1)

    assert found.spearman == pytest.approx(1.0)
    # 120 of 200 are below .8, 40 are in the lowest fifth
    assert (found.pages, found.bad) == (200, 120)
    assert found.bad_in_lowest == pytest.approx(40 / 120)
    assert found.calibration_error == pytest.approx(0.0, abs=1e-9)
    assert [one.pages for one in found.bins] == [20] * 10
    risks = [risk for _, risk in found.coverage]
    assert risks == sorted(risks)
    assert found.coverage[-1][0] == 1.0
    assert risks[-1] == pytest.approx(0.25)
    assert risks[0] < 0.02


def test_a_reversed_confidence_finds_no_bad_page() -> None:
    f1 = np.linspace(0.7, 1.0, 100)

    found = trust(1 - f1, f1)

    assert found.spearman == pytest.approx(-1.0)
    assert found.bad_in_lowest == 0.0
    assert found.calibration_error > 0.5
    assert found.coverage[0][1] > found.coverage[-1][1]


def test_ties_share_ranks_and_equal_values_give_no_figure() -> None:
    assert trust(np.full(9, 0.9), np.linspace(0, 1, 9)).spearman == 0.0
    found = trust(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0.2, 0.3, 0.8, 0.9]))
    assert found.spearman == pytest.approx(0.894, abs=1e-3)
