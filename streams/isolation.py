"""Pages of a batch -> results, whatever one page does: raise, hang, or take the process with it.

An exception is caught here. A page that hangs, crashes or fills the memory ends the process,
wherever on its way: while its record is decoded, a cached result is read, or it is cleaned. So the
records in flight are noted before the first of these. The next process takes each of them alone, so
the one that kills is alone when it kills again, and is given up after `MAX_CRASHES`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final, Protocol
from zlib import crc32

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.records import Incoming

# The first death is a batch's; then the page is alone, and may be unlucky once.
MAX_CRASHES: Final = 3


class PageCleaner(Protocol):
    """What turns pages into documents."""

    @property
    def fingerprint(self) -> str:
        """Digest of version, engine, options and model: equal fingerprints clean alike."""
        ...

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result a page, in order.

        Never raises because of a page; releases the GIL; may be called from any thread.
        """
        ...


class BugReport(Protocol):
    """Is told of errors of ours while their traceback is at hand."""

    def __call__(self, source: str, error: BaseException) -> None:
        """Record one; `source` says where the page is."""
        ...


@dataclass(frozen=True, slots=True)
class Crashes:
    """How often a page ended the process that had it.

    Attributes:
        count: processes that ended with this page in flight.
        hung: the last of them was out of time, rather than killed or crashed.
    """

    count: int
    hung: bool = False


class CrashNotes(Protocol):
    """Remembers, beyond the death of a process, which pages it had in flight."""

    def crashes(self, page: str) -> Crashes | None:
        """Return how often the page of that identity ended a process; None for never."""
        ...

    def in_flight(self, pages: Sequence[str]) -> AbstractContextManager[None]:
        """Note the identities of pages while they are cleaned."""
        ...


class NoCrashNotes:
    """Remembers nothing: for processes that nobody restarts."""

    def crashes(self, page: str) -> Crashes | None:  # noqa: ARG002 - of the protocol
        """Return None."""
        return None

    def in_flight(self, pages: Sequence[str]) -> AbstractContextManager[None]:  # noqa: ARG002
        """Note nothing."""
        return nullcontext()


def identity(record: Incoming) -> str:
    """Return what a page is known by: its place, and enough of it to tell another cluster's."""
    return f"{record.source}/{crc32(record.key or b''):08x}-{record.value_bytes}"


def groups(records: Sequence[Incoming], notes: CrashNotes) -> list[list[int]]:
    """Return which records may be in flight together, by place: each that crashed one is alone."""
    has_crashed = [notes.crashes(identity(record)) is not None for record in records]
    others = [place for place, crashed in enumerate(has_crashed) if not crashed]
    alone = [[place] for place, crashed in enumerate(has_crashed) if crashed]
    return [others, *alone] if others else alone


def given_up(record: Incoming, notes: CrashNotes) -> InvalidPage | None:
    """Return why a record is not taken again; None if it is."""
    crashes = notes.crashes(identity(record))
    if crashes is None or crashes.count < MAX_CRASHES:
        return None
    if crashes.hung:
        return InvalidPage(Reason.TIMEOUT, f"{crashes.count} processes hung on it")
    return InvalidPage(Reason.BUG, f"{crashes.count} processes ended with it in flight")


def clean_each(
    cleaner: PageCleaner, pages: Sequence[Page], sources: Sequence[str], report_bug: BugReport
) -> list[Document | InvalidPage]:
    """Return one result per page, in order, whatever the cleaner raises.

    A batch that raises is cleaned again page by page: an error of ours costs one page its document.

    Args:
        cleaner: turns pages into documents.
        pages: to clean.
        sources: where each page comes from.
        report_bug: is called with the source of a page and the error that it ran into.
    """
    if not pages:
        return []
    try:
        return _clean_all(cleaner, pages)
    except (KeyboardInterrupt, SystemExit):
        raise
    # the boundary: our bug, not the fault of all pages; a panic of Rust is no `Exception`
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
    """Return why a page gives no document after an error of ours."""
    # the type alone: the text of a foreign error may quote the page
    return InvalidPage(Reason.BUG, type(error).__name__)
