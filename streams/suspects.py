"""Pages of a batch -> results, whatever one page does: raise, hang, or take the process with it.

An exception is caught here. A native call that hangs or crashes ends the process; the pages that it
had in hand were noted before. The next process takes each of them alone, so the one that kills is
alone when it kills again, and is given up after `MAX_DEATHS`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final, Protocol
from zlib import crc32

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.records import Incoming

# The first death is a batch's; then the page is alone, and may be unlucky once.
MAX_DEATHS: Final = 3


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
class Suspicion:
    """What is held against a page.

    Attributes:
        deaths: processes that ended with this page in hand.
        hung: the last of them was out of time, rather than killed or crashed.
    """

    deaths: int
    hung: bool = False


class HandNotes(Protocol):
    """Remembers, beyond the death of a process, which pages it had in hand."""

    def suspicion(self, page: str) -> Suspicion | None:
        """Return what is held against the page of that identity."""
        ...

    def in_hand(self, pages: Sequence[str]) -> AbstractContextManager[None]:
        """Note the identities of pages while they are cleaned."""
        ...


class NoNotes:
    """Remembers nothing: for processes that nobody restarts."""

    def suspicion(self, page: str) -> Suspicion | None:  # noqa: ARG002 - of the protocol
        """Return None."""
        return None

    def in_hand(self, pages: Sequence[str]) -> AbstractContextManager[None]:  # noqa: ARG002
        """Note nothing."""
        return nullcontext()


def identity(record: Incoming) -> str:
    """Return what a page is known by: its place, and enough of it to tell another cluster's."""
    return f"{record.source}/{crc32(record.key or b''):08x}-{record.value_bytes}"


class CarefulCleaner:
    """Gives each page a result of its own, and keeps those apart that ended a process."""

    def __init__(self, cleaner: PageCleaner, notes: HandNotes, report_bug: BugReport) -> None:
        """Keep the parts."""
        self._cleaner = cleaner
        self._notes = notes
        self._report_bug = report_bug

    def clean(
        self, records: Sequence[Incoming], pages: Sequence[Page]
    ) -> list[Document | InvalidPage]:
        """Return one result a page, in order; `records` are where the pages came from."""
        names = [identity(record) for record in records]
        held = [self._notes.suspicion(name) for name in names]
        together = [index for index, suspicion in enumerate(held) if suspicion is None]
        trusted = iter(self._clean_noted(records, pages, names, together))
        return [
            next(trusted)
            if suspicion is None
            else self._given_up(suspicion) or self._clean_noted(records, pages, names, [index])[0]
            for index, suspicion in enumerate(held)
        ]

    def _given_up(self, suspicion: Suspicion) -> InvalidPage | None:
        if suspicion.deaths < MAX_DEATHS:
            return None
        if suspicion.hung:
            return InvalidPage(Reason.TIMEOUT, f"{suspicion.deaths} processes hung on it")
        return InvalidPage(Reason.BUG, f"{suspicion.deaths} processes ended with it in hand")

    def _clean_noted(
        self,
        records: Sequence[Incoming],
        pages: Sequence[Page],
        names: Sequence[str],
        chosen: Sequence[int],
    ) -> list[Document | InvalidPage]:
        if not chosen:
            return []
        with self._notes.in_hand([names[index] for index in chosen]):
            return self._clean([records[i] for i in chosen], [pages[i] for i in chosen])

    def _clean(
        self, records: Sequence[Incoming], pages: Sequence[Page]
    ) -> list[Document | InvalidPage]:
        try:
            cleaned = self._cleaner.clean_batch(pages)
        except (KeyboardInterrupt, SystemExit):
            raise
        # the boundary: our bug, not the fault of all pages; a panic of Rust is no `Exception`
        except BaseException as error:  # noqa: BLE001
            if len(pages) == 1:
                return [bug_of(records[0], error, self._report_bug)]
            return [each for one in zip(records, pages, strict=True) for each in self._one(*one)]
        if len(cleaned) != len(pages):
            wrong = AssertionError(f"{len(cleaned)} results for {len(pages)} pages")
            return [bug_of(record, wrong, self._report_bug) for record in records]
        return cleaned

    def _one(self, record: Incoming, page: Page) -> list[Document | InvalidPage]:
        return self._clean([record], [page])


def bug_of(record: Incoming, error: BaseException, report_bug: BugReport) -> InvalidPage:
    """Report an error of ours, and return the reason that its page gives no document."""
    report_bug(record.source, error)
    # the type alone: the text of a foreign error may quote the page
    return InvalidPage(Reason.BUG, type(error).__name__)
