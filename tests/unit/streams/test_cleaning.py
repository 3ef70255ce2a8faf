"""Every record of a batch gives a document or a dead letter, and no page breaks another."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import orjson
import pytest

from tests.unit.streams.agent_host import Counting
from winnow.models._kernel import SCHEMA_VERSION
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.cache.results import (
    CachedResult,
    CacheKey,
    MemoryCache,
    MemoryCacheLimits,
    ResultCache,
)
from winnow.streams.cleaning import BatchCleaner, Options, Unchanged
from winnow.streams.deadletters import Stage
from winnow.streams.isolation import PageCleaner
from winnow.streams.outcomes import (
    BatchResult,
    CleanedPage,
    DeadPage,
    Outcome,
    Result,
    WithoutPage,
)
from winnow.streams.pass_through import Part, PassThrough
from winnow.streams.records import Incoming
from winnow.streams.topics import TopicNames

RecordBuilder = Callable[..., Incoming]
Setup = Callable[..., BatchCleaner]


class Bugs:
    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def __call__(self, source: str, error: BaseException) -> None:
        self.seen.append((source, type(error).__name__))


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def bugs() -> Bugs:
    return Bugs()


@pytest.fixture
def setup(cleaner: PageCleaner, executor: ThreadPoolExecutor, bugs: Bugs) -> Setup:
    shared = MemoryCache(MemoryCacheLimits(), lambda: 0.0)

    def build(
        options: Options | None = None, by: PageCleaner = cleaner, cache: ResultCache = shared
    ) -> BatchCleaner:
        return BatchCleaner(by, cache, executor, options or Options(TopicNames()), bugs)

    return build


def page(record: RecordBuilder, offset: int, body: bytes | None) -> Incoming:
    return record(body, f"https://example.org/{offset}".encode(), offset=offset)


async def test_clean_gives_a_result_for_each_record_in_order(
    setup: Setup, record: RecordBuilder
) -> None:
    bodies = [b"good", None, b"bad", b"{", b"also good"]
    records = [page(record, offset, body) for offset, body in enumerate(bodies)]

    batch = await setup().clean(records)

    assert [each.record for each in batch.results] == records
    errors = [each.error.reason if isinstance(each, DeadPage) else None for each in batch.results]
    assert errors == [
        None,
        None,
        Reason.TOO_DEEP,
        Reason.UNDECODABLE,
        None,
    ]
    assert [[out.topic for out in each.outgoing] for each in batch.results] == [
        ["winnow.documents", "winnow.stats"],
        ["winnow.documents", "winnow.stats"],
        ["winnow.dead"],
        ["winnow.dead"],
        ["winnow.documents", "winnow.stats"],
    ]
    cleaned = [each for each in batch.results if isinstance(each, CleanedPage)]
    assert [(each.record, each.figures.model_digest) for each in cleaned] == [
        (records[0], "d" * 64),
        (records[4], "d" * 64),
    ]


async def test_a_dead_letter_in_a_batch_keeps_no_page_in_memory(
    setup: Setup, record: RecordBuilder
) -> None:
    bodies = [b"", b'{"url": "https://example.org/", "body_base64": "?"}', b"good"]

    batch = await setup().clean([page(record, offset, body) for offset, body in enumerate(bodies)])

    errors = [each.error for each in batch.results if isinstance(each, DeadPage)]
    assert len(errors) == 2
    assert all(each.__traceback__ is None and each.__context__ is None for each in errors)


@pytest.mark.parametrize(("guilty", "name"), [(b"bug", "RuntimeError"), (b"panic", "Panic")])
async def test_clean_makes_only_the_failing_page_a_dead_letter(
    setup: Setup, record: RecordBuilder, bugs: Bugs, guilty: bytes, name: str
) -> None:
    records = [page(record, offset, body) for offset, body in enumerate([b"a", guilty, b"c"])]

    batch = await setup().clean(records)

    assert [each.outcome for each in batch.results] == [
        Outcome.DOCUMENT,
        Outcome.DEAD,
        Outcome.DOCUMENT,
    ]
    dead = batch.results[1]
    assert isinstance(dead, DeadPage)
    assert (dead.error.reason, dead.error.detail) == (Reason.BUG, name)
    assert bugs.seen == [("winnow.pages/3/1", name)]


async def test_clean_does_not_log_page_text_that_an_error_quotes(
    setup: Setup, record: RecordBuilder
) -> None:
    batch = await setup().clean([page(record, 0, b"bug")])

    (letter,) = batch.results[0].outgoing
    assert all(b"must not get out" not in value for _, value in letter.headers if value)


async def test_clean_makes_all_pages_dead_letters_when_results_are_missing(
    setup: Setup, record: RecordBuilder
) -> None:
    class Short:
        fingerprint = "short"

        def clean_batch(self, pages: object) -> list[object]:
            return []

    batch = await setup(by=Short()).clean([page(record, 0, b"a"), page(record, 1, b"b")])

    assert [each.outcome for each in batch.results] == [Outcome.DEAD, Outcome.DEAD]


async def test_clean_computes_nothing_when_a_page_is_unchanged(
    setup: Setup, record: RecordBuilder, cleaner: Counting
) -> None:
    batches = setup()
    records = [page(record, 0, b"same"), page(record, 1, b"bad")]
    first = await batches.clean(records)
    await batches.remember(first)
    cleaner.batches.clear()

    second = await batches.clean(records)

    assert cleaner.batches == [1]  # only the dead letter is judged again
    assert second.results[0].outcome is Outcome.CACHED
    assert second.results[0].outgoing[0].value == first.results[0].outgoing[0].value
    assert orjson.loads(second.results[0].outgoing[1].value or b"")["cache_hit"] is True


DEEP = b'{"schema_version":%d,"a":%s}' % (SCHEMA_VERSION, b"[" * 400 + b"]" * 400)


@pytest.mark.parametrize(
    "stored",
    [b"", b"{", b"[]", b"null", b"7", b'{"url": "https://example.org/"}', b"[" * 2000, DEEP],
)
@pytest.mark.parametrize("damaged", ["document", "stats"])
async def test_clean_cleans_again_when_the_cached_result_is_foreign(
    setup: Setup, record: RecordBuilder, bugs: Bugs, stored: bytes, damaged: str
) -> None:
    part: dict[str, Any] = {damaged: stored}

    class Damaged(MemoryCache):
        async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
            found = await super().get_many(keys)
            return [replace(hit, **part) if hit else None for hit in found]

    batches = setup(cache=Damaged(MemoryCacheLimits(), lambda: 0.0))
    first = await batches.clean([page(record, 0, b"same")])
    await batches.remember(first)

    batch = await batches.clean([page(record, 0, b"same")])

    assert isinstance(batch.results[0], CleanedPage)
    assert batch.results[0].outgoing[0] == first.results[0].outgoing[0]
    assert bugs.seen == []


def _with_text(document: bytes, text: str) -> bytes:
    return orjson.dumps(orjson.loads(document) | {"text": text}, option=orjson.OPT_SORT_KEYS)


async def test_clean_cleans_again_when_the_cached_result_is_too_large_for_its_topic(
    setup: Setup, record: RecordBuilder
) -> None:
    class Grown(MemoryCache):
        async def get_many(self, keys: Sequence[CacheKey]) -> list[CachedResult | None]:
            found = await super().get_many(keys)
            return [
                replace(hit, document=_with_text(hit.document, "x" * 9000)) if hit else None
                for hit in found
            ]

    options = Options(TopicNames(), max_record_bytes=8192)
    batches = setup(options, cache=Grown(MemoryCacheLimits(), lambda: 0.0))
    await batches.remember(await batches.clean([page(record, 0, b"same")]))

    batch = await batches.clean([page(record, 0, b"same")])

    assert batch.results[0].outcome is Outcome.DOCUMENT


async def test_clean_cleans_again_when_the_content_has_changed(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup()
    await batches.remember(await batches.clean([page(record, 0, b"old")]))

    batch = await batches.clean([page(record, 0, b"new")])

    assert batch.results[0].outcome is Outcome.DOCUMENT


async def test_clean_cleans_again_when_the_content_type_has_changed(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup()
    first, second = (
        record(b"same", headers=(("content-type", b"text/html; charset=" + charset),))
        for charset in (b"windows-1251", b"windows-1252")
    )
    await batches.remember(await batches.clean([first]))

    batch = await batches.clean([second])

    assert batch.results[0].outcome is Outcome.DOCUMENT


async def test_clean_publishes_the_document_for_readers_of_another_topic_when_stats_are_enough(
    setup: Setup, record: RecordBuilder
) -> None:
    one, other = (
        setup(Options(TopicNames(documents=topic), Unchanged.STATS_ONLY)) for topic in ("a", "b")
    )
    await one.remember(await one.clean([page(record, 0, b"same")]))

    batch = await other.clean([page(record, 0, b"same")])

    assert [out.topic for out in batch.results[0].outgoing] == ["b", "winnow.stats"]


async def test_clean_publishes_only_stats_for_an_unchanged_page_when_asked_to(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(Options(TopicNames(), Unchanged.STATS_ONLY))
    await batches.remember(await batches.clean([page(record, 0, b"same")]))

    batch = await batches.clean([page(record, 0, b"same")])

    assert [out.topic for out in batch.results[0].outgoing] == ["winnow.stats"]


async def test_clean_cleans_no_page_twice_whose_batch_was_kept_unpublished(
    setup: Setup, record: RecordBuilder, cleaner: Counting
) -> None:
    batches = setup(Options(TopicNames(), Unchanged.STATS_ONLY))
    records = [page(record, 0, b"same"), page(record, 1, b"bad"), page(record, 2, None)]
    first = await batches.clean(records)
    batches.keep(first)

    again = await batches.clean([*records[1:], page(record, 3, b"new"), records[0]])

    assert cleaner.batches == [2, 1]
    assert again.results[:2] == first.results[1:]
    assert again.results[3] == first.results[0]
    assert [out.topic for out in again.results[2].outgoing] == ["winnow.documents", "winnow.stats"]


async def test_clean_does_not_reuse_a_kept_batch_for_another_record_at_its_offset(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup()
    batches.keep(await batches.clean([page(record, 0, b"bad")]))

    batch = await batches.clean([page(record, 0, b"good")])

    assert batch.results[0].outcome is Outcome.DOCUMENT


async def test_clean_remembers_nothing_by_default(setup: Setup, record: RecordBuilder) -> None:
    batches = setup()
    await batches.clean([page(record, 0, b"same")])

    batch = await batches.clean([page(record, 0, b"same")])

    assert batch.results[0].outcome is Outcome.DOCUMENT


async def test_clean_gives_a_dead_letter_when_the_result_is_too_large_for_its_topic(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(Options(TopicNames(), max_record_bytes=1500))

    batch = await batches.clean([page(record, 0, b"x" * 700), page(record, 1, b"small")])

    assert isinstance(batch.results[0], DeadPage)
    assert batch.results[0].error.reason is Reason.TOO_LARGE
    assert batch.results[1].outcome is Outcome.DOCUMENT


async def test_clean_makes_only_a_page_that_cannot_be_encoded_a_dead_letter(
    setup: Setup, record: RecordBuilder, document: Callable[..., Document]
) -> None:
    class Odd:
        fingerprint = "odd"

        def clean_batch(self, pages: Sequence[Page]) -> list[Document]:
            texts = ["a text", "half a pair: \ud800"]
            return [document(p.url, p.body, text) for p, text in zip(pages, texts, strict=True)]

    batch = await setup(by=Odd()).clean([page(record, 0, b"a"), page(record, 1, b"b")])

    cleaned, dead = batch.results
    assert isinstance(cleaned, CleanedPage)
    assert isinstance(dead, DeadPage)
    assert dead.stage is Stage.ENCODE


async def test_clean_accepts_a_batch_of_only_dead_letters(
    setup: Setup, record: RecordBuilder
) -> None:
    batch = await setup().clean([page(record, 0, b"")])

    assert [each.outcome for each in batch.results] == [Outcome.DEAD]
    assert set(batch.stage_seconds) == {"decode", "cache", "clean"}


def with_status(record: RecordBuilder, offset: int, status: int, body: bytes = b"same") -> Incoming:
    headers = (("status", b"%d" % status), ("crawl-id", b"7"))
    return record(body, b"https://example.org/0", headers, offset)


async def test_clean_publishes_tombstones_for_deleted_pages_and_nothing_for_skipped_ones(
    setup: Setup, record: RecordBuilder, cleaner: Counting
) -> None:
    records = [
        with_status(record, 0, 404),
        with_status(record, 1, 503),
        record(None, headers=(("crawl-id", b"8"), ("meta", b"{}")), offset=2),
    ]

    batch = await setup().clean(records)

    gone, skipped, dropped = batch.results
    assert [each.outcome for each in batch.results] == [
        Outcome.DELETED,
        Outcome.SKIPPED,
        Outcome.DELETED,
    ]
    without_page = [each for each in batch.results if isinstance(each, WithoutPage)]
    assert [each.status for each in without_page] == [404, 503, None]
    assert skipped.outgoing == ()
    assert [(each.topic, each.key, each.value) for each in gone.outgoing] == [
        ("winnow.documents", b"https://example.org/0", None),
        ("winnow.stats", b"https://example.org/0", None),
    ]
    assert dropped.outgoing[0].headers[:2] == (("crawl-id", b"8"), ("meta", b"{}"))
    assert cleaner.batches == []


async def test_clean_gives_an_unchanged_page_the_facts_of_its_newest_record(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup()
    one, two = (
        record(b'{"html":"same","meta":{"crawl":%d}}' % crawl, headers=(("crawl", b"%d" % crawl),))
        for crawl in (1, 2)
    )
    await batches.remember(await batches.clean([one]))

    (result,) = (await batches.clean([two])).results

    assert result.outcome is Outcome.CACHED
    for each in result.outgoing:
        assert orjson.loads(each.value or b"")["meta"] == {"crawl": 2}
        assert each.headers[0] == ("crawl", b"2")
    (plain,) = (await batches.clean([record(b'{"html":"same"}')])).results
    assert "meta" not in orjson.loads(plain.outgoing[0].value or b"")


async def test_clean_continues_without_values_out_of_bounds(
    setup: Setup, record: RecordBuilder
) -> None:
    large = record(b'{"html":"x","meta":[1]}', headers=(("big", b"x" * (1 << 20)),))

    (result,) = (await setup().clean([large])).results

    assert result.outcome is Outcome.DOCUMENT
    assert [each.part for each in result.passed.left_out] == [Part.HEADERS, Part.META]
    assert "big" not in dict(result.outgoing[0].headers)


async def test_clean_passes_on_only_the_headers_that_are_named(
    setup: Setup, record: RecordBuilder
) -> None:
    options = Options(TopicNames(), passing=PassThrough(("crawl-id",)))
    both = record(b"x", headers=(("crawl-id", b"7"), ("tenant", b"a")))

    (result,) = (await setup(options).clean([both])).results

    assert result.outgoing[0].headers[0] == ("crawl-id", b"7")
    assert "tenant" not in dict(result.outgoing[0].headers)


@pytest.mark.parametrize("unchanged", Unchanged)
async def test_a_deletion_forgets_only_the_result_of_its_page(
    setup: Setup, record: RecordBuilder, unchanged: Unchanged
) -> None:
    batches = setup(Options(TopicNames(), unchanged))
    odd = record(b"same", headers=(("content-type", b"text/html; charset=latin-1"),), offset=1)
    await batches.remember(await batches.clean([page(record, 0, b"same"), odd]))

    await batches.remember(await batches.clean([record(None, odd.key, offset=2)]))

    batch = await batches.clean([page(record, 3, b"same"), page(record, 0, b"same"), odd])
    assert [each.outcome for each in batch.results] == [
        Outcome.DOCUMENT,
        Outcome.CACHED,
        Outcome.DOCUMENT,
    ]


@pytest.mark.parametrize("unchanged", Unchanged)
async def test_a_skipped_page_forgets_nothing(
    setup: Setup, record: RecordBuilder, unchanged: Unchanged
) -> None:
    batches = setup(Options(TopicNames(), unchanged))
    await batches.remember(await batches.clean([page(record, 0, b"same")]))

    await batches.remember(await batches.clean([with_status(record, 1, 503)]))

    (result,) = (await batches.clean([page(record, 0, b"same")])).results
    assert result.outcome is Outcome.CACHED


STATS_ONLY = Options(TopicNames(), Unchanged.STATS_ONLY)
BOTH = ["winnow.documents", "winnow.stats"]


def topics_of(result: Result) -> list[str]:
    return [out.topic for out in result.outgoing]


async def test_a_page_deleted_in_its_own_batch_is_published_again(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(STATS_ONLY)
    await batches.remember(await batches.clean([page(record, 0, b"same")]))

    batch = await batches.clean(
        [page(record, 0, b"same"), with_status(record, 1, 410), page(record, 0, b"same")]
    )

    before, _, after = batch.results
    assert topics_of(before) == ["winnow.stats"]
    assert topics_of(after) == BOTH


async def test_a_page_deleted_in_the_batch_before_is_published_again(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(STATS_ONLY)
    await batches.remember(await batches.clean([page(record, 0, b"same")]))
    deletion = await batches.clean([with_status(record, 1, 404)])
    following = await batches.clean([page(record, 0, b"same")])  # asked before it is forgotten
    await batches.remember(deletion)

    assert topics_of(following.results[0]) == BOTH
    await batches.remember(following)
    (again,) = (await batches.clean([page(record, 0, b"same")])).results
    assert topics_of(again) == BOTH  # the cache has forgotten it meanwhile
    await batches.remember(BatchResult((again,), {}))
    (known,) = (await batches.clean([page(record, 0, b"same")])).results
    assert topics_of(known) == ["winnow.stats"]


async def test_a_result_that_is_older_than_the_deletion_in_its_batch_is_not_stored(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(STATS_ONLY)
    await batches.remember(
        await batches.clean([page(record, 0, b"same"), with_status(record, 1, 404)])
    )

    (result,) = (await batches.clean([page(record, 0, b"same")])).results

    assert result.outcome is Outcome.DOCUMENT


async def test_a_result_that_is_newer_than_the_deletion_in_its_batch_is_stored(
    setup: Setup, record: RecordBuilder
) -> None:
    batches = setup(STATS_ONLY)
    await batches.remember(
        await batches.clean([with_status(record, 1, 404), page(record, 0, b"same")])
    )

    (result,) = (await batches.clean([page(record, 0, b"same")])).results

    assert topics_of(result) == ["winnow.stats"]


class DeafCache(MemoryCache):
    """Forgets nothing while it is deaf, as a Redis that does not answer."""

    is_deaf = True

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        return not self.is_deaf and await super().forget_many(keys)


async def test_a_deletion_that_missed_the_cache_is_sent_again(
    setup: Setup, record: RecordBuilder
) -> None:
    cache = DeafCache(MemoryCacheLimits(), lambda: 0.0)
    batches = setup(STATS_ONLY, cache=cache)
    await batches.remember(await batches.clean([page(record, 0, b"same")]))
    await batches.remember(await batches.clean([with_status(record, 1, 404)]))

    for _ in range(2):
        (result,) = (await batches.clean([page(record, 0, b"same")])).results
        assert (result.outcome, topics_of(result)) == (Outcome.CACHED, BOTH)
    cache.is_deaf = False
    await batches.remember(await batches.clean([page(record, 5, b"other")]))

    (result,) = (await batches.clean([page(record, 0, b"same")])).results
    assert result.outcome is Outcome.DOCUMENT


async def test_deletions_that_missed_the_cache_are_bounded(
    setup: Setup, record: RecordBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winnow.streams.deletions.MAX_DELETIONS", 2)
    cache = DeafCache(MemoryCacheLimits(), lambda: 0.0)
    batches = setup(STATS_ONLY, cache=cache)
    pages = [page(record, offset, b"same") for offset in range(3)]
    await batches.remember(await batches.clean(pages))

    await batches.remember(await batches.clean([page(record, offset, None) for offset in range(3)]))

    batch = await batches.clean(pages)
    assert [topics_of(each) for each in batch.results] == [["winnow.stats"], BOTH, BOTH]


class Sure:
    """Cleans with the shipped cleaner, and reports a given confidence."""

    def __init__(self, cleaner: PageCleaner, confidence: float | None) -> None:
        self._cleaner = cleaner
        self._confidence = confidence
        self.fingerprint = f"{cleaner.fingerprint}{confidence}"

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        return [
            each if isinstance(each, InvalidPage) else replace(each, confidence=self._confidence)
            for each in self._cleaner.clean_batch(pages)
        ]


DOUBTFUL = Options(TopicNames(doubtful="winnow.doubtful"), doubtful_below=0.6)


@pytest.mark.parametrize(
    "case",
    [
        (0.59, DOUBTFUL, True),
        (0.6, DOUBTFUL, False),
        (None, DOUBTFUL, False),
        (0.1, Options(TopicNames()), False),
    ],
)
async def test_a_doubtful_document_is_copied_to_its_topic_each_time_it_is_published(
    setup: Setup,
    record: RecordBuilder,
    cleaner: PageCleaner,
    case: tuple[float | None, Options, bool],
) -> None:
    confidence, options, is_copied = case
    batches = setup(options, Sure(cleaner, confidence))

    fresh = await batches.clean([record()])
    await batches.remember(fresh)
    again = await batches.clean([record(offset=1)])

    for batch, outcome in ((fresh, Outcome.DOCUMENT), (again, Outcome.CACHED)):
        (result,) = batch.results
        document, _, *copies = result.outgoing
        assert result.outcome is outcome
        assert copies == ([replace(document, topic="winnow.doubtful")] if is_copied else [])


async def test_a_document_that_was_published_is_not_copied_again(
    setup: Setup, record: RecordBuilder, cleaner: PageCleaner
) -> None:
    batches = setup(replace(DOUBTFUL, unchanged=Unchanged.STATS_ONLY), Sure(cleaner, 0.1))

    fresh = await batches.clean([record()])
    await batches.remember(fresh)
    again = await batches.clean([record(offset=1)])

    assert len(fresh.results[0].outgoing) == 3
    assert [each.topic for each in again.results[0].outgoing] == ["winnow.stats"]
