"""Work on many items in order, in batches limited in count and bytes."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.streams.isolation import PageCleaner, clean_each

# One kernel call per batch: enough pages to amortize the call, few enough bytes to stay small.
BATCH_PAGES: Final = 32
BATCH_BYTES: Final = 16 << 20
BATCH_ITEMS: Final = 1024  # including items without work
PAGE_SECONDS: Final = 120.0  # per page, like WINNOW_STUCK_SECONDS of a worker

Candidate = Page | InvalidPage
Cleaned = Document | InvalidPage
T = TypeVar("T")
R = TypeVar("R")
BatchWork = Callable[[Sequence[T]], list[R]]


class Part(Protocol[T]):
    """Consecutive items that a process reads by itself; it must be picklable."""

    def things(self) -> Generator[T, None, object]:
        """Yield them in order, and return where they end."""

    def following(self, ended: Any) -> "Part[T] | None":  # noqa: ANN401 - what `things` returns
        """Return the rest of the part after `ended`; the part itself if it begins there."""

    def rest_after(self, thing: T) -> "Part[T]":
        """Return the rest of the part after one of its items."""


Task = list[T] | Part[T]


@dataclass(frozen=True, slots=True)
class Work(Generic[T, R]):
    """The work on each item.

    Attributes:
        build: returns a function of a batch; called once per process. All must be picklable.
        weigh: bytes of one item; 0 for an item without work.
        weigh_result: bytes of one result.
        lost: the result of an item that takes too long, or that ends its process.
    """

    build: Callable[[], BatchWork[T, R]]
    weigh: Callable[[T], int]
    weigh_result: Callable[[R], int]
    lost: Callable[[T, InvalidPage], R]


@dataclass(frozen=True, slots=True)
class Jobs:
    """The number of processes and the time limit.

    Attributes:
        count: number of processes.
        page_seconds: time limit per item.
    """

    count: int = 1
    page_seconds: float = PAGE_SECONDS


def clean_batch(cleaner: PageCleaner, batch: Sequence[Candidate]) -> list[Cleaned]:
    """Clean the pages of a batch; entries that are already invalid stay in place."""
    pages = [item for item in batch if isinstance(item, Page)]
    cleaned = iter(clean_each(cleaner, pages, [page.url for page in pages], _unreported))
    return [next(cleaned) if isinstance(item, Page) else item for item in batch]


def _unreported(source: str, error: BaseException) -> None:
    """Ignore the traceback: the result of the page names the error."""


def batches(things: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Group items into lists of at most `BATCH_PAGES` with work and about `BATCH_BYTES`."""
    batch: list[T] = []
    batch_bytes = pages = 0
    for thing in things:
        batch.append(thing)
        weight = weigh(thing)
        batch_bytes += weight
        pages += weight > 0
        if pages == BATCH_PAGES or batch_bytes >= BATCH_BYTES or len(batch) == BATCH_ITEMS:
            yield batch
            batch, batch_bytes, pages = [], 0, 0
    if batch:
        yield batch
