"""Pages of a batch -> results, even if a page raises, hangs or kills the process.

Exceptions are caught here. A page that hangs, crashes or fills the memory ends the process at any
step: while its record is decoded, while a cached result is read, or while it is cleaned. So records
are noted as in flight before the first of these steps. The next process takes each of them alone,
so a page that kills again is alone then, and is given up after `MAX_CRASHES`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final, Protocol
from zlib import crc32

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.records import Incoming

# The first crash was with a batch; then the page is alone, and may crash once by bad luck.
MAX_CRASHES: Final = 3


class PageCleaner(Protocol):
    """Turns pages into documents."""

    @property
    def fingerprint(self) -> str:
        """Digest of version, engine, options and model: the same one gives the same results."""
        ...

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result per page, in order.

        Never raises because of a page; releases the GIL; may be called from any thread.
        """
        ...


class BugReport(Protocol):
    """Receives our own errors, with their traceback."""

    def __call__(self, source: str, error: BaseException) -> None:
        """Record one error; `source` is the place of the page."""
        ...


@dataclass(frozen=True, slots=True)
class Crashes:
    """How often a page ended the process that held it.

    Attributes:
        count: processes that ended with this page in flight.
        hung: the last process timed out; otherwise it crashed or was killed.
    """

    count: int
    hung: bool = False


class CrashNotes(Protocol):
    """Remembers which pages were in flight when a process ended."""

    def crashes(self, page: str) -> Crashes | None:
        """Return how often the page with this identity ended a process; None for never."""
        ...

    def in_flight(self, pages: Sequence[str]) -> AbstractContextManager[None]:
        """Note the identities of pages while they are cleaned."""
        ...


class NoCrashNotes:
    """Remembers nothing: for processes that nobody restarts."""

    def crashes(self, page: str) -> Crashes | None:  # noqa: ARG002 - required by the protocol
        """Return None."""
        return None

    def in_flight(self, pages: Sequence[str]) -> AbstractContextManager[None]:  # noqa: ARG002
        """Note nothing."""
        return nullcontext()


def identity(record: Incoming) -> str:
    """Topic, partition, offset, key checksum and size: differs between clusters, too."""
    return f"{record.source}/{crc32(record.key or b''):08x}-{record.value_bytes}"


def groups(records: Sequence[Incoming], notes: CrashNotes) -> list[list[int]]:
    """Return groups of places in flight together: records that crashed a process are alone."""
    has_crashed = [notes.crashes(identity(record)) is not None for record in records]
    others = [place for place, crashed in enumerate(has_crashed) if not crashed]
    alone = [[place] for place, crashed in enumerate(has_crashed) if crashed]
    return [others, *alone] if others else alone


def given_up(record: Incoming, notes: CrashNotes) -> InvalidPage | None:
    """Return why a record is not tried again; None if it is tried."""
    crashes = notes.crashes(identity(record))
    if crashes is None or crashes.count < MAX_CRASHES:
        return None
    if crashes.hung:
        return InvalidPage(Reason.TIMEOUT, f"{crashes.count} processes hung on it")
    return InvalidPage(Reason.BUG, f"{crashes.count} processes ended with it in flight")


def clean_each(
    cleaner: PageCleaner, pages: Sequence[Page], sources: Sequence[str], report_bug: BugReport
) -> list[Document | InvalidPage]:
    """Return one result per page, in order, even if the cleaner raises.

    If a batch raises, its pages are cleaned one by one: our error costs one page its document.

    Args:
        cleaner: turns pages into documents.
        pages: to clean.
        sources: where each page comes from.
        report_bug: called with the place of a page and the error that it caused.
    """
    if not pages:
        return []
    try:
        return _clean_all(cleaner, pages)
    except (KeyboardInterrupt, SystemExit):
        raise
    # the boundary: our bug, not the fault of all pages; a Rust panic is not an `Exception`
    except BaseException as error:  # noqa: BLE001
        if len(pages) == 1:
            report_bug(sources[0], error)
            return [bug_of(error)]
    each = zip(pages, sources, strict=True)
    return [clean_each(cleaner, [page], [source], report_bug)[0] for page, source in each]


def _clean_all(cleaner: PageCleaner, pages: Sequence[Page]) -> list[Document | InvalidPage]:
    cleaned = cleaner.clean_batch(pages)
    if len(cleaned) != len(pages):
        raise AssertionError(f"{len(cleaned)} results for {len(pages)} pages")
    return cleaned


def bug_of(error: BaseException) -> InvalidPage:
    """Return the reason for the dead letter of a page that hit our bug."""
    # only the type: the text of another library's error may quote the page
    return InvalidPage(Reason.BUG, type(error).__name__)
