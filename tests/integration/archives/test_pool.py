"""Items that take too long lose only their own results."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from winnow.models.errors import InvalidPage
from winnow.worker.batch.bulk import Jobs, Task, Work
from winnow.worker.batch.pool import InTime, work_on_all

pytestmark = [pytest.mark.integration, pytest.mark.timeout(60)]

ROOT = Path(__file__).parents[3]
SECONDS = 0.5


def name(number: int) -> str:
    return str(number)


def worked(batch: Sequence[int]) -> list[str]:
    """Name numbers: 14 waits for ever, 15 is killed."""
    for number in batch:
        if number == 14:
            threading.Event().wait()
        if number == 15:
            os.kill(os.getpid(), signal.SIGKILL)
    return list(map(name, batch))


def waiting() -> Callable[[Sequence[int]], list[str]]:
    return worked


def one(_: int) -> int:
    return 1


def nothing(_: str) -> int:
    return 0


def lost(_: int, why: InvalidPage) -> str:
    return str(why)


WORK = Work(waiting, one, nothing, lost)
LATE = f"timeout: not cleaned within {SECONDS:g} s (--page-seconds)"
KILLED = "bug: the process that cleaned it was killed"


def results_of(numbers: Sequence[int], jobs: int, size: int = 4) -> list[str]:
    tasks: list[Task[int]] = [
        list(numbers[start : start + size]) for start in range(0, len(numbers), size)
    ]
    return list(work_on_all(tasks, WORK, Jobs(jobs, SECONDS)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_item_that_takes_too_long_loses_only_itself_and_the_order_stays(jobs: int) -> None:
    numbers = [*range(6), 14, *range(20, 26), 14, 30]

    results = results_of(numbers, jobs)

    assert results == [LATE if each == 14 else str(each) for each in numbers]


def test_an_item_that_kills_its_process_is_distinguished_from_a_slow_one() -> None:
    numbers = [1, 14, 15, 2, 3]

    results = results_of(numbers, 2)

    assert results == ["1", LATE, KILLED, "2", "3"]


def test_many_items_that_take_too_long_do_not_end_the_work() -> None:
    assert results_of([14] * 4 + [5], 1) == [LATE] * 4 + ["5"]


def slow(batch: Sequence[int]) -> list[str]:
    """Take longer than is allowed for the batch, but not for one of it."""
    if len(batch) > 1:
        threading.Event().wait()
    return worked(batch)


def slowly() -> Callable[[Sequence[int]], list[str]]:
    return slow


def test_items_that_take_too_long_only_together_keep_their_results() -> None:
    with InTime(Work(slowly, one, nothing, lost), SECONDS) as in_time:
        results = in_time([1, 2, 3])

    assert results == ["1", "2", "3"]


def raising(batch: Sequence[int]) -> list[str]:
    raise SystemExit(str(batch))


def test_errors_of_the_work_are_raised() -> None:
    work = Work(lambda: raising, one, nothing, lost)

    with InTime(work, SECONDS) as in_time, pytest.raises(SystemExit, match="1"):
        in_time([1])


def test_the_thread_ends_with_the_work() -> None:
    before = set(threading.enumerate())

    assert results_of(range(9), 1) == list(map(str, range(9)))

    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


def clean_and_end() -> None:
    """End as a command does, while a thread is left alone with its page."""
    sys.exit(len(results_of([14, 1], 1)))


def test_a_thread_that_was_left_alone_does_not_keep_the_process() -> None:
    command = (sys.executable, "-c", f"from {__name__} import *; clean_and_end()")

    ended = subprocess.run(command, cwd=ROOT, check=False, timeout=50)

    assert ended.returncode == 2
