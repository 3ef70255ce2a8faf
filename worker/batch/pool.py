"""Work on many items in order, in one process or several, with a time limit per item."""

import faulthandler
import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Final, Generic, Self

from winnow.models.errors import InvalidPage, Reason
from winnow.worker.batch.bulk import BatchWork, Jobs, Part, R, T, Task, Work, batches

MANY: Final = 4  # killed processes in a row; from then on the items are not the cause
RESULT_BYTES: Final = 64 << 20  # results of a part; the rest is read and yielded in batches


def work_on_all(tasks: Iterable[Task[T]], work: Work[T, R], jobs: Jobs) -> Generator[R, None, None]:
    """Yield a result for each item, in order; at most `2 * jobs.count` tasks start ahead.

    An item that takes too long loses only its own result; with several jobs, an item that ends its
    process too. To stop early, close the generator.

    Raises:
        ModelError: from `build`, at once.
        OptionsError: the same.
        BrokenProcessPool: while it yields: all processes end, so the items are not the cause.
    """
    if jobs.count == 1:
        return _in_this_process(tasks, InTime(work, jobs.page_seconds), work)
    work.build()  # so that a wrong configuration raises here
    return _Processes(work, jobs).results(iter(tasks))


def _in_this_process(
    tasks: Iterable[Task[T]], in_time: "InTime[T, R]", work: Work[T, R]
) -> Generator[R, None, None]:
    ended: object = None
    with in_time:
        for task in tasks:
            if isinstance(task, list):
                yield from in_time(task)
            elif part := task.following(ended):
                reading = _Reading(part)
                for batch in batches(reading, work.weigh):
                    yield from in_time(batch)
                ended = reading.ended


