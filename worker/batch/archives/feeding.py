"""How far the feeding of a topic is: up to where all pages are stored by the brokers."""

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

WRITE_SECONDS: Final = 1.0  # what a kill can have published twice

_KIND: Final = "winnow publish, version 1"


@dataclass(frozen=True, slots=True)
class FeedPlan:
    """What has to be the same for a feed to go on.

    Attributes:
        topic: that is fed.
        url_prefix: of the URLs of files.
        inputs: how many files.
        inputs_digest: of their names and sizes in their order.
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
    """What is published.

    Attributes:
        file: number of the input file to read on in.
        position: where to read on in it.
        stored: how many pages before that the brokers have.
        passed: how much before that was no page.
        is_complete: nothing is left to do.
    """

    plan: FeedPlan
    file: int = 0
    position: Position = BEGIN
    stored: int = 0
    passed: int = 0
    is_complete: bool = False


def read_feed(path: Path, plan: FeedPlan) -> FeedLedger:
    """Return how far a feed is; without a file it begins.

    Raises:
        OtherRunError: the file is of another feed, or none of ours.
        OSError: it cannot be read.
    """
    if not path.exists():
        return FeedLedger(plan)
    try:
        fields = orjson.loads(path.read_bytes())
        if fields.pop("kind") != _KIND:
            raise OtherRunError("is no ledger of winnow publish")
        there = typed(FeedPlan, fields["plan"])
        position = typed(Position, fields["position"])
        ledger = typed(FeedLedger, fields | {"plan": there, "position": position})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise OtherRunError(f"is no ledger of winnow publish: {error}") from None
    for name, value in asdict(plan).items():
        if getattr(there, name) != value:
            was = getattr(there, name)
            raise OtherRunError(f"is of another feed: {name} was {was!r}, and is {value!r}")
    return ledger


def write_feed(path: Path, ledger: FeedLedger) -> None:
    """Write it in the place of the last one.

    Raises:
        OSError: the disk is full, or the like; the last one still holds.
    """
    content = orjson.dumps({"kind": _KIND, **asdict(ledger)}, option=orjson.OPT_INDENT_2)
    LocalFolder(path.parent).replace(path.name, content + b"\n")


class Mark:
    """A place of the input, and whether all that stands there is done."""

    __slots__ = ("_feed", "file", "is_done", "is_page", "position")

    def __init__(self, feed: "Feed", file: int, position: Position) -> None:
        """Begin with nothing done."""
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
    """Follows what is sent in order and stored in any order.

    The ledger goes no further than the first page that is not stored: that one and all behind it
    are published by the run that goes on, some a second time.
    """

    def __init__(
        self,
        ledger: FeedLedger,
        write: Callable[[FeedLedger], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Go on where the ledger says."""
        self.ledger = ledger
        self._write = write
        self._clock = clock
        self._written = clock()
        self._waiting: deque[Mark] = deque()
        self._has_failed = False

    def mark(self, file: int, position: Position) -> Mark:
        """Return what is told what becomes of the next entry; `position` is behind it."""
        mark = Mark(self, file, position)
        if not self._has_failed:
            self._waiting.append(mark)
        return mark

    def fail(self) -> None:
        """Go no further: a page was not stored."""
        self._has_failed = True

    def settle(self) -> None:
        """Take all that is done from the front, and write the ledger now and then."""
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
        """Write the ledger as it is."""
        self._write(self.ledger)
        self._written = self._clock()

    def finish(self) -> None:
        """Write that nothing is left, if nothing is."""
        is_complete = not self._waiting and not self._has_failed
        self.ledger = replace(self.ledger, is_complete=is_complete)
        self.write()
