"""A line of a library that repeats is written now and then; all other lines always."""

import logging

import pytest

from tests.clocks import ManualClock
from worker.repeated_lines import REPEATED_AFTER_S, RepeatedLines


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def repeated(clock: ManualClock) -> RepeatedLines:
    return RepeatedLines(clock)


def a_line(
    text: str | dict[str, str], *args: object, error: Exception | None = None
) -> logging.LogRecord:
    traceback = (type(error), error, None) if error else None
    return logging.LogRecord("aiokafka", logging.ERROR, "conn.py", 1, text, args, traceback)


def test_a_line_is_written_once_until_some_seconds_have_passed(
    repeated: RepeatedLines, clock: ManualClock
) -> None:
    first = [repeated.filter(a_line("node %d is gone", 1)) for _ in range(100)]
    clock.advance(REPEATED_AFTER_S)
    later = [repeated.filter(a_line("node %d is gone", 1)) for _ in range(100)]

    assert first == later == [True] + [False] * 99


def test_lines_that_differ_are_all_written(repeated: RepeatedLines) -> None:
    assert repeated.filter(a_line("node %d is gone", 1))
    assert repeated.filter(a_line("node %d is gone", 2))
    assert repeated.filter(a_line("node %d is back", 1))


def test_lines_of_ours_and_tracebacks_are_always_written(repeated: RepeatedLines) -> None:
    for _ in range(2):
        assert repeated.filter(a_line({"event": "page_cleaned"}))
        assert repeated.filter(a_line("node is gone", error=OSError("gone")))
