"""Compare threads that share a cleaner with one thread, by wall clock."""

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bench.speed.rows import Row, ratio_at_least
from winnow.lab.measure.interleave import run
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel

THREADS: Final = 4
# small, so that threads wait little for the last one
BATCH: Final = 8
CORES: Final = 2
BAR: Final = 1.8


def rows(sets: Mapping[str, Sequence[Page]], model: NgramModel) -> Iterator[Row]:
    """Measure the default engine on each set."""
    cores = os.sched_getaffinity(0)
    if len(cores) < CORES:
        sys.exit(f"needs {CORES} cores, but this process may use {len(cores)}")
    cleaner = Cleaner(models=model)
    os.sched_setaffinity(0, sorted(cores)[:CORES])
    try:
        for name, pages in sets.items():
            yield _row(name, cleaner, pages)
    finally:
        os.sched_setaffinity(0, cores)


def _row(name: str, cleaner: Cleaner, pages: Sequence[Page]) -> Row:
    batches = [pages[start : start + BATCH] for start in range(0, len(pages), BATCH)]

    def alone() -> list[list[Document | InvalidPage]]:
        return [cleaner.clean_batch(batch) for batch in batches]

    with ThreadPoolExecutor(THREADS) as threads:

        def together() -> list[list[Document | InvalidPage]]:
            return list(threads.map(cleaner.clean_batch, batches))

        if str(alone()) != str(together()):
            sys.exit("threads and one thread give different documents")
        ratio = run({"one": alone, "several": together}, clock=time.perf_counter)
    what = f"{name}: one thread / {THREADS} threads on {CORES} cores, wall clock"
    return ratio_at_least(what, ratio.ratio("one", "several"), BAR)
