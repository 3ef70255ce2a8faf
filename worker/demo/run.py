"""The whole pipeline in one process: embedded broker, one worker, pages in, all outputs read."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord

from winnow.models.document import Page
from winnow.models.errors import WinnowError
from winnow.streams.cache.results import MemoryCache, MemoryCacheLimits
from winnow.streams.health import StreamState
from winnow.streams.isolation import PageCleaner
from winnow.streams.kafka.connection import Connection
from winnow.streams.outcomes import BatchResult, Outcome, WithoutPage
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.embedded import MAX_RECORD_BYTES, EmbeddedBroker
from winnow.worker.logs import Log
from winnow.worker.service.assembly import Parts, run_worker
from winnow.worker.service.metrics import Metrics
from winnow.worker.service.observability import StreamObserver
from winnow.worker.settings import Settings

PARTITIONS: Final = 4
# The limit of the embedded broker: a larger page becomes a dead letter.
MAX_PAGE_BYTES: Final = 2 << 20
MAX_UNREAD_BYTES: Final = 3 << 20
# Without a new record for this time, while pages are in flight, a page is lost.
PATIENCE_S: Final = 60.0


class DemoError(WinnowError):
    """The run ended without an answer for every page."""


@dataclass(frozen=True, slots=True)
class DemoPage:
    """One page of a run.

    Attributes:
        page: its body is cut one byte after `MAX_PAGE_BYTES`, so that it can be refused.
        file_bytes: size of its file.
        status: its HTTP status; None if unknown.
    """

    page: Page
    file_bytes: int
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of one run: pages = documents + deleted + skipped + dead.

    `seconds` is wall time from the first page to the last answer.
    """

    pages: int
    documents: int
    dead: int
    seconds: float
    page_bytes: int
    text_chars: int
    sentences: int
    sentences_kept: int
    deleted: int = 0
    skipped: int = 0


@dataclass(slots=True)
class _Tally:
    """Counts during the run."""

    pages: int = 0
    documents: int = 0
    deleted: int = 0
    skipped: int = 0
    dead: int = 0
    page_bytes: int = 0
    text_chars: int = 0
    sentences: int = 0
    sentences_kept: int = 0
    unread_bytes: int = 0
    all_published: bool = False
    given: dict[str, tuple[int, int]] = field(default_factory=dict)  # URL: bytes sent, of the file


