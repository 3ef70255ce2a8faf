"""Pages that went in, records that came out -> what became of each page, and in which order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from streams.records import Incoming


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the pages of a run; a page is a record of the pages topic.

    Attributes:
        documents, dead: pages that have such an outcome; one that was repeated may have both.
        lost: sources of the pages without any.
        repeated: documents and dead letters beyond the first of their page.
        unfounded: sources of records whose page was never published.
        without_stats: sources of documents without statistics, and of statistics without one.
        out_of_order: what is wrong with the versions of a URL, a line for each.
    """

    pages: int
    documents: int
    dead: int
    lost: tuple[str, ...]
    repeated: int
    unfounded: tuple[str, ...]
    without_stats: tuple[str, ...]
    out_of_order: tuple[str, ...]


def account(
    pages: Sequence[Incoming],
    documents: Sequence[Incoming],
    stats: Sequence[Incoming],
    dead: Sequence[Incoming],
) -> Account:
    """Settle the records of all four topics, those of a partition in the order of its log."""
    published = {page.source for page in pages}
    cleaned, died = Counter(map(source, documents)), Counter(map(source, dead))
    found = cleaned.keys() | died.keys()
    return Account(
        pages=len(published),
        documents=len(cleaned),
        dead=len(died),
        lost=tuple(sorted(published - found)),
        repeated=(cleaned + died).total() - len(cleaned) - len(died),
        unfounded=tuple(sorted(found - published)),
        without_stats=tuple(sorted(cleaned.keys() ^ {source(each) for each in stats})),
        out_of_order=tuple(_disorder(documents)),
    )


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
