"""Lines through samples distinguish growth from noise."""

import math
import random

import pytest

from tests.soak.trend import SECONDS_PER_HOUR, Verdict, fit

TIMES_S = [5.0 * number for number in range(360)]  # half an hour


def test_an_exact_line_is_found_again() -> None:
    values = [100 + 8 * time_s / SECONDS_PER_HOUR for time_s in TIMES_S]

    trend = fit(TIMES_S, values, tolerance=5)

    assert trend.slope == pytest.approx(8, abs=0.1)
    assert trend.at(1800) == pytest.approx(104, abs=0.1)
    assert trend.margin < 0.2
    assert trend.verdict is Verdict.GROWING


def test_the_warm_up_does_not_count() -> None:
    values = [200 - 100 * math.exp(-time_s / 60) for time_s in TIMES_S]

    assert fit(TIMES_S, values, tolerance=5).verdict is Verdict.FLAT


def test_noise_around_a_level_is_flat() -> None:
    chooser = random.Random(1)
    values = [100 + chooser.gauss(0, 1) for _ in TIMES_S]

    assert fit(TIMES_S, values, tolerance=5).verdict is Verdict.FLAT


def test_single_peaks_do_not_count() -> None:
    values = [100.0] * len(TIMES_S)
    values[200] = values[300] = 1e6

    assert fit(TIMES_S, values, tolerance=5).slope == 0


def test_a_slow_leak_under_noise_grows() -> None:
    chooser = random.Random(2)
    values = [100 + 20 * time_s / SECONDS_PER_HOUR + chooser.gauss(0, 2) for time_s in TIMES_S]

    trend = fit(TIMES_S, values, tolerance=5)

    assert trend.verdict is Verdict.GROWING
    assert trend.slope == pytest.approx(20, abs=trend.margin)


def test_noise_too_large_for_the_length_of_the_run_is_unclear() -> None:
    chooser = random.Random(3)
    values = [100 + 200 * chooser.random() for _ in TIMES_S]

    assert fit(TIMES_S, values, tolerance=0.001).verdict is Verdict.UNCLEAR


def test_a_shrinking_line_is_flat() -> None:
    values = [100 - 50 * time_s / SECONDS_PER_HOUR for time_s in TIMES_S]

    assert fit(TIMES_S, values, tolerance=5).verdict is Verdict.FLAT


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="sample more often, or run longer"):
        fit([0, 100, 200], [1, 1, 1], tolerance=1)
