"""Work on many things in order: batches bounded in count and bytes, in one process or several."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Any, Final, Generic, Protocol, TypeVar

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.cleaning import PageCleaner

# One kernel call a batch: enough pages to make its cost vanish, few enough bytes to stay small.
BATCH_PAGES: Final = 32
BATCH_BYTES: Final = 16 << 20
BATCH_ITEMS: Final = 1024  # those that need no work too
MANY: Final = 4  # things in a row that are not all to blame for the end of their processes

RESULT_BYTES: Final = 64 << 20  # of one part: more of it is read and handed out in batches

Candidate = Page | InvalidPage
Cleaned = Document | InvalidPage
T = TypeVar("T")
R = TypeVar("R")
BatchWork = Callable[[Sequence[T]], list[R]]


class Part(Protocol[T]):
    """Things in a row that a process reads by itself; it is pickled."""

    def things(self) -> Generator[T, None, object]:
        """Yield them in order, and return where they end."""

    def following(self, ended: Any) -> "Part[T] | None":  # noqa: ANN401 - what `things` returns
        """Return the part as it is behind one that ended there; itself if it begins there."""

    def behind(self, thing: T) -> "Part[T]":
        """Return what is left behind a thing of it."""


Task = list[T] | Part[T]


@dataclass(frozen=True, slots=True)
class Work(Generic[T, R]):
    """What is done to each of many things.

    Attributes:
        build: returns what works on a batch; called once in each process. All are pickled.
        weigh: bytes of one thing; 0 for what needs no work.
        weigh_result: bytes of one result.
        lost: the result of a thing that ends the process which works on it.
    """

    build: Callable[[], BatchWork[T, R]]
    weigh: Callable[[T], int]
    weigh_result: Callable[[R], int]
    lost: Callable[[T], R]


def clean_batch(cleaner: PageCleaner, batch: Sequence[Candidate]) -> list[Cleaned]:
    """Clean the pages of a batch; what is invalid already stays in its place."""
    cleaned = iter(_each(cleaner, [item for item in batch if isinstance(item, Page)]))
    return [next(cleaned) if isinstance(item, Page) else item for item in batch]


def _each(cleaner: PageCleaner, pages: Sequence[Page]) -> list[Cleaned]:
    """Return one result a page, in order; an error of ours costs one page its document."""
    try:
        return cleaner.clean_batch(pages)
    except (KeyboardInterrupt, SystemExit):
        raise
    # the boundary: our bug, not the fault of all pages; a panic of Rust is no `Exception`
    except BaseException as error:  # noqa: BLE001
        if len(pages) == 1:
            return [InvalidPage(Reason.BUG, type(error).__name__)]
    return [result for page in pages for result in _each(cleaner, [page])]


def batches(things: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Group what comes into lists of at most `BATCH_PAGES` with work, about `BATCH_BYTES`."""
    batch: list[T] = []
    batch_bytes = pages = 0
    for thing in things:
        batch.append(thing)
        weight = weigh(thing)
        batch_bytes += weight
        pages += weight > 0
        if pages == BATCH_PAGES or batch_bytes >= BATCH_BYTES or len(batch) == BATCH_ITEMS:
            yield batch
            batch, batch_bytes, pages = [], 0, 0
    if batch:
        yield batch


def work_on_all(tasks: Iterable[Task[T]], work: Work[T, R], jobs: int) -> Iterator[R]:
    """Yield a result for each thing, in order; at most `2 * jobs` tasks are begun before.

    With several jobs a thing that ends its process costs itself alone its result.

    Raises:
        ModelError: from `build`, at once.
        OptionsError: the same.
        BrokenProcessPool: while it yields: everything ends the processes, so it is not the things.
    """
    batch_work = work.build()  # with more jobs than one, so that a wrong start raises here
    if jobs == 1:
        return _in_this_process(tasks, batch_work, work)
    return _Processes(work, jobs).results(iter(tasks))


def _in_this_process(
    tasks: Iterable[Task[T]], batch_work: BatchWork[T, R], work: Work[T, R]
) -> Iterator[R]:
    ended: object = None
    for task in tasks:
        if isinstance(task, list):
            yield from batch_work(task)
        elif part := task.following(ended):
            reading = _Reading(part)
            for batch in batches(reading, work.weigh):
                yield from batch_work(batch)
            ended = reading.ended


