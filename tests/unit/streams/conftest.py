"""Builders with defaults: a test names only what matters to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from mode.utils.queues import FlowControlEvent

from tests.unit.streams.agent_host import Channel, FakeHost, Observer, Running, Start, Stream
from winnow.models.checksum import content_digest
from winnow.models.document import Document, Page, PageStats, Verdict
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.agents import AgentOptions, PageAgent
from winnow.streams.cache.results import MemoryCache, MemoryCacheLimits
from winnow.streams.cleaning import BatchCleaner, Options, Unchanged
from winnow.streams.deadletters import DeadLetterLimits
from winnow.streams.health import StreamState
from winnow.streams.isolation import PageCleaner
from winnow.streams.kafka.batches import BatchLimits, PageQueue
from winnow.streams.records import Headers, Incoming
from winnow.streams.topics import TopicNames

URL = "https://example.org/page"


def a_record(
    value: bytes | None = b"<p>Hello there.",
    key: bytes | None = URL.encode(),
    headers: Headers = (),
    offset: int = 7,
) -> Incoming:
    return Incoming("winnow.pages", 3, offset, key, value, headers)


def a_document(url: str = URL, body: bytes = b"<p>Hello there.", text: str = "Hello") -> Document:
    stats = PageStats(
        page_bytes=len(body),
        charset="utf-8",
        blocks=2,
        blocks_kept=1,
        sentences=3,
        sentences_kept=2,
        tokens=30,
        tokens_kept=20,
        text_chars=100,
        text_chars_kept=80,
        dropped_sentences={Verdict.PERPLEXITY: 1},
        perplexity_quantiles=(10.0, 20.0, 30.0, 40.0, 50.0),
        oov_rate=0.1,
        cpu_ms={"parse": 0.5},
        dropped_tokens={Verdict.PERPLEXITY: 10},
        dropped_bytes={Verdict.PERPLEXITY: 21},
        text_bytes_kept=80,
    )
    return Document(
        url=url,
        title="A title",
        canonical_url="",
        author="",
        published_at=None,
        site_name="",
        text=text,
        language="en",
        engine="fake",
        model_digest="d" * 64,
        threshold=500.0,
        content_digest=content_digest(body),
        fetched_at="",
        stats=stats,
    )


class Panic(BaseException):
    """What native code raises when it panics."""


class FakeCleaner:
    """Cleans by echo: `bad` in a body is an invalid page, `bug` and `panic` make it raise."""

    fingerprint = "fake"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        self.batches.append(len(pages))
        if any(b"bug" in page.body for page in pages):
            raise RuntimeError("page text that must not get out")
        if any(b"panic" in page.body for page in pages):
            raise Panic("page text that must not get out")
        return [
            InvalidPage(Reason.TOO_DEEP, "300 levels")
            if b"bad" in page.body
            else a_document(page.url, page.body, page.body.decode())
            for page in pages
        ]


@pytest.fixture
def record() -> Callable[..., Incoming]:
    return a_record


@pytest.fixture
def document() -> Callable[..., Document]:
    return a_document


@pytest.fixture
def cleaner() -> FakeCleaner:
    return FakeCleaner()


@pytest.fixture
async def start(cleaner: PageCleaner) -> AsyncIterator[Start]:
    executor = ThreadPoolExecutor(1)
    tasks: list[asyncio.Task[None]] = []

    def run(
        host: FakeHost | None = None,
        limits: DeadLetterLimits | None = None,
        unchanged: Unchanged = Unchanged.REPUBLISH,
    ) -> Running:
        host = host or FakeHost()
        batches = BatchCleaner(
            cleaner,
            MemoryCache(MemoryCacheLimits(), lambda: 0.0),
            executor,
            Options(TopicNames(), unchanged),
            lambda source, error: None,
        )
        state = StreamState(60.0, lambda: 0.0)
        options = AgentOptions("winnow.dead", BatchLimits(pages=2), limits or DeadLetterLimits())
        sides: Any = SimpleNamespace(
            consumer=host, producer=host, is_current=host.is_member, is_member=host.is_member
        )
        observer = Observer()
        agent = PageAgent(sides, batches, options, observer, state)
        flow = FlowControlEvent(initially_suspended=False)
        queue = PageQueue(1 << 20, flow, clear_on_resume=True)
        stream: Any = Stream(Channel(queue))
        tasks.append(asyncio.create_task(agent(stream)))
        return Running(host, queue, state, tasks[-1], observer)

    yield run
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    executor.shutdown()
