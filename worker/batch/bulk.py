"""Work on many things in order, in batches that are bounded in count and bytes."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.streams.isolation import PageCleaner, clean_each

# One kernel call a batch: enough pages to make its cost vanish, few enough bytes to stay small.
BATCH_PAGES: Final = 32
BATCH_BYTES: Final = 16 << 20
BATCH_ITEMS: Final = 1024  # those that need no work too
PAGE_SECONDS: Final = 120.0  # of one page, as WINNOW_STUCK_SECONDS is for a worker

Candidate = Page | InvalidPage
Cleaned = Document | InvalidPage
T = TypeVar("T")
R = TypeVar("R")
BatchWork = Callable[[Sequence[T]], list[R]]


class Part(Protocol[T]):
    """Things in a row that a process reads by itself; it is pickled."""

    def things(self) -> Generator[T, None, object]:
        """Yield them in order, and return where they end."""

    def following(self, ended: Any) -> "Part[T] | None":  # noqa: ANN401 - what `things` returns
        """Return the part as it is behind one that ended there; itself if it begins there."""

    def behind(self, thing: T) -> "Part[T]":
        """Return what is left behind a thing of it."""


Task = list[T] | Part[T]


@dataclass(frozen=True, slots=True)
class Work(Generic[T, R]):
    """What is done to each of many things.

    Attributes:
        build: returns what works on a batch; called once in each process. All are pickled.
        weigh: bytes of one thing; 0 for what needs no work.
        weigh_result: bytes of one result.
        lost: the result of a thing that takes too long, or ends the process which works on it.
    """

    build: Callable[[], BatchWork[T, R]]
    weigh: Callable[[T], int]
    weigh_result: Callable[[R], int]
    lost: Callable[[T, InvalidPage], R]


@dataclass(frozen=True, slots=True)
class Jobs:
    """Who works, and for how long.

    Attributes:
        count: processes.
        page_seconds: the longest that one thing may take.
    """

    count: int = 1
    page_seconds: float = PAGE_SECONDS


def clean_batch(cleaner: PageCleaner, batch: Sequence[Candidate]) -> list[Cleaned]:
    """Clean the pages of a batch; what is invalid already stays in its place."""
    pages = [item for item in batch if isinstance(item, Page)]
    cleaned = iter(clean_each(cleaner, pages, [page.url for page in pages], _unreported))
    return [next(cleaned) if isinstance(item, Page) else item for item in batch]


def _unreported(source: str, error: BaseException) -> None:
    """Say nothing: the result of the page names the error."""


def batches(things: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Group what comes into lists of at most `BATCH_PAGES` with work, about `BATCH_BYTES`."""
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
