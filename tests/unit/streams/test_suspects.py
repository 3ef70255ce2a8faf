"""A page that ended processes is cleaned alone, then given up; others are not held up."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.records import Incoming
from streams.suspects import CarefulCleaner, PageCleaner, Suspicion, identity

RecordBuilder = Callable[..., Incoming]


class Notes:
    """Holds what a test says against pages, and what was in hand together."""

    def __init__(self, held: dict[str, Suspicion]) -> None:
        self._held = held
        self.hands: list[list[str]] = []

    def suspicion(self, page: str) -> Suspicion | None:
        return self._held.get(page)

    @contextmanager
    def in_hand(self, pages: Sequence[str]) -> Iterator[None]:
        self.hands.append(list(pages))
        yield


def clean(
    cleaner: PageCleaner, records: Sequence[Incoming], notes: Notes
) -> list[Document | InvalidPage]:
    pages = [Page(f"https://example.org/{each.offset}", each.value or b"") for each in records]
    return CarefulCleaner(cleaner, notes, lambda source, error: None).clean(records, pages)


def test_pages_are_in_hand_together_when_nothing_is_held_against_them(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(offset=offset) for offset in range(3)]
    notes = Notes({})

    assert len(clean(cleaner, records, notes)) == 3
    assert notes.hands == [[identity(each) for each in records]]


def test_a_suspect_is_in_hand_alone_and_the_order_stays(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(b"page %d" % offset, offset=offset) for offset in range(4)]
    names = [identity(each) for each in records]
    notes = Notes({names[1]: Suspicion(1), names[2]: Suspicion(2)})

    results = clean(cleaner, records, notes)

    assert [each.text for each in results if isinstance(each, Document)] == [
        f"page {offset}" for offset in range(4)
    ]
    assert notes.hands == [[names[0], names[3]], [names[1]], [names[2]]]


def test_a_page_is_given_up_after_three_deaths_with_what_they_were(
    cleaner: PageCleaner, record: RecordBuilder
) -> None:
    records = [record(offset=offset) for offset in range(2)]
    hung, killed = (identity(each) for each in records)
    notes = Notes({hung: Suspicion(3, hung=True), killed: Suspicion(3)})

    results = clean(cleaner, records, notes)

    reasons = [each.reason for each in results if isinstance(each, InvalidPage)]
    assert reasons == [Reason.TIMEOUT, Reason.BUG]
    assert notes.hands == []


def test_a_page_of_another_cluster_at_the_same_place_is_not_held_guilty(
    record: RecordBuilder,
) -> None:
    assert identity(record(key=b"https://a.example/")) != identity(
        record(key=b"https://b.example/")
    )
    assert identity(record(b"short")) != identity(record(b"longer"))
