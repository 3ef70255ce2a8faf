"""Published pages and output records -> outcome and order of each page."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from winnow.streams.records import Incoming, Outgoing


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the pages of a run; a page is a record of the pages topic.

    pages = documents + deleted + skipped + dead + lost, where no page has two of these outcomes.

    Attributes:
        documents, deleted, dead: pages that have such an outcome.
        skipped: pages that ask for nothing, and have nothing.
        lost: sources of the pages without any.
        repeated: documents, tombstones and dead letters beyond the first of their page.
        mistaken: sources of pages with another outcome than they ask for: a page that is gone and
            has a document, one that is there and has a tombstone, one to be skipped that has any.
        unfounded: sources of records whose page was never published.
        without_stats: sources of documents without statistics, and of statistics without one;
            tombstones likewise.
        out_of_order: what is wrong with the versions of a URL, a line for each.
    """

    pages: int
    documents: int
    deleted: int
    skipped: int
    dead: int
    lost: tuple[str, ...]
    repeated: int
    mistaken: tuple[str, ...]
    unfounded: tuple[str, ...]
    without_stats: tuple[str, ...]
    out_of_order: tuple[str, ...]


def account(
    pages: Sequence[Incoming],
    documents: Sequence[Incoming],
    stats: Sequence[Incoming],
    dead: Sequence[Incoming],
) -> Account:
    """Account for the records of all four topics, in the order of each partition's log."""
    published = {page.source for page in pages}
    gone = {page.source for page in pages if is_gone(page)}
    skipped = {page.source for page in pages if is_skipped(page)}
    cleaned = Counter(source(each) for each in documents if each.value is not None)
    deleted = Counter(source(each) for each in documents if each.value is None)
    died = Counter(map(source, dead))
    found = cleaned.keys() | deleted.keys() | died.keys()
    mistaken = (cleaned.keys() & gone) | (deleted.keys() - gone) | (found & skipped)
    return Account(
        pages=len(published),
        documents=len(cleaned),
        deleted=len(deleted),
        skipped=len(skipped - found),
        dead=len(died),
        lost=tuple(sorted(published - found - skipped)),
        repeated=(cleaned + deleted + died).total() - len(cleaned) - len(deleted) - len(died),
        mistaken=tuple(sorted(mistaken & published)),
        unfounded=tuple(sorted(found - published)),
        without_stats=tuple(sorted(place for place, _ in _kinds(documents) ^ _kinds(stats))),
        out_of_order=tuple(_disorder(documents)),
    )


def _kinds(records: Sequence[Incoming]) -> set[tuple[str, bool]]:
    return {(source(each), each.value is None) for each in records}


def is_gone(page: Incoming | Outgoing) -> bool:
    """Return whether a page of these tests asks to be deleted."""
    return page.value is None or _status(page) in {b"404", b"410"}


def is_skipped(page: Incoming | Outgoing) -> bool:
    """Return whether a page of these tests asks for nothing."""
    return not is_gone(page) and not _status(page).startswith(b"2")


def _status(page: Incoming | Outgoing) -> bytes:
    return dict(page.headers).get("status") or b"200"


def source(record: Incoming) -> str:
    """Return `topic/partition/offset` of the page that a record came from."""
    header = record.header("source")
    assert header is not None, f"{record.source} names no source"
    return header.decode()


def _disorder(documents: Sequence[Incoming]) -> Iterable[str]:
    """Yield what is wrong with the versions of a URL, of which all pages are in one partition.

    A batch that is repeated shows its versions again; but each is first seen in the order in which
    they were published, and the last one is the last.
    """
    versions: dict[bytes | None, list[int]] = defaultdict(list)
    homes: dict[bytes | None, set[int]] = defaultdict(set)
    for document in documents:
        versions[document.key].append(int(source(document).rpartition("/")[2]))
        homes[document.key].add(document.partition)
    for url, offsets in versions.items():
        firsts = list(dict.fromkeys(offsets))
        if len(homes[url]) > 1:
            yield f"{url!r}: documents in partitions {sorted(homes[url])}"
        if firsts != sorted(firsts):
            yield f"{url!r}: versions first seen in the order {offsets}"
        if offsets[-1] != max(offsets):
            yield f"{url!r}: the last document is not of the last version: {offsets}"
