"""The result of one record: a document, an unchanged document, nothing or a dead letter."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from winnow.models.errors import InvalidPage
from winnow.streams.cache.results import CachedResult, CacheKey
from winnow.streams.deadletters import Stage
from winnow.streams.messages import Figures
from winnow.streams.pass_through import NOTHING, Passed
from winnow.streams.records import Incoming, Outgoing


class Outcome(StrEnum):
    """The outcome of one record."""

    DOCUMENT = "document"
    CACHED = "cached"
    DELETED = "deleted"  # tombstones were published
    SKIPPED = "skipped"  # because of its status: nothing was published
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class _Given:
    """A record and the records to publish for it."""

    record: Incoming
    outgoing: tuple[Outgoing, ...]

    @property
    def published_bytes(self) -> int:
        """Bytes of all keys, values and headers to publish."""
        return sum(out.record_bytes for out in self.outgoing)


@dataclass(frozen=True, slots=True)
class CleanedPage(_Given):
    """A page that was cleaned now.

    Attributes:
        passed: the crawler's headers and metadata that are copied, and those left out.
        figures: what logs and metrics say of it.
        key: cache key of its result.
        cached: the result to cache once the records are published.
    """

    url: str
    passed: Passed
    figures: Figures
    key: CacheKey
    cached: CachedResult
    outcome: ClassVar[Outcome] = Outcome.DOCUMENT


@dataclass(frozen=True, slots=True)
class RepeatedPage(_Given):
    """An unchanged page whose result was in the cache."""

    url: str
    passed: Passed = NOTHING
    outcome: ClassVar[Outcome] = Outcome.CACHED


@dataclass(frozen=True, slots=True)
class WithoutPage(_Given):
    """A record without a page to clean.

    Attributes:
        outcome: `DELETED` or `SKIPPED`.
        status: the HTTP status that caused it; None if the record is a tombstone.
    """

    outcome: Outcome
    url: str
    status: int | None = None
    passed: Passed = NOTHING


@dataclass(frozen=True, slots=True)
class DeadPage(_Given):
    """A page that becomes a dead letter.

    Attributes:
        error: why.
        stage: the stage at which the page was given up.
    """

    error: InvalidPage
    stage: Stage
    passed: ClassVar[Passed] = NOTHING
    outcome: ClassVar[Outcome] = Outcome.DEAD


Result = CleanedPage | RepeatedPage | WithoutPage | DeadPage


@dataclass(frozen=True, slots=True)
class BatchResult:
    """All results of a batch, in the order of its records, and the seconds of each stage."""

    results: tuple[Result, ...]
    stage_seconds: dict[str, float]
