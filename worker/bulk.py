"""Clean many pages in order: batches bounded in count and bytes, in one process or several."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context, parent_process
from typing import Final

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.cleaning import PageCleaner

# One kernel call a batch: enough pages to make its cost vanish, few enough bytes to stay small.
BATCH_PAGES: Final = 32
BATCH_BYTES: Final = 16 << 20

Candidate = Page | InvalidPage
Cleaned = Document | InvalidPage


def batches(candidates: Iterable[Candidate]) -> Iterator[list[Candidate]]:
    """Group what comes into lists of at most `BATCH_PAGES` and about `BATCH_BYTES`."""
    batch: list[Candidate] = []
    batch_bytes = 0
    for candidate in candidates:
        batch.append(candidate)
        batch_bytes += len(candidate.body) if isinstance(candidate, Page) else 0
        if len(batch) == BATCH_PAGES or batch_bytes >= BATCH_BYTES:
            yield batch
            batch, batch_bytes = [], 0
    if batch:
        yield batch


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


def clean_all(
    candidates: Iterable[Candidate], build: Callable[[], PageCleaner], jobs: int
) -> Iterator[Cleaned]:
    """Yield a result for each candidate, in order; at most `2 * jobs` batches are held.

    Raises:
        ModelError: from `build`, at once.
        OptionsError: the same.
        BrokenProcessPool: while it yields: a process was killed, and what is left has no result.
    """
    cleaner = build()  # with more jobs than one, so that a wrong start raises here, not in each
    if jobs == 1:
        return chain.from_iterable(clean_batch(cleaner, batch) for batch in batches(candidates))
    return _clean_in_processes(candidates, build, jobs)


def _clean_in_processes(
    candidates: Iterable[Candidate], build: Callable[[], PageCleaner], jobs: int
) -> Iterator[Cleaned]:
    # spawn: the kernel's mapping and any thread of the parent stay out of the children
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_process, (build,)) as pool:
        running: deque[Future[list[Cleaned]]] = deque()
        for batch in batches(candidates):
            running.append(pool.submit(_clean_in_process, batch))
            if len(running) == 2 * jobs:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()


_process_cleaner: list[PageCleaner] = []


def _start_process(build: Callable[[], PageCleaner]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _process_cleaner[:] = [build()]


def _end_with_parent() -> None:
    """Wait no longer for pages than there is a process that could bring them."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _clean_in_process(batch: list[Candidate]) -> list[Cleaned]:
    return clean_batch(_process_cleaner[0], batch)
