"""Messages on standard input -> documents, answered line by line."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from winnow.models.document import Document
from winnow.models.errors import InvalidPage
from winnow.models.filtering import Unwanted
from winnow.models.options import CleanerOptions
from winnow.streams.messages import document_value
from winnow.worker.batch.archives.copies import CopyLog
from winnow.worker.batch.bulk import BATCH_PAGES, Candidate, Work, clean_batch
from winnow.worker.batch.choice import Choice
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
from winnow.worker.cli.choice_options import say_dropped
from winnow.worker.cli.failure import CannotGoOn, complain


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer, and the fingerprint of a document that may be a copy."""

    result: Answered | Unwanted
    fingerprint: int | None = None


def clean_lines(
    options: CleanerOptions, model: Path | None, page_seconds: float, choice: Choice
) -> int:
    """Answer each line of standard input with one line, in order; return how many failed.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
        BrokenProcessPool: all cleaning processes were killed, after a page took too long.
        FingerprintsError: a file of fingerprints cannot be used.
    """
    copies = CopyLog(choice)
    dropped: Counter[str] = Counter()
    max_page_bytes = options.limits.page_bytes
    max_line_bytes = most_line_bytes(max_page_bytes)
    work = Work(partial(_Values, options, model, choice), _nothing, _nothing, _lost)
    failed = answered = 0
    with InTime(work, page_seconds) as in_time:
        for group in _line_groups(max_line_bytes):
            arrivals = [arrival_of(line, max_page_bytes) for line in group]
            pages = [candidate_of(each) for each in arrivals]
            results = iter(in_time([page for page in pages if page is not None]))
            for line, arrival, page in zip(group, arrivals, pages, strict=True):
                answered += 1
                result = None if page is None else _once(next(results), copies)
                if isinstance(result, Unwanted):
                    dropped[result.value] += 1
                elif isinstance(result, InvalidPage):
                    failed += 1
                    name = f"page {answered} {stated_in(line, arrival)}".rstrip()
                    complain(f"{name}: {result}")
                sys.stdout.buffer.write(answer_of(line, arrival, result) + b"\n")
            sys.stdout.buffer.flush()
    say_dropped(dropped, copies.forgotten)
    return failed


def _once(answer: _Answer, copies: CopyLog) -> Answered | Unwanted:
    """Return the answer, which depends on earlier answers: a copy is dropped."""
    if isinstance(answer.result, bytes):
        if copies.is_copy(answer.fingerprint):
            return Unwanted.COPY
        copies.keep(answer.fingerprint)
    return answer.result


class _Values:
    """Cleans batches of pages to the messages of their documents; can be sent to any process."""

    def __init__(self, options: CleanerOptions, model: Path | None, choice: Choice) -> None:
        self._cleaner = open_cleaner(options, model)
        self._choice = choice

    def __call__(self, batch: Sequence[Candidate]) -> list[_Answer]:
        return [self._answer(each) for each in clean_batch(self._cleaner, batch)]

    def _answer(self, cleaned: Document | InvalidPage) -> _Answer:
        if isinstance(cleaned, InvalidPage):
            return _Answer(cleaned)
        rule = self._choice.dedup
        result = self._choice.documents.fault_of(cleaned) or document_value(cleaned)
        return _Answer(result, rule.fingerprint_of(cleaned) if rule else None)


def _nothing(_: object) -> int:
    return 0  # the lines are already grouped


def _lost(_: Candidate, why: InvalidPage) -> _Answer:
    return _Answer(why)


def _line_groups(max_line_bytes: int) -> Iterator[list[bytes | LineTooLong]]:
    try:
        yield from line_groups(sys.stdin.buffer, max_line_bytes, BATCH_PAGES)
    except OSError as error:
        raise CannotGoOn(f"standard input: {error.strerror}") from error
