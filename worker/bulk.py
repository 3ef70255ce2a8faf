"""Work on many things in order: batches bounded in count and bytes, in one process or several."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context, parent_process
from typing import Any, Final, Generic, TypeVar

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.cleaning import PageCleaner

# One kernel call a batch: enough pages to make its cost vanish, few enough bytes to stay small.
BATCH_PAGES: Final = 32
BATCH_BYTES: Final = 16 << 20
BATCH_ITEMS: Final = 1024  # those that need no work too
MANY: Final = 4  # things in a row that are not all to blame for the end of their processes

Candidate = Page | InvalidPage
Cleaned = Document | InvalidPage
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Work(Generic[T, R]):
    """What is done to each of many things.

    Attributes:
        build: returns what works on a batch; called once in each process, so it is pickled.
        weigh: bytes of one thing; 0 for what needs no work.
        lost: the result of a thing that ends the process which works on it.
    """

    build: Callable[[], Callable[[Sequence[T]], list[R]]]
    weigh: Callable[[T], int]
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


def work_on_all(things: Iterable[T], work: Work[T, R], jobs: int) -> Iterator[R]:
    """Yield a result for each thing, in order; at most `2 * jobs` batches are held.

    With several jobs a thing that ends its process costs itself alone its result.

    Raises:
        ModelError: from `build`, at once.
        OptionsError: the same.
        BrokenProcessPool: while it yields: everything ends the processes, so it is not the things.
    """
    batch_work = work.build()  # with more jobs than one, so that a wrong start raises here
    grouped = batches(things, work.weigh)
    if jobs == 1:
        return chain.from_iterable(map(batch_work, grouped))
    return _in_processes(grouped, work, jobs)


def _in_processes(grouped: Iterator[list[T]], work: Work[T, R], jobs: int) -> Iterator[R]:
    pool = _pool(work, jobs)
    running: deque[tuple[list[T], Future[list[R]]]] = deque()
    try:
        while True:
            while len(running) < 2 * jobs and (batch := next(grouped, None)):
                running.append((batch, _submit(pool, batch)))
            if not running:
                return
            batch, result = running.popleft()
            try:
                results = result.result()
            except BrokenProcessPool:
                pool.shutdown()
                results = _one_by_one(batch, work)
                pool = _pool(work, jobs)
                running = deque((each, _submit(pool, each)) for each, _ in running)
            yield from results
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, batch: list[T]) -> Future[Any]:
    try:
        return pool.submit(_work_in_process, batch)
    except BrokenProcessPool as error:  # it is known before the result is asked for
        failed: Future[Any] = Future()
        failed.set_exception(error)
        return failed


def _one_by_one(batch: Sequence[T], work: Work[T, R]) -> list[R]:
    """Find what ended its process: each alone, a fresh process after each that was ended."""
    results: list[R] = []
    lost = 0
    pool = _pool(work, 1)
    for thing in batch:
        try:
            results += pool.submit(_work_in_process, [thing]).result()
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
    return ProcessPoolExecutor(jobs, get_context("spawn"), _start_process, (work.build,))


_batch_work: list[Callable[[Sequence[Any]], list[Any]]] = []


def _start_process(build: Callable[[], Callable[[Sequence[Any]], list[Any]]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends them, when it has what it wants
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _batch_work[:] = [build()]


def _end_with_parent() -> None:
    """Wait no longer for pages than there is a process that could bring them."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _work_in_process(batch: list[Any]) -> list[Any]:
    return _batch_work[0](batch)
