"""Records of a batch -> records to publish: decode, ask the cache, clean, encode.

This is the one place where an error of a page becomes a dead letter; nothing that a page does
leaves it as an exception.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, Protocol, TypeVar

from models.document import Document, Page
from models.errors import InvalidPage, Reason
from streams.cache import CachedResult, CacheKey, ResultCache, cache_key
from streams.deadletters import Stage, dead_letter
from streams.messages import Published, encode, records_of, refreshed
from streams.pages import page_from
from streams.records import Incoming, Outgoing
from streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES, RECORD_FRAMING_BYTES, TopicNames

T = TypeVar("T")


class PageCleaner(Protocol):
    """What turns pages into documents.

    Attributes:
        fingerprint: names engine, options and model: equal fingerprints clean alike.
    """

    fingerprint: str

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result a page, in order.

        Never raises because of a page; releases the GIL; may be called from any thread.
        """
        ...


class Unchanged(StrEnum):
    """What a page gives whose cached result still holds."""

    REPUBLISH = "republish"  # document and stats again
    STATS_ONLY = "stats-only"  # the reader already has the document


class Outcome(StrEnum):
    """What became of one record."""

    DOCUMENT = "document"
    CACHED = "cached"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Result:
    """One record of the batch with what it gives.

    Attributes:
        error: why there is no document; None if there is one.
        document: only when it was cleaned just now.
    """

    record: Incoming
    outcome: Outcome
    outgoing: tuple[Outgoing, ...]
    error: InvalidPage | None = None
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class BatchResult:
    """All results of a batch, in the order of its records, and the seconds of each stage."""

    results: tuple[Result, ...]
    stage_seconds: dict[str, float]


class Bugs(Protocol):
    """Is told of errors of ours, with the traceback at hand."""

    def bug(self, source: str, stage: Stage, error: BaseException) -> None:
        """Record one; `source` is where the page is."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How a batch is worked on."""

    topics: TopicNames
    unchanged: Unchanged = Unchanged.REPUBLISH
    max_page_bytes: int = MAX_PAGE_BYTES


@dataclass(slots=True)
class _Work:
    """One record on its way; exactly one of `error` and `published` is set in the end."""

    record: Incoming
    page: Page | None = None
    digest: str = ""
    key: CacheKey | None = None
    cached: CachedResult | None = None
    document: Document | None = None
    published: Published | None = None
    error: InvalidPage | None = None
    stage: Stage = Stage.DECODE


class BatchCleaner:
    """Works on batches: heavy steps in `executor`, the cache on the event loop."""

    def __init__(
        self,
        cleaner: PageCleaner,
        cache: ResultCache,
        executor: Executor,
        options: Options,
        bugs: Bugs,
    ) -> None:
        """Keep the parts; the caller closes cache and executor."""
        self._cleaner = cleaner
        self._cache = cache
        self._executor = executor
        self._options = options
        self._bugs = bugs

    async def clean(self, records: Sequence[Incoming]) -> BatchResult:
        """Return what the records give; publishes nothing."""
        works = [_Work(record) for record in records]
        seconds: dict[str, float] = {}
        await self._timed(seconds, "decode", self._in_thread(self._decode, works))
        await self._timed(seconds, "cache", self._look_up(works))
        await self._timed(seconds, "clean", self._in_thread(self._clean, works))
        await self._timed(seconds, "encode", self._in_thread(self._encode, works))
        return BatchResult(tuple(self._result(work) for work in works), seconds)

    async def remember(self, batch: BatchResult) -> None:
        """Store fresh results in the cache; called once the brokers have them."""
        items = {
            self._key(result.document.url): CachedResult(
                result.document.content_digest,
                result.outgoing[0].value or b"",
                result.outgoing[1].value or b"",
            )
            for result in batch.results
            if result.outcome is Outcome.DOCUMENT and result.document
        }
        if items:
            await self._cache.put_many(items)