class _Reading(Generic[T]):
    """Iterates over the things of a part, and keeps where they end."""

    def __init__(self, part: Part[T]) -> None:
        self._part = part
        self.ended: object = None

    def __iter__(self) -> Iterator[T]:
        self.ended = yield from self._part.things()


@dataclass(frozen=True, slots=True)
class _Done(Generic[T, R]):
    """What a process has made of a task.

    Attributes:
        results: one for each thing.
        ended: where the things of a part end.
        rest: of a part whose results are too many to be held.
    """

    results: list[R]
    ended: object = None
    rest: Part[T] | None = None


class _Processes(Generic[T, R]):
    """Does tasks in several processes."""

    def __init__(self, work: Work[T, R], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._running: deque[tuple[Task[T], Future[_Done[T, R]]]] = deque()
        self._pool = _pool(work, jobs)
        self._ended: object = None  # the last part that was read

    def results(self, tasks: Iterator[Task[T]]) -> Iterator[R]:
        """Yield a result for each thing, in order."""
        try:
            while True:
                while len(self._running) < 2 * self._jobs and (task := next(tasks, None)):
                    self._running.append((task, self._submit(task)))
                if not self._running:
                    return
                task, done = self._running.popleft()
                if isinstance(task, list):
                    yield from self._batch_results(task, done)
                else:
                    yield from self._part_results(task, done)
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _batch_results(self, batch: list[T], done: Future[_Done[T, R]]) -> list[R]:
        try:
            return done.result().results
        except BrokenProcessPool:
            self._pool.shutdown()
            results = _one_by_one(batch, self._work)
            self._pool = _pool(self._work, self._jobs)
            self._running = deque(
                (task, was if _is_done(was) else self._submit(task)) for task, was in self._running
            )
            return results

    def _part_results(self, part: Part[T], done: Future[_Done[T, R]]) -> Iterator[R]:
        wanted = part.following(self._ended)
        if wanted is None:
            return
        if wanted is not part:  # where it began is no place where things begin
            done = self._submit(wanted)
        try:
            of_part = done.result()
        except BrokenProcessPool:
            of_part = _Done([], rest=wanted)
        yield from of_part.results
        self._ended = of_part.ended
        if of_part.rest:  # is read here: no more things at once than in a list are held, or lost
            reading = _Reading(of_part.rest)
            for batch in batches(reading, self._work.weigh):
                yield from self._batch_results(batch, self._submit(batch))
            self._ended = reading.ended

    def _submit(self, task: Task[T]) -> Future[_Done[T, R]]:
        try:
            return self._pool.submit(_work_in_process, task)
        except BrokenProcessPool as error:  # it is known before the result is asked for
            failed: Future[_Done[T, R]] = Future()
            failed.set_exception(error)
            return failed


def _is_done(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _one_by_one(batch: Sequence[T], work: Work[T, R]) -> list[R]:
    """Find what ended its process: each alone, a fresh process after each that was ended."""
    results: list[R] = []
    lost = 0
    pool = _pool(work, 1)
    for thing in batch:
        try:
            results += pool.submit(_work_in_process, [thing]).result().results
        except BrokenProcessPool:
            results.append(work.lost(thing))
            lost += 1
            pool.shutdown()
            pool = _pool(work, 1)
    pool.shutdown()
    if lost == len(batch) >= MANY:
        raise BrokenProcessPool("every process is killed")
    return results


def _pool(work: Work[T, R], jobs: int) -> ProcessPoolExecutor:
    # spawn: the kernel's mapping and any thread of the parent stay out of the children
    return ProcessPoolExecutor(jobs, get_context("spawn"), _start_process, (work,))


_work: list[tuple[BatchWork[Any, Any], Work[Any, Any]]] = []


def _start_process(work: Work[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends them, when it has what it wants
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work[:] = [(work.build(), work)]


def _end_with_parent() -> None:
    """Wait no longer for pages than there is a process that could bring them."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _work_in_process(task: Task[Any]) -> _Done[Any, Any]:
    batch_work, work = _work[0]
    if isinstance(task, list):
        return _Done(batch_work(task))
    results: list[Any] = []
    result_bytes = 0
    reading = _Reading(task)
    for batch in batches(reading, work.weigh):
        results += batch_work(batch)
        result_bytes += sum(map(work.weigh_result, results[-len(batch) :]))
        if result_bytes >= RESULT_BYTES:
            return _Done(results, rest=task.behind(batch[-1]))
    return _Done(results, reading.ended)
