"""A line of a library that repeats is written now and then; all other lines always."""

import logging

import pytest

from tests.clocks import ManualClock
from winnow.worker.repeated_lines import (
    COORDINATOR_WITHIN_S,
    REPEATED_AFTER_S,
    NoCoordinatorYet,
    RepeatedLines,
)


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
    assert repeated.filter(a_line("node %d is back", 1))
    assert repeated.filter(a_line("%s is back", "node"))


def test_lines_that_differ_only_in_numbers_are_one_line(repeated: RepeatedLines) -> None:
    first = repeated.filter(a_line("no answer from 10.0.0.1:9092 to <Task at 0x7f02>"))
    others = [
        repeated.filter(a_line(f"no answer from 10.0.0.{n}:{n} to <Task at {hex(n)}>"))
        for n in range(1000)
    ]

    assert first
    assert not any(others)


def test_tracebacks_of_equal_errors_are_one_line(repeated: RepeatedLines) -> None:
    first = [repeated.filter(a_line("no", error=OSError(24, "too many"))) for _ in range(100)]
    another = repeated.filter(a_line("no", error=OSError("another")))

    assert first == [True] + [False] * 99
    assert another


def test_lines_of_ours_are_always_written(repeated: RepeatedLines) -> None:
    ours = [repeated.filter(a_line({"event": "page_cleaned"})) for _ in range(2)]

    assert ours == [True, True]


def no_coordinator() -> logging.LogRecord:
    name, text = "aiokafka.consumer.group_coordinator", "Group Coordinator Request failed: %s"
    return logging.LogRecord(name, logging.ERROR, "x.py", 1, text, ("Error 15",), None)


def test_a_missing_coordinator_is_an_error_once_it_has_been_missing_for_a_while(
    clock: ManualClock,
) -> None:
    early = NoCoordinatorYet(clock, logging.INFO)
    lines = [no_coordinator() for _ in range(4)]

    for line in lines[:3]:
        assert early.filter(line)
        clock.advance(COORDINATOR_WITHIN_S / 2)
    clock.advance(COORDINATOR_WITHIN_S)
    early.filter(lines[3])

    assert [line.levelname for line in lines] == ["INFO", "INFO", "ERROR", "INFO"]


def test_a_line_lowered_to_info_is_not_written_at_warning_level(
    clock: ManualClock,
) -> None:
    early = NoCoordinatorYet(clock, logging.WARNING)

    assert not early.filter(no_coordinator())


def test_other_errors_stay_errors(clock: ManualClock) -> None:
    line = a_line("Heartbeat failed")

    assert NoCoordinatorYet(clock, logging.INFO).filter(line)
    assert line.levelno == logging.ERROR
