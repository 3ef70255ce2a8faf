"""Records of a batch -> records to publish: decode, ask the cache, clean, encode.

This is the one place where an error of a page becomes a dead letter; nothing that a page does
leaves it as an exception.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, TypeVar

from models.document import Document, Page, PageStats
from models.errors import InvalidPage, Reason
from streams.cache import CachedResult, CacheKey, ResultCache, StoredResult, cache_key
from streams.deadletters import Stage, dead_letter
from streams.errors import DamagedValue, ForeignResult
from streams.messages import Published, encode, records_of
from streams.pages import page_from
from streams.records import Incoming, Outgoing
from streams.stored_messages import repeated
from streams.suspects import BugReport as BugReport
from streams.suspects import CarefulCleaner, HandNotes, NoNotes, bug_of, given_up, groups, identity
from streams.suspects import PageCleaner as PageCleaner
from streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES, RECORD_FRAMING_BYTES, TopicNames

T = TypeVar("T")
NO_NOTES: Final = NoNotes()


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
class Options:
    """How batches are worked on.

    Attributes:
        max_page_bytes: a larger body is refused.
        max_record_bytes: what every topic takes.
        notes: what pages in hand are remembered by.
    """

    topics: TopicNames
    unchanged: Unchanged = Unchanged.REPUBLISH
    max_page_bytes: int = MAX_PAGE_BYTES
    max_record_bytes: int = MAX_RECORD_BYTES
    notes: HandNotes = NO_NOTES


@dataclass(frozen=True, slots=True)
class Result:
    """One record of a batch with what it gives.

    Attributes:
        outgoing: what to publish.
        error: why there is no document; None if there is one.
        stage: where the page was given up; None if it was not.
        stats: of a page that was cleaned just now.
        model_digest: the language model that scored it then.
        fresh: what to remember once it is published, and under which key.
    """

    record: Incoming
    outcome: Outcome
    outgoing: tuple[Outgoing, ...]
    error: InvalidPage | None = None
    stage: Stage | None = None
    stats: PageStats | None = None
    model_digest: str = ""
    fresh: tuple[CacheKey, CachedResult] | None = None


@dataclass(frozen=True, slots=True)
class BatchResult:
    """All results of a batch, in the order of its records, and the wall seconds of each stage."""

    results: tuple[Result, ...]
    stage_seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Decoded:
    record: Incoming
    page: Page
    key: CacheKey


class BatchCleaner:
    """Works on batches: the heavy steps in `executor`, the cache on the event loop."""

    def __init__(
        self,
        cleaner: PageCleaner,
        cache: ResultCache,
        executor: Executor,
        options: Options,
        report_bug: BugReport,
    ) -> None:
        """Keep the parts; the caller closes cache and executor."""
        self._cached_as = _cached_as(cleaner.fingerprint, options)
        self._careful = CarefulCleaner(cleaner, report_bug)
        self._cache = cache
        self._executor = executor
        self._options = options
        self._report_bug = report_bug
        self._unpublished: dict[str, Result] = {}

    async def clean(self, records: Sequence[Incoming]) -> BatchResult:
        """Return what the records give; publishes nothing."""
        kept = [self._kept(record) for record in records]
        new = [record for record, result in zip(records, kept, strict=True) if result is None]
        batch = await self._clean_noted(new)
        given = iter(batch.results)
        return BatchResult(tuple(each or next(given) for each in kept), batch.stage_seconds)

    def _kept(self, record: Incoming) -> Result | None:
        """Return what an unpublished batch held of this very record."""
        result = self._unpublished.get(record.source)
        return result if result and result.record == record else None

    async def _clean_noted(self, records: Sequence[Incoming]) -> BatchResult:
        """Take records in hand, suspects one by one, and note them before anything is read."""
        notes = self._options.notes
        results: dict[int, Result] = {}
        seconds: Counter[str] = Counter()
        for places in groups(records, notes):
            taken = [records[place] for place in places]
            if len(taken) == 1 and (error := given_up(taken[0], notes)):
                results[places[0]] = self._dead(taken[0], error, Stage.CLEAN)
                continue
            with notes.in_hand([identity(record) for record in taken]):
                batch = await self._clean(taken)
            results.update(zip(places, batch.results, strict=True))
            seconds.update(batch.stage_seconds)
        return BatchResult(tuple(results[place] for place in range(len(records))), dict(seconds))

    async def _clean(self, records: Sequence[Incoming]) -> BatchResult:
        loop = asyncio.get_running_loop()
        started = time.perf_counter()
        decoded = await loop.run_in_executor(self._executor, self._decode_all, records)
        decoded_at = time.perf_counter()
        pages = [each for each in decoded if isinstance(each, _Decoded)]
        found = await self._look_up(pages)
        looked_up_at = time.perf_counter()
        cleaned = await loop.run_in_executor(self._executor, self._finish_all, pages, found)
        finished_at = time.perf_counter()
        given = iter(cleaned)
        return BatchResult(
            tuple(next(given) if isinstance(each, _Decoded) else each for each in decoded),
            {
                "decode": decoded_at - started,
                "cache": looked_up_at - decoded_at,
                "clean": finished_at - looked_up_at,
            },
        )

    async def remember(self, batch: BatchResult) -> None:
        """Store fresh results in the cache; called once the brokers have them."""
        fresh = dict(result.fresh for result in batch.results if result.fresh)
        if fresh:
            await self._cache.put_many(fresh)

    def keep(self, batch: BatchResult) -> None:
        """Hold the results of a batch that is not published, until there is another such.

        Most often its records come again at once. If cleaning them takes longer than the session
        of the group, this is what ends the circle.
        """
        self._unpublished = {result.record.source: result for result in batch.results}

    def _decode_all(self, records: Sequence[Incoming]) -> list[_Decoded | Result]:
        return [self._decode(record) for record in records]

    def _decode(self, record: Incoming) -> _Decoded | Result:
        page = self._guarded(record, page_from, record, self._options.max_page_bytes)
        if isinstance(page, InvalidPage):
            return self._dead(record, page, Stage.DECODE)
        key = cache_key(self._cached_as, page.url, page.content_type)
        return _Decoded(record, page, key)

    async def _look_up(self, pages: Sequence[_Decoded]) -> Sequence[StoredResult | None]:
        return await self._cache.get_many([each.key for each in pages]) if pages else []

    def _finish_all(
        self, pages: Sequence[_Decoded], found: Sequence[StoredResult | None]
    ) -> list[Result]:
        again = [
            self._repeat(each, hit) if hit else None for each, hit in zip(pages, found, strict=True)
        ]
        misses = [each for each, result in zip(pages, again, strict=True) if result is None]
        cleaned = iter(
            self._careful.clean([each.record for each in misses], [each.page for each in misses])
        )
        return [
            result or self._publish(each, next(cleaned))
            for each, result in zip(pages, again, strict=True)
        ]

    def _publish(self, each: _Decoded, cleaned: Document | InvalidPage) -> Result:
        if isinstance(cleaned, InvalidPage):
            return self._dead(each.record, cleaned, Stage.CLEAN)
        published = self._guarded(each.record, encode, cleaned)
        if isinstance(published, InvalidPage):
            return self._dead(each.record, published, Stage.ENCODE)
        outgoing = records_of(each.page.url, published, each.record, self._options.topics)
        if not self._fits(outgoing):
            largest = max(record.record_bytes for record in outgoing)
            too_large = InvalidPage(Reason.TOO_LARGE, f"a result of {largest} bytes")
            return self._dead(each.record, too_large, Stage.ENCODE)
        result = CachedResult(cleaned.content_digest, published.document, published.stats)
        return Result(
            each.record,
            Outcome.DOCUMENT,
            outgoing,
            stats=cleaned.stats,
            model_digest=cleaned.model_digest,
            fresh=(each.key, result),
        )

    def _repeat(self, each: _Decoded, stored: StoredResult) -> Result | None:
        """Return what an unchanged page gives, None if it has changed or the result is not ours."""
        # the digest of a page costs as much as the rest of its way: only where it is compared
        content_digest = sha256(each.page.body).hexdigest()
        if stored.content_digest != content_digest:
            return None
        try:
            hit = stored.open()
            published = repeated(Published(hit.document, hit.stats), each.page, content_digest)
        except (DamagedValue, ForeignResult):
            self._cache.count_damaged()
            return None
        both = records_of(each.page.url, published, each.record, self._options.topics)
        if not self._fits(both):
            return None
        republishes = self._options.unchanged is Unchanged.REPUBLISH
        return Result(each.record, Outcome.CACHED, both if republishes else both[1:])

    def _fits(self, outgoing: Sequence[Outgoing]) -> bool:
        largest = max(record.record_bytes for record in outgoing)
        return largest + RECORD_FRAMING_BYTES <= self._options.max_record_bytes

    def _guarded(self, record: Incoming, step: Callable[..., T], *given: object) -> T | InvalidPage:
        try:
            return step(*given)
        except InvalidPage as error:
            return error.as_value()
        except Exception as error:  # noqa: BLE001 - the boundary: our bug becomes a dead letter
            return bug_of(record, error, self._report_bug)

    def _dead(self, record: Incoming, error: InvalidPage, stage: Stage) -> Result:
        letter = dead_letter(
            record, error, stage, self._options.topics.dead, self._options.max_record_bytes
        )
        return Result(record, Outcome.DEAD, (letter,), error, stage)


def _cached_as(fingerprint: str, options: Options) -> str:
    """Return what results are cached under: of the topic, if its readers get them only once."""
    if options.unchanged is Unchanged.REPUBLISH:
        return fingerprint
    return f"{fingerprint}:{options.topics.documents}"
