"""Records of a batch -> records to publish: decode, look up in the cache, clean, encode.

This is the one place where an error of a page becomes a dead letter. No exception that a page
causes leaves it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.cache.results import (
    CachedResult,
    CacheKey,
    ResultCache,
    StoredResult,
    cache_key,
    page_digest,
)
from winnow.streams.cache.stored_messages import repeated, unchanged
from winnow.streams.deadletters import Stage, dead_letter
from winnow.streams.deletions import Deletions
from winnow.streams.errors import DamagedValue, ForeignResult
from winnow.streams.isolation import (
    BugReport,
    CrashNotes,
    NoCrashNotes,
    PageCleaner,
    bug_of,
    clean_each,
    given_up,
    groups,
    identity,
)
from winnow.streams.messages import (
    Figures,
    Published,
    encode,
    figures_of,
    records_of,
    tombstones_of,
)
from winnow.streams.outcomes import (
    BatchResult,
    CleanedPage,
    DeadPage,
    Outcome,
    RepeatedPage,
    Result,
    WithoutPage,
)
from winnow.streams.pages import Deleted, Fetched, Skipped, arrival_from
from winnow.streams.pass_through import Passed, PassThrough
from winnow.streams.records import Incoming, Outgoing
from winnow.streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES, RECORD_FRAMING_BYTES, TopicNames

T = TypeVar("T")
NO_CRASH_NOTES: Final = NoCrashNotes()
PASS_ALL: Final = PassThrough()
# on sites outside the training data: 6 % of the pages, and half of those whose F1 is below .8
DOUBTFUL_BELOW: Final = 0.8


class Unchanged(StrEnum):
    """What to publish for a page whose cached result is still valid."""

    REPUBLISH = "republish"  # document and stats again
    STATS_ONLY = "stats-only"  # the reader already has the document


@dataclass(frozen=True, slots=True)
class Options:
    """Options for cleaning batches.

    Attributes:
        max_page_bytes: larger bodies become dead letters.
        max_record_bytes: the largest record that every topic accepts.
        passing: which crawler headers and metadata are copied to the outputs.
        notes: crash notes: the pages that were in flight when a process ended.
        doubtful_below: documents of lower confidence are copied to the topic for doubtful ones.
    """

    topics: TopicNames
    unchanged: Unchanged = Unchanged.REPUBLISH
    max_page_bytes: int = MAX_PAGE_BYTES
    max_record_bytes: int = MAX_RECORD_BYTES
    notes: CrashNotes = NO_CRASH_NOTES
    passing: PassThrough = PASS_ALL
    doubtful_below: float = DOUBTFUL_BELOW


@dataclass(frozen=True, slots=True)
class _Decoded:
    record: Incoming
    page: Page
    key: CacheKey
    passed: Passed


class BatchCleaner:
    """Cleans batches: the heavy steps run in `executor`, the cache on the event loop."""

    def __init__(
        self,
        cleaner: PageCleaner,
        cache: ResultCache,
        executor: Executor,
        options: Options,
        report_bug: BugReport,
    ) -> None:
        """Store the parts; the caller closes cache and executor."""
        self._cached_as = _cached_as(cleaner.fingerprint, options)
        self._cleaner = cleaner
        self._cache = cache
        self._executor = executor
        self._options = options
        self._report_bug = report_bug
        self._unpublished: dict[str, Result] = {}
        self._deletions = Deletions(cache)

    async def clean(self, records: Sequence[Incoming]) -> BatchResult:
        """Return the results of the records; publishes nothing."""
        kept = [self._kept(record) for record in records]
        new = [record for record, result in zip(records, kept, strict=True) if result is None]
        batch = await self._clean_noted(new)
        given = iter(batch.results)
        results = tuple(each or self._settled(next(given)) for each in kept)
        return BatchResult(results, batch.stage_seconds)

    def _kept(self, record: Incoming) -> Result | None:
        """Return the result of this same record from an unpublished batch, if there is one."""
        result = self._unpublished.get(record.source)
        return result if result and result.record == record else None

    def _settled(self, result: Result) -> Result:
        """Return the result in its place of the batch: statistics alone for a known document.

        The document is published again if the page was deleted in between. The cache lookup cannot
        show that: the deletion may be in this batch, or in the previous one, which may still be in
        work.
        """
        if self._options.unchanged is Unchanged.REPUBLISH:
            return result
        if isinstance(result, WithoutPage) and result.outcome is Outcome.DELETED:
            self._deletions.see(self._key(result.url), result.record.source)
        if isinstance(result, RepeatedPage) and self._key(result.url) not in self._deletions:
            stats = self._options.topics.stats
            only_stats = tuple(each for each in result.outgoing if each.topic == stats)
            return replace(result, outgoing=only_stats)
        return result

    def _key(self, url: str) -> CacheKey:
        return cache_key(self._cached_as, url)

    async def _clean_noted(self, records: Sequence[Incoming]) -> BatchResult:
        """Note records before any is read; those that crashed a process are cleaned one by one."""
        notes = self._options.notes
        results: dict[int, Result] = {}
        seconds: Counter[str] = Counter()
        for places in groups(records, notes):
            taken = [records[place] for place in places]
            if len(taken) == 1 and (error := given_up(taken[0], notes)):
                results[places[0]] = self._dead(taken[0], error, Stage.CLEAN)
                continue
            with notes.in_flight([identity(record) for record in taken]):
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
        """Cache new results and forget deleted ones, after the brokers stored all records."""
        fresh: dict[CacheKey, CachedResult] = {}
        for result in batch.results:
            if isinstance(result, CleanedPage):
                fresh[result.key] = result.cached
            elif isinstance(result, WithoutPage) and result.outcome is Outcome.DELETED:
                key = self._key(result.url)
                fresh.pop(key, None)
                self._deletions.publish(key, result.record.source)
        await self._deletions.forget()
        if fresh:
            await self._cache.put_many(fresh)

    def keep(self, batch: BatchResult) -> None:
        """Hold the results of an unpublished batch until the next such batch.

        Usually its records come again at once. If cleaning them takes longer than the session of
        the group, the held results end the loop.
        """
        self._unpublished = {result.record.source: result for result in batch.results}

    def _decode_all(self, records: Sequence[Incoming]) -> list[_Decoded | Result]:
        return [self._decode(record) for record in records]

    def _decode(self, record: Incoming) -> _Decoded | Result:
        arrival = self._guarded(record, arrival_from, record, self._options.max_page_bytes)
        if isinstance(arrival, InvalidPage):
            return self._dead(record, arrival, Stage.DECODE)
        passed = self._guarded(record, self._options.passing.passed, record, arrival.meta)
        if isinstance(passed, InvalidPage):
            return self._dead(record, passed, Stage.DECODE)
        if isinstance(arrival, Fetched):
            return _Decoded(record, arrival.page, self._key(arrival.url), passed)
        return self._without_page(record, arrival, passed)

    def _without_page(self, record: Incoming, arrival: Deleted | Skipped, passed: Passed) -> Result:
        outcome, outgoing = Outcome.SKIPPED, tuple[Outgoing, ...]()
        if isinstance(arrival, Deleted):
            outcome = Outcome.DELETED
            outgoing = tombstones_of(arrival.url, record, self._options.topics, passed)
        return WithoutPage(record, outgoing, outcome, arrival.url, arrival.status, passed)

    async def _look_up(self, pages: Sequence[_Decoded]) -> Sequence[StoredResult | None]:
        return await self._cache.get_many([each.key for each in pages]) if pages else []

    def _finish_all(
        self, pages: Sequence[_Decoded], found: Sequence[StoredResult | None]
    ) -> list[Result]:
        digests = unchanged([each.page for each in pages], found)
        given = zip(pages, found, digests, strict=True)
        again = [
            self._repeat(each, hit, digest) if hit and digest else None
            for each, hit, digest in given
        ]
        misses = [each for each, result in zip(pages, again, strict=True) if result is None]
        to_clean = [each.page for each in misses]
        sources = [each.record.source for each in misses]
        cleaned = iter(clean_each(self._cleaner, to_clean, sources, self._report_bug))
        return [
            result or self._publish(each, next(cleaned))
            for each, result in zip(pages, again, strict=True)
        ]

    def _publish(self, each: _Decoded, cleaned: Document | InvalidPage) -> Result:
        if isinstance(cleaned, InvalidPage):
            return self._dead(each.record, cleaned, Stage.CLEAN)
        encoded = self._guarded(each.record, _encoded, cleaned)
        if isinstance(encoded, InvalidPage):
            return self._dead(each.record, encoded, Stage.ENCODE)
        published, figures = encoded
        outgoing = self._records(each, published)
        if not self._fits(outgoing):
            largest = max(record.record_bytes for record in outgoing)
            too_large = InvalidPage(Reason.TOO_LARGE, f"a result of {largest} bytes")
            return self._dead(each.record, too_large, Stage.ENCODE)
        page = each.page
        digest = page_digest(figures.content_digest, page.content_type, page.robots_tag)
        return CleanedPage(
            each.record,
            outgoing,
            each.page.url,
            each.passed,
            figures,
            each.key,
            CachedResult(digest, published.document, published.stats),
        )

    def _repeat(self, each: _Decoded, stored: StoredResult, digest: str) -> Result | None:
        """Return the result of an unchanged page, None if the stored one is damaged."""
        try:
            hit = stored.open()
            published = repeated(Published(hit.document, hit.stats), each.page, digest)
        except (DamagedValue, ForeignResult):
            self._cache.count_damaged()
            return None
        records = self._records(each, published)
        if not self._fits(records):
            return None
        return RepeatedPage(each.record, records, each.page.url, each.passed)

    def _records(self, each: _Decoded, published: Published) -> tuple[Outgoing, ...]:
        """Return document and statistics, plus a copy of the document if it is doubtful."""
        topics = self._options.topics
        document, stats = records_of(each.page.url, published, each.record, topics, each.passed)
        confidence = published.confidence
        if not topics.doubtful or confidence is None or confidence >= self._options.doubtful_below:
            return document, stats
        return document, stats, replace(document, topic=topics.doubtful)

    def _fits(self, outgoing: Sequence[Outgoing]) -> bool:
        largest = max(record.record_bytes for record in outgoing)
        return largest + RECORD_FRAMING_BYTES <= self._options.max_record_bytes

    def _guarded(self, record: Incoming, step: Callable[..., T], *given: object) -> T | InvalidPage:
        try:
            return step(*given)
        except InvalidPage as error:
            return error.as_value()
        except Exception as error:  # noqa: BLE001 - the boundary: our bug becomes a dead letter
            self._report_bug(record.source, error)
            return bug_of(error)

    def _dead(self, record: Incoming, error: InvalidPage, stage: Stage) -> DeadPage:
        options = self._options
        letter = dead_letter(
            record,
            error,
            stage,
            options.topics.dead,
            max_bytes=options.max_record_bytes,
            passing=options.passing,
        )
        return DeadPage(record, (letter,), error, stage)


def _encoded(document: Document) -> tuple[Published, Figures]:
    published = encode(document)
    return published, figures_of(published.stats)


def _cached_as(fingerprint: str, options: Options) -> str:
    """Return the prefix of cache keys; it has the topic if readers get a result only once."""
    if options.unchanged is Unchanged.REPUBLISH:
        return fingerprint
    return f"{fingerprint}:{options.topics.documents}:{options.topics.doubtful}"
