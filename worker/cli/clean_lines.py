"""Messages on standard input -> documents, answered line by line."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from winnow.models.document import Document
from winnow.models.errors import InvalidPage
from winnow.models.options import CleanerOptions
from winnow.streams.messages import document_value
from winnow.worker.batch.bulk import BATCH_PAGES, Candidate, Work, clean_batch
from winnow.worker.batch.lines import LineTooLong, line_groups, most_line_bytes
from winnow.worker.batch.messages import (
    Answered,
    answer_of,
    arrival_of,
    candidate_of,
    stated_in,
)
from winnow.worker.batch.pool import InTime
from winnow.worker.cleaning import open_cleaner
from winnow.worker.cli.failure import CannotGoOn, complain


def clean_lines(options: CleanerOptions, model: Path | None, page_seconds: float) -> int:
    """Answer each line of standard input with one line, in order; return how many failed.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
        BrokenProcessPool: every process that cleans is killed, after a page took too long.
    """
    max_page_bytes = options.limits.page_bytes
    max_line_bytes = most_line_bytes(max_page_bytes)
    work = Work(partial(_Values, options, model), _nothing, _nothing, _lost)
    failed = answered = 0
    with InTime(work, page_seconds) as in_time:
        for group in _line_groups(max_line_bytes):
            arrivals = [arrival_of(line, max_page_bytes) for line in group]
            pages = [candidate_of(each) for each in arrivals]
            results = iter(in_time([page for page in pages if page is not None]))
            for line, arrival, page in zip(group, arrivals, pages, strict=True):
                answered += 1
                result = None if page is None else next(results)
                if isinstance(result, InvalidPage):
                    failed += 1
                    name = f"page {answered} {stated_in(line, arrival)}".rstrip()
                    complain(f"{name}: {result}")
                sys.stdout.buffer.write(answer_of(line, arrival, result) + b"\n")
            sys.stdout.buffer.flush()
    return failed


class _Values:
    """Cleans batches of pages to the messages of their documents, in any process."""

    def __init__(self, options: CleanerOptions, model: Path | None) -> None:
        self._cleaner = open_cleaner(options, model)

    def __call__(self, batch: Sequence[Candidate]) -> list[Answered]:
        return [
            document_value(each) if isinstance(each, Document) else each
            for each in clean_batch(self._cleaner, batch)
        ]


def _nothing(_: object) -> int:
    return 0  # the lines are grouped already


def _lost(_: Candidate, why: InvalidPage) -> Answered:
    return why


def _line_groups(max_line_bytes: int) -> Iterator[list[bytes | LineTooLong]]:
    try:
        yield from line_groups(sys.stdin.buffer, max_line_bytes, BATCH_PAGES)
    except OSError as error:
        raise CannotGoOn(f"standard input: {error.strerror}") from error