class _DemoObserver(StreamObserver):
    """Reports skipped pages: they have no record in any topic."""

    def __init__(self, settings: Settings, on_skipped: Callable[[str], None]) -> None:
        """Use private metrics and a callback for skipped pages."""
        super().__init__(settings, Metrics(), Log())
        self._on_skipped = on_skipped

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Report each skipped page."""
        super().batch_stored(batch, seconds)
        for result in batch.results:
            if isinstance(result, WithoutPage) and result.outcome is Outcome.SKIPPED:
                self._on_skipped(result.url)


class Demo:
    """One run; use it once."""

    def __init__(self, settings: Settings, cleaner: PageCleaner) -> None:
        """Keep the parts."""
        self._settings = settings
        self._cleaner = cleaner
        self._topics = settings.topics()
        self._tally = _Tally()
        self._news = asyncio.Condition()
        self._open: dict[str, Answer] = {}
        self._done: dict[str, Answer] = {}
        self._order: deque[str] = deque()
        self._skipped: deque[str] = deque()  # skipped pages not yet reported

    async def run(self, pages: Iterable[DemoPage], on_answer: Callable[[Answer], None]) -> Summary:
        """Publish the pages, which have different URLs; pass their answers to `on_answer` in order.

        Raises:
            DemoError: pages have no answer.
            Exception: the cause of the worker's failure.
        """
        stop = asyncio.Event()
        with EmbeddedBroker() as broker:
            names = self._topics
            for name in (names.pages, names.documents, names.stats, names.dead):
                broker.create_topic(name, PARTITIONS)
            connection = Connection(broker.bootstrap)
            worker = asyncio.create_task(self._work(connection, stop))
            exchange = asyncio.create_task(self._exchange(connection, pages, on_answer))
            try:
                await asyncio.wait({worker, exchange}, return_when=asyncio.FIRST_COMPLETED)
                if not exchange.done():
                    await worker  # it ended first, so it has failed: raise its error
                return await exchange
            finally:
                exchange.cancel()
                stop.set()
                await asyncio.wait({worker, exchange})

    async def _work(self, connection: Connection, stop: asyncio.Event) -> None:
        cache = MemoryCache(MemoryCacheLimits(), time.monotonic)
        observer = _DemoObserver(self._settings, self._skipped.append)
        state = StreamState(self._settings.stuck_seconds, time.monotonic)
        parts = Parts(
            connection,
            self._cleaner,
            cache,
            observer,
            observer.bug,
            state,
            max_page_bytes=MAX_PAGE_BYTES,
            max_record_bytes=MAX_RECORD_BYTES,
        )
        try:
            await run_worker(self._settings, parts, stop)
        finally:
            await cache.close()

    async def _exchange(
        self, connection: Connection, pages: Iterable[DemoPage], on_answer: Callable[[Answer], None]
    ) -> Summary:
        started = time.monotonic()
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._publish(connection, pages))
                both.create_task(self._read(connection, on_answer))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        tally = self._tally
        return Summary(
            pages=tally.pages,
            documents=tally.documents,
            dead=tally.dead,
            seconds=time.monotonic() - started,
            page_bytes=tally.page_bytes,
            text_chars=tally.text_chars,
            sentences=tally.sentences,
            sentences_kept=tally.sentences_kept,
            deleted=tally.deleted,
            skipped=tally.skipped,
        )

    async def _publish(self, connection: Connection, pages: Iterable[DemoPage]) -> None:
        producer = AIOKafkaProducer(
            **connection.client_options(), acks="all", max_request_size=MAX_RECORD_BYTES
        )
        async with producer:
            for each in pages:
                page = each.page
                await self._wait_for_room(each)
                self._order.append(page.url)
                headers = [("url", page.url.encode()), ("fetched-at", page.fetched_at.encode())]
                if page.content_type:
                    headers.append(("content-type", page.content_type.encode()))
                if each.status is not None:
                    headers.append(("status", b"%d" % each.status))
                key = page.url.encode()
                self._tally.given[page.url] = len(page.body), each.file_bytes
                await producer.send_and_wait(
                    self._topics.pages, page.body, key=key, headers=headers
                )
        async with self._news:
            self._tally.all_published = True
            self._news.notify_all()

    async def _wait_for_room(self, given: DemoPage) -> None:
        tally = self._tally
        size = len(given.page.body)
        async with self._news:
            await self._news.wait_for(
                lambda: not tally.unread_bytes or tally.unread_bytes + size <= MAX_UNREAD_BYTES
            )
            tally.pages += 1
            tally.page_bytes += given.file_bytes
            tally.unread_bytes += size

    async def _read(self, connection: Connection, on_answer: Callable[[Answer], None]) -> None:
        names = self._topics
        consumer = AIOKafkaConsumer(
            names.documents,
            names.stats,
            names.dead,
            **connection.client_options(),
            auto_offset_reset="earliest",
            max_partition_fetch_bytes=MAX_RECORD_BYTES,
            fetch_max_wait_ms=100,
        )
        async with consumer:
            last_news = time.monotonic()
            while not await self._is_done():
                fetched = await consumer.getmany(timeout_ms=200)
                for record in [each for records in fetched.values() for each in records]:
                    await self._take_in(record, on_answer)
                    last_news = time.monotonic()
                while self._skipped:
                    url = self._skipped.popleft()
                    _, file_bytes = self._tally.given[url]
                    await self._finish(Answer(url, file_bytes, is_skipped=True), on_answer)
                    last_news = time.monotonic()
                if self._tally.unread_bytes and time.monotonic() - last_news > PATIENCE_S:
                    raise DemoError(
                        f"no answer for {self._unanswered()} of {self._tally.pages} pages"
                    )

    async def _is_done(self) -> bool:
        async with self._news:
            return self._tally.all_published and not self._unanswered()

    def _unanswered(self) -> int:
        tally = self._tally
        return tally.pages - tally.documents - tally.deleted - tally.skipped - tally.dead

    async def _take_in(self, record: ConsumerRecord, on_answer: Callable[[Answer], None]) -> None:
        url = (record.key or b"").decode()
        _, file_bytes = self._tally.given[url]
        before = self._open.pop(url, Answer(url, file_bytes))
        answer = before.with_record(record, self._topics).with_size_refused(MAX_PAGE_BYTES)
        if not answer.is_complete:
            self._open[url] = answer
            return
        await self._finish(answer, on_answer)

    async def _finish(self, answer: Answer, on_answer: Callable[[Answer], None]) -> None:
        """Count this answer, and pass on all complete answers in order."""
        self._done[answer.url] = answer
        while self._order and self._order[0] in self._done:
            on_answer(self._done.pop(self._order.popleft()))
        async with self._news:
            self._count(answer)
            self._news.notify_all()

    def _count(self, answer: Answer) -> None:
        tally = self._tally
        tally.unread_bytes -= tally.given[answer.url][0]
        tally.deleted += answer.is_deleted
        tally.skipped += answer.is_skipped
        tally.dead += answer.dead is not None
        if answer.document is None or answer.stats is None:
            return
        tally.documents += 1
        tally.text_chars += len(answer.document["text"])
        tally.sentences += answer.stats["sentences"]
        tally.sentences_kept += answer.stats["sentences_kept"]
