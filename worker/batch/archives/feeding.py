"""The progress of feeding a topic: the place up to which the brokers have all pages."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import orjson

from winnow.worker.batch.archives.entries import BEGIN, Position
from winnow.worker.batch.archives.folders import LocalFolder
from winnow.worker.batch.archives.ledger import OtherRunError, digest_of_inputs, typed
from winnow.worker.batch.archives.run import Source

WRITE_SECONDS: Final = 1.0  # after a kill, pages of this time may be published twice

_KIND: Final = "winnow publish, version 1"


@dataclass(frozen=True, slots=True)
class FeedPlan:
    """The values that must be the same to continue a feed.

    Attributes:
        topic: the topic.
        url_prefix: prefix of the URLs of files.
        inputs: number of files.
        inputs_digest: digest of their names and sizes, in order.
    """

    topic: str
    url_prefix: str
    inputs: int
    inputs_digest: str

    @classmethod
    def of(cls, source: Source, topic: str, url_prefix: str) -> "FeedPlan":
        """Return the plan of a command."""
        pairs = zip(source.inputs, source.sizes(), strict=True)
        digest = digest_of_inputs((str(found.path), size) for found, size in pairs)
        return cls(topic, url_prefix, len(source.inputs), digest)


@dataclass(frozen=True, slots=True)
class FeedLedger:
    """The progress of a feed.

    Attributes:
        file: number of the input file to continue in.
        position: where to continue in it.
        stored: number of pages before it that the brokers have.
        passed: number of entries before it that are not pages.
        is_complete: whether the feed is finished.
    """

    plan: FeedPlan
    file: int = 0
    position: Position = BEGIN
    stored: int = 0
    passed: int = 0
    is_complete: bool = False


def read_feed(path: Path, plan: FeedPlan) -> FeedLedger:
    """Return the progress of a feed; without a file it starts.

    Raises:
        OtherRunError: the file belongs to another feed, or is not a ledger.
        OSError: it cannot be read.
    """
    if not path.exists():
        return FeedLedger(plan)
    try:
        fields = orjson.loads(path.read_bytes())
        if fields.pop("kind") != _KIND:
            raise OtherRunError("is not a ledger of winnow publish")
        there = typed(FeedPlan, fields["plan"])
        position = typed(Position, fields["position"])
        ledger = typed(FeedLedger, fields | {"plan": there, "position": position})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise OtherRunError(f"is not a ledger of winnow publish: {error}") from None
    for name, value in asdict(plan).items():
        if getattr(there, name) != value:
            was = getattr(there, name)
            raise OtherRunError(f"belongs to another feed: {name} was {was!r}, now {value!r}")
    return ledger


def write_feed(path: Path, ledger: FeedLedger) -> None:
    """Replace the previous ledger.

    Raises:
        OSError: the disk is full, for example; the previous ledger is unchanged.
    """
    content = orjson.dumps({"kind": _KIND, **asdict(ledger)}, option=orjson.OPT_INDENT_2)
    LocalFolder(path.parent).replace(path.name, content + b"\n")


class Mark:
    """A place of the input, and whether its entry is done."""

    __slots__ = ("_feed", "file", "is_done", "is_page", "position")

    def __init__(self, feed: "Feed", file: int, position: Position) -> None:
        """Start as not done."""
        self._feed = feed
        self.file = file
        self.position = position
        self.is_done = False
        self.is_page = False

    def stored(self) -> None:
        """The brokers have the page."""
        self.is_page = True
        self.passed()

    def passed(self) -> None:
        """There is no page to publish."""
        self.is_done = True
        self._feed.settle()


class Feed:
    """Follows entries that are sent in order and stored in any order.

    The ledger stops before the first page that is not stored. The next run publishes this page
    and all later ones, some of them a second time.
    """

    def __init__(
        self,
        ledger: FeedLedger,
        write: Callable[[FeedLedger], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Continue where the ledger ends."""
        self.ledger = ledger
        self._write = write
        self._clock = clock
        self._written = clock()
        self._waiting: deque[Mark] = deque()
        self._has_failed = False

    def mark(self, file: int, position: Position) -> Mark:
        """Return an object to report the next entry's outcome to; `position` is after the entry."""
        mark = Mark(self, file, position)
        if not self._has_failed:
            self._waiting.append(mark)
        return mark

    def fail(self) -> None:
        """Stop the ledger here: a page was not stored."""
        self._has_failed = True

    def settle(self) -> None:
        """Remove finished entries from the front, and write the ledger at intervals."""
        while self._waiting and self._waiting[0].is_done:
            mark = self._waiting.popleft()
            self.ledger = replace(
                self.ledger,
                file=mark.file,
                position=mark.position,
                stored=self.ledger.stored + mark.is_page,
                passed=self.ledger.passed + (not mark.is_page),
            )
        if self._clock() - self._written >= WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        """Write the ledger now."""
        self._write(self.ledger)
        self._written = self._clock()

    def finish(self) -> None:
        """Write that the feed is complete, if it is."""
        is_complete = not self._waiting and not self._has_failed
        self.ledger = replace(self.ledger, is_complete=is_complete)
        self.write()
