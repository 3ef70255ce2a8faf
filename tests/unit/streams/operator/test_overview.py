"""What waits, and rates between two looks at a deployment."""

import pytest

from winnow.streams.operator.overview import Look, rates, waiting
from winnow.streams.operator.topic_reader import Span


def a_look(at_s: float, pages: int, committed: int) -> Look:
    return Look(at_s, {"pages": pages}, committed, {0: pages - committed})


def test_rates_are_records_per_second_between_two_looks() -> None:
    speed = rates(a_look(10.0, pages=100, committed=50), a_look(12.0, pages=160, committed=90))

    assert (speed.published["pages"], speed.done) == (30.0, 20.0)


def test_rates_are_zero_when_no_time_has_passed() -> None:
    speed = rates(a_look(10.0, pages=100, committed=50), a_look(10.0, pages=160, committed=90))

    assert (speed.published["pages"], speed.done) == (0.0, 0.0)


def test_a_topic_that_was_not_seen_before_has_no_rate_yet() -> None:
    speed = rates(Look(1.0, {}, 0, {}), a_look(2.0, pages=10, committed=0))

    assert speed.published["pages"] == 0.0


@pytest.mark.parametrize(("committed", "lag"), [(0, 7), (5, 5), (10, 0), (12, 0)])
def test_lag_is_never_negative(committed: int, lag: int) -> None:
    assert waiting(Span(3, 10), committed) == lag
