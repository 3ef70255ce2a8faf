"""Many pages in order, in batches bounded in count and bytes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, ModelError, Reason
from winnow.worker.batch import bulk
from winnow.worker.batch.bulk import Candidate, Cleaned, Jobs, Task, Work, batches, clean_batch
from winnow.worker.batch.pool import work_on_all

ROOT = Path(__file__).parents[4]


class RefusingCleaner:
    """Refuses every page with its URL as the detail."""

    fingerprint = "refusing"

    def clean_batch(self, pages: Sequence[Page]) -> list[Cleaned]:
        return [InvalidPage(Reason.EMPTY, page.url) for page in pages]


class Panic(BaseException):
    """What PyO3 makes of a panic: no `Exception`."""


class FailingCleaner(RefusingCleaner):
    """Fails whenever the page with the URL 1 is in the batch."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def clean_batch(self, pages: Sequence[Page]) -> list[Cleaned]:
        if any(page.url == "1" for page in pages):
            raise self._error
        return super().clean_batch(pages)


def weight(candidate: Candidate) -> int:
    return len(candidate.body) if isinstance(candidate, Page) else 0


def nothing(_: Cleaned) -> int:
    return 0


def lost(_: Candidate, why: InvalidPage) -> Cleaned:
    return InvalidPage(why.reason, "lost")


def refusing() -> Callable[[Sequence[Candidate]], list[Cleaned]]:
    return partial(clean_batch, RefusingCleaner())


def clean_all(
    candidates: Iterable[Candidate],
    jobs: int,
    build: Callable[[], Callable[[Sequence[Candidate]], list[Cleaned]]] = refusing,
) -> Iterator[Cleaned]:
    work = Work(build, weight, nothing, lost)
    return work_on_all(batches(candidates, weight), work, Jobs(jobs))


def pages(count: int, page_bytes: int = 1) -> list[Page]:
    return [Page(url=str(number), body=b"x" * page_bytes) for number in range(count)]


def test_batches_are_bounded_in_count() -> None:
    sizes = [len(batch) for batch in batches(pages(70), weight)]

    assert sizes == [32, 32, 6]


def test_batches_count_items_that_need_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "BATCH_ITEMS", 50)
    known: list[Candidate] = [InvalidPage(Reason.NO_URL)] * 90

    sizes = [len(batch) for batch in batches([*known, *pages(3)], weight)]

    assert sizes == [50, 43]


def test_batches_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "BATCH_BYTES", 100)

    sizes = [len(batch) for batch in batches(pages(5, page_bytes=50), weight)]

    assert sizes == [2, 2, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_clean_all_answers_every_candidate_in_its_place(jobs: int) -> None:
    known = InvalidPage(Reason.NO_URL, "known before")
    candidates: list[Candidate] = [*pages(40), known, *pages(3)]

    results = list(clean_all(candidates, jobs))

    details = [result.detail for result in results if isinstance(result, InvalidPage)]
    assert details == [*map(str, range(40)), "known before", "0", "1", "2"]


@pytest.mark.parametrize("error", [OverflowError("of the page"), Panic()])
def test_clean_all_gives_up_the_page_alone_that_makes_the_cleaner_fail(
    error: BaseException,
) -> None:
    results = list(clean_all(pages(3), 1, lambda: partial(clean_batch, FailingCleaner(error))))

    refusals = [str(result) for result in results if isinstance(result, InvalidPage)]
    assert refusals == ["empty: 0", f"bug: {type(error).__name__}", "empty: 2"]


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit()])
def test_clean_all_ends_when_asked_to(end: BaseException) -> None:
    with pytest.raises(type(end)):
        list(clean_all(pages(3), 1, lambda: partial(clean_batch, FailingCleaner(end))))


def test_clean_all_raises_what_a_wrong_start_raises_before_it_starts_processes() -> None:
    def build() -> Callable[[Sequence[Candidate]], list[Cleaned]]:
        raise ModelError("no model")

    with pytest.raises(ModelError, match="no model"):
        clean_all(pages(1), 2, build)


@dataclass(frozen=True)
class Run:
    """Pages whose URLs are numbers in a row; it really begins at the next even number."""

    start: int
    end: int

    def things(self) -> Generator[Candidate, None, int]:
        number = self.start
        while number < self.end:
            yield Page(str(number), b"x")
            number += 1
        return number + number % 2

    def following(self, ended: int | None) -> "Run | None":
        if ended is None or ended == self.start:
            return self
        return Run(ended, self.end) if ended < self.end else None

    def rest_after(self, thing: Candidate) -> "Run":
        assert isinstance(thing, Page)
        return Run(int(thing.url) + 1, self.end)


class KillingCleaner(RefusingCleaner):
    """Ends its process when it meets the page with the URL 50."""

    def clean_batch(self, pages: Sequence[Page]) -> list[Cleaned]:
        if any(page.url == "50" for page in pages):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().clean_batch(pages)


def killing() -> Callable[[Sequence[Candidate]], list[Cleaned]]:
    return partial(clean_batch, KillingCleaner())


def mebibytes(_: Cleaned) -> int:
    return 1 << 20


def refused(
    tasks: Iterable[Task[Candidate]], work: Work[Candidate, Cleaned], jobs: int = 2
) -> list[str]:
    results = work_on_all(tasks, work, Jobs(jobs))
    return [result.detail or "" for result in results if isinstance(result, InvalidPage)]


def test_parts_are_read_by_the_processes_and_answered_in_order() -> None:
    tasks: list[Task[Candidate]] = [Run(0, 100), Run(100, 130), [*pages(2)], Run(130, 140)]

    details = refused(tasks, Work(refusing, weight, nothing, lost))

    assert details == [*map(str, range(130)), "0", "1", *map(str, range(130, 140))]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_part_with_a_wrong_start_is_read_again_from_the_end_of_the_last(
    jobs: int,
) -> None:
    tasks: list[Task[Candidate]] = [Run(0, 11), Run(9, 20), Run(15, 18), Run(20, 22)]

    details = refused(tasks, Work(refusing, weight, nothing, lost), jobs)

    assert details == [*map(str, range(11)), *map(str, range(12, 22))]


def test_a_part_with_too_many_results_is_read_in_batches() -> None:
    tasks: list[Task[Candidate]] = [Run(0, 200), Run(200, 240)]

    details = refused(tasks, Work(refusing, weight, mebibytes, lost))

    assert details == list(map(str, range(240)))


def test_an_item_of_a_part_that_ends_its_process_loses_only_itself() -> None:
    tasks: list[Task[Candidate]] = [Run(0, 40), Run(40, 100), Run(100, 140), Run(140, 150)]

    details = refused(tasks, Work(killing, weight, nothing, lost))

    assert details == [*map(str, range(50)), "lost", *map(str, range(51, 150))]


def clean_until_killed() -> None:
    """End without a chance to end others, as soon as there is a result."""
    for _ in clean_all(pages(1000), jobs=2):
        os.kill(os.getpid(), signal.SIGKILL)


def test_processes_that_clean_end_with_the_one_that_started_them() -> None:
    command = (sys.executable, "-c", f"from {__name__} import *; clean_until_killed()")

    # the pipe is at its end when the last process that holds it is gone
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False, timeout=50)

    assert ended.returncode == -signal.SIGKILL