class InTime(Generic[T, R]):
    """Works on batches in this process until one takes too long, then in a process it can kill.

    A thread in the kernel cannot be stopped. It is left with its page, and ends with this process.
    """

    def __init__(self, work: Work[T, R], page_seconds: float) -> None:
        """Build the worker function.

        Raises:
            ModelError: from `work.build`.
            OptionsError: the same.
        """
        self._work = work
        self._jobs = Jobs(1, page_seconds)
        self._thread: _Thread[T, R] | None = _Thread(work.build())
        self._processes: _Processes[T, R] | None = None

    def __call__(self, batch: list[T]) -> list[R]:
        """Return one result per item, in order.

        Raises:
            BrokenProcessPool: all processes were killed.
        """
        if self._processes:
            return self._processes.batch_results(batch)
        assert self._thread is not None
        try:
            return self._thread.results(batch, self._jobs.page_seconds)
        except TimeoutError:
            self._processes = _Processes(self._work, self._jobs)
            return _one_by_one(batch, self._work, self._jobs.page_seconds)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the thread when it is idle, and the process."""
        if self._thread:
            self._thread.close()
        if self._processes:
            self._processes.close()


class _Thread(Generic[T, R]):
    """Works on batches in a daemon thread."""

    def __init__(self, batch_work: BatchWork[T, R]) -> None:
        self._asked: SimpleQueue[list[T] | None] = SimpleQueue()
        self._answers: SimpleQueue[list[R] | BaseException] = SimpleQueue()
        self._is_idle = True
        self._thread = threading.Thread(
            target=_answer, args=(batch_work, self._asked, self._answers), daemon=True
        )

    def results(self, batch: list[T], seconds: float) -> list[R]:
        """Return the results of a batch.

        Raises:
            TimeoutError: they are not ready in time.
        """
        if self._thread.ident is None:
            self._thread.start()
        self._is_idle = False
        self._asked.put(batch)
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        self._is_idle = True
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def close(self) -> None:
        """Stop the thread, at once if it is idle."""
        self._asked.put(None)
        if self._is_idle and self._thread.ident is not None:
            self._thread.join()


def _answer(
    batch_work: BatchWork[T, R],
    asked: "SimpleQueue[list[T] | None]",
    answers: "SimpleQueue[list[R] | BaseException]",
) -> None:
    while (batch := asked.get()) is not None:
        try:
            answers.put(batch_work(batch))
        except BaseException as error:  # noqa: BLE001 - raised again by who has asked
            answers.put(error)


class _Reading(Generic[T]):
    """Iterates over the items of a part, and keeps where they end."""

    def __init__(self, part: Part[T]) -> None:
        self._part = part
        self.ended: object = None

    def __iter__(self) -> Iterator[T]:
        self.ended = yield from self._part.things()


@dataclass(frozen=True, slots=True)
class _Done(Generic[T, R]):
    """The results of a task.

    Attributes:
        results: one per item.
        ended: where the items of a part end.
        rest: the rest of a part with too many results to hold.
    """

    results: list[R]
    ended: object = None
    rest: Part[T] | None = None


class _Processes(Generic[T, R]):
    """Runs tasks in several processes."""

    def __init__(self, work: Work[T, R], jobs: Jobs) -> None:
        self._work = work
        self._jobs = jobs
        self._running: deque[tuple[Task[T], Future[_Done[T, R]]]] = deque()
        self._pool = _pool(work, jobs)
        self._ended: object = None  # the last part that was read

    def results(self, tasks: Iterator[Task[T]]) -> Generator[R, None, None]:
        """Yield a result for each item, in order."""
        try:
            while True:
                while len(self._running) < 2 * self._jobs.count and (task := next(tasks, None)):
                    self._running.append((task, self._submit(task)))
                if not self._running:
                    return
                task, done = self._running.popleft()
                if isinstance(task, list):
                    yield from self._batch_results(task, done)
                else:
                    yield from self._part_results(task, done)
        finally:
            self.close()

    def batch_results(self, batch: list[T]) -> list[R]:
        """Return the results of one batch, and wait for nothing else."""
        return self._batch_results(batch, self._submit(batch))

    def close(self) -> None:
        """Stop the processes."""
        self._pool.shutdown(cancel_futures=True)

    def _batch_results(self, batch: list[T], done: Future[_Done[T, R]]) -> list[R]:
        try:
            return done.result().results
        except BrokenProcessPool:
            self._pool.shutdown()
            results = _one_by_one(batch, self._work, self._jobs.page_seconds)
            self._pool = _pool(self._work, self._jobs)
            self._running = deque(
                (task, was if _is_done(was) else self._submit(task)) for task, was in self._running
            )
            return results

    def _part_results(self, part: Part[T], done: Future[_Done[T, R]]) -> Iterator[R]:
        wanted = part.following(self._ended)
        if wanted is None:
            return
        if wanted is not part:  # it did not begin at the start of an item
            done = self._submit(wanted)
        try:
            of_part = done.result()
        except BrokenProcessPool:
            of_part = _Done([], rest=wanted)
        yield from of_part.results
        self._ended = of_part.ended
        if of_part.rest:  # read here in batches: this limits the items held in memory, or lost
            reading = _Reading(of_part.rest)
            for batch in batches(reading, self._work.weigh):
                yield from self.batch_results(batch)
            self._ended = reading.ended

    def _submit(self, task: Task[T]) -> Future[_Done[T, R]]:
        try:
            return self._pool.submit(_work_in_process, task)
        except BrokenProcessPool as error:  # raised before the result is requested
            failed: Future[_Done[T, R]] = Future()
            failed.set_exception(error)
            return failed


def _is_done(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _one_by_one(batch: Sequence[T], work: Work[T, R], page_seconds: float) -> list[R]:
    """Find the item that ended its process: run each alone, in a new process after a killed one."""
    jobs = Jobs(1, page_seconds)
    results: list[R] = []
    killed = 0
    pool = _pool(work, jobs)
    for thing in batch:
        began = math.inf
        try:
            pool.submit(int).result()  # the start of the process is not part of the time limit
            began = time.monotonic()
            results += pool.submit(_work_in_process, [thing]).result().results
        except BrokenProcessPool:
            is_late = time.monotonic() - began >= page_seconds
            killed += not is_late
            results.append(work.lost(thing, _late(page_seconds) if is_late else _KILLED))
            pool.shutdown()
            pool = _pool(work, jobs)
    pool.shutdown()
    if killed == len(batch) >= MANY:
        raise BrokenProcessPool("all processes were killed")
    return results


_KILLED: Final = InvalidPage(Reason.BUG, "the process that cleaned it was killed")


def _late(seconds: float) -> InvalidPage:
    return InvalidPage(Reason.TIMEOUT, f"not cleaned within {seconds:g} s (--page-seconds)")


def _pool(work: Work[T, R], jobs: Jobs) -> ProcessPoolExecutor:
    # spawn: children do not inherit the kernel's mapping or threads of the parent
    return ProcessPoolExecutor(
        jobs.count, get_context("spawn"), _start_process, (work, jobs.page_seconds)
    )


@dataclass(frozen=True, slots=True)
class _Child:
    """The state of a process for all its tasks.

    Attributes:
        silence: receives the traceback that nobody reads.
    """

    batch_work: BatchWork[Any, Any]
    work: Work[Any, Any]
    page_seconds: float
    silence: IO[bytes]

    def results(self, batch: list[Any]) -> list[Any]:
        """Return the results of a batch, or end the process at the time limit.

        The watchdog is a C thread that does not need the interpreter: the kernel cannot block it.
        """
        faulthandler.dump_traceback_later(self.page_seconds, file=self.silence, exit=True)
        try:
            return self.batch_work(batch)
        finally:
            faulthandler.cancel_dump_traceback_later()


_child: list[_Child] = []


def _start_process(work: Work[Any, Any], page_seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops the processes
    threading.Thread(target=_end_with_parent, daemon=True).start()
    silence = Path(os.devnull).open("wb")  # noqa: SIM115 - as long as the process
    _child[:] = [_Child(work.build(), work, page_seconds, silence)]


def _end_with_parent() -> None:
    """Stop waiting for results when no process is left to produce them."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _work_in_process(task: Task[Any]) -> _Done[Any, Any]:
    child = _child[0]
    if isinstance(task, list):
        return _Done(child.results(task))
    results: list[Any] = []
    result_bytes = 0
    reading = _Reading(task)
    for batch in batches(reading, child.work.weigh):
        results += child.results(batch)
        result_bytes += sum(map(child.work.weigh_result, results[-len(batch) :]))
        if result_bytes >= RESULT_BYTES:
            return _Done(results, rest=task.rest_after(batch[-1]))
    return _Done(results, reading.ended)
