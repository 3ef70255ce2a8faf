"""The agent lets go of a record only when all it gives is stored."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Protocol

import pytest
from aiokafka.errors import MessageSizeTooLargeError, OutOfOrderSequenceNumber
from mode.utils.queues import FlowControlEvent

from models.errors import Reason
from streams.agents import AgentOptions, PageAgent
from streams.batches import BatchLimits, PageQueue
from streams.cache import MemoryCache, MemoryCacheLimits
from streams.cleaning import (
    BatchCleaner,
    BatchResult,
    Options,
    Outcome,
    PageCleaner,
    Result,
    Unchanged,
)
from streams.deadletters import DeadLetterLimits, TooManyDeadLetters
from streams.delivery import DeliveryError
from streams.health import Phase, StreamState
from streams.topics import TopicNames


class Counting(PageCleaner, Protocol):
    batches: list[int]


@dataclass(eq=False)
class FakeMessage:
    offset: int
    value: bytes | None
    generation_id: int = 1
    topic: str = "winnow.pages"
    partition: int = 0
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def key(self) -> bytes:
        return f"https://example.org/{self.offset}".encode()


@dataclass
class FakeEvent:
    message: FakeMessage


@dataclass
class FakeHost:
    """Consumer, producer and app in one, writing down what happens in which order."""

    happened: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    failure: BaseException | None = None
    stored: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0
    generation: int = 1
    next_generation: int = 1  # what the answer to a commit makes known

    def note(self, event: str) -> None:
        self.happened.append(event)
        self.news.set()

    def take(self, message: FakeMessage) -> None:
        self.note(f"take {message.offset}")

    def ack(self, message: FakeMessage) -> None:
        self.note(f"ack {message.offset}")

    def release(self, message: FakeMessage) -> None:
        self.note(f"release {message.offset}")

    async def commit_done(self) -> None:
        self.note("commit")
        self.generation = self.next_generation

    def is_member(self, generation: int) -> bool:
        return generation == self.generation

    async def send(  # noqa: PLR0917
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None,
        timestamp: float | None,
        headers: list[tuple[str, bytes]],
    ) -> Awaitable[object]:
        if len(value or b"") > self.sizes.get(topic, 10**9):
            raise MessageSizeTooLargeError
        self.sent += 1
        self.news.set()
        return asyncio.ensure_future(self._store(topic, key, dict(headers)))

    async def _store(self, topic: str, key: bytes | None, headers: dict[str, bytes]) -> None:
        await self.stored.wait()
        if self.failure:
            raise self.failure
        kind = f" stub {headers['reason'].decode()}" if "stub" in headers else ""
        name = topic.removeprefix("winnow.")
        self.note(f"{name} {(key or b'').decode().rsplit('/', 1)[-1]}{kind}")


class Observer:
    def __init__(self) -> None:
        self.results: list[Result] = []
        self.seconds: dict[str, float] = {}
        self.taken: list[tuple[int, bool]] = []
        self.dropped: list[int] = []

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        self.taken.append((pages, waiting_bytes > 0))

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        self.results += batch.results
        self.seconds.update(seconds)

    def batch_dropped(self, pages: int) -> None:
        self.dropped.append(pages)

    def delivery_retried(self, topic: str, error: str) -> None: ...
    def assigned(self, partitions: int) -> None: ...
    def revoked(self, partitions: int) -> None: ...


@dataclass
class Channel:
    queue: PageQueue


@dataclass
class Stream:
    channel: Channel


@dataclass
class Running:
    """An agent at work on `queue`."""

    host: FakeHost
    queue: PageQueue
    state: StreamState
    task: asyncio.Task[None]
    observer: Observer

    def put(self, *messages: FakeMessage) -> None:
        for message in messages:
            self.queue.put_nowait(FakeEvent(message))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not (condition() or self.task.done()):
                await self.host.news.wait()
                self.host.news.clear()


Start = Callable[..., Running]


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


async def test_agent_acks_and_commits_only_after_everything_is_stored(start: Start) -> None:
    running = start()
    running.put(FakeMessage(1, b"one"), FakeMessage(2, b"bad"))
    await running.until(lambda: running.host.sent == 3)
    assert running.host.happened == ["take 1", "take 2"]

    running.host.stored.set()
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened == [
        "take 1",
        "take 2",
        "documents 1",
        "stats 1",
        "dead 2",
        "ack 1",
        "ack 2",
        "commit",
    ]


async def test_agent_cleans_the_next_batch_and_no_more_while_one_is_being_stored(
    start: Start,
) -> None:
    running = start()

    running.put(*(FakeMessage(offset, b"page") for offset in range(6)))
    async with asyncio.timeout(5):
        while running.host.sent < 4 or running.state.phase is not Phase.HANDING_OVER:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)

    assert running.host.happened == ["take 0", "take 1", "take 2", "take 3"]
    running.host.stored.set()
    await running.until(lambda: running.host.happened.count("commit") == 3)
    acked = [each for each in running.host.happened if each.startswith("ack")]
    assert acked == [f"ack {offset}" for offset in range(6)]
    assert running.observer.taken == [(2, True), (2, True), (2, False)]


async def test_agent_says_how_long_each_stage_of_a_batch_took(start: Start) -> None:
    running = start()
    running.host.stored.set()
    began = time.perf_counter()

    running.put(FakeMessage(1, b"page"))
    await running.until(lambda: bool(running.observer.results))

    seconds = running.observer.seconds
    assert set(seconds) == {"decode", "cache", "clean", "publish", "commit"}
    assert min(seconds.values()) >= 0
    assert sum(seconds.values()) <= time.perf_counter() - began


async def test_agent_publishes_a_page_from_the_cache_when_it_comes_again(start: Start) -> None:
    running = start()
    running.host.stored.set()

    running.put(FakeMessage(1, b"page"))
    await running.until(lambda: len(running.observer.results) == 1)
    running.put(FakeMessage(1, b"page"))
    await running.until(lambda: len(running.observer.results) == 2)

    outcomes = [each.outcome for each in running.observer.results]
    assert outcomes == [Outcome.DOCUMENT, Outcome.CACHED]


async def test_agent_leaves_records_alone_that_were_fetched_before_a_rebalance(
    start: Start,
) -> None:
    running = start()
    running.host.stored.set()

    running.put(FakeMessage(1, b"old", generation_id=0), FakeMessage(2, b"new"))
    await running.until(lambda: "commit" in running.host.happened)

    assert "take 1" not in running.host.happened
    assert "ack 1" not in running.host.happened


async def test_agent_publishes_nothing_more_when_a_commit_shows_that_its_generation_has_ended(
    start: Start,
) -> None:
    running = start(FakeHost(next_generation=-1))

    running.put(*(FakeMessage(offset, b"page") for offset in range(4)))
    await running.until(lambda: "take 3" in running.host.happened)
    running.host.stored.set()
    await running.until(lambda: "release 3" in running.host.happened)

    stored = [each for each in running.host.happened if each.startswith("documents")]
    assert stored == ["documents 0", "documents 1"]
    assert running.host.happened[-3:] == ["commit", "release 2", "release 3"]


async def test_agent_goes_on_with_records_of_the_generation_that_follows(
    start: Start, cleaner: Counting
) -> None:
    running = start(FakeHost(next_generation=2))
    running.host.stored.set()

    running.put(*(FakeMessage(offset, b"page") for offset in range(4)))
    await running.until(lambda: "release 3" in running.host.happened)
    running.put(*(FakeMessage(offset, b"page", generation_id=2) for offset in (2, 3)))
    await running.until(lambda: running.host.happened.count("commit") == 2)

    acked = [each for each in running.host.happened if each.startswith("ack")]
    assert acked == ["ack 0", "ack 1", "ack 2", "ack 3"]
    assert running.observer.dropped == [2]
    assert cleaner.batches == [2, 2]  # what was dropped is not cleaned again


async def test_agent_fails_and_acks_nothing_when_the_brokers_refuse_for_good(
    start: Start,
) -> None:
    running = start(FakeHost(failure=OutOfOrderSequenceNumber()))
    running.host.stored.set()

    running.put(FakeMessage(1, b"one"))

    with pytest.raises(DeliveryError, match="OutOfOrderSequenceNumber"):
        await running.task
    assert running.host.happened == ["take 1"]
    assert running.state.phase is Phase.ENDED


async def test_agent_fails_by_an_exception_that_faust_sees_whatever_is_raised(
    start: Start,
) -> None:
    class Panic(BaseException):
        pass

    running = start(FakeHost(failure=Panic("in native code")))
    running.host.stored.set()

    running.put(FakeMessage(1, b"one"))

    with pytest.raises(RuntimeError, match="in native code"):
        await running.task


async def test_agent_stops_and_publishes_nothing_of_the_batch_when_too_many_pages_are_dead(
    start: Start,
) -> None:
    running = start(limits=DeadLetterLimits(consecutive=2))
    running.host.stored.set()

    running.put(FakeMessage(1, b"bad"), FakeMessage(2, None))

    with pytest.raises(TooManyDeadLetters, match="2 dead letters in a row"):
        await running.task
    assert running.host.happened == ["take 1", "take 2"]


async def test_agent_publishes_a_dead_letter_when_a_topic_refuses_the_document(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400}))
    running.host.stored.set()

    running.put(FakeMessage(1, b"x" * 100))
    await running.until(lambda: bool(running.observer.results))

    assert running.host.happened == ["take 1", "stats 1", "dead 1", "ack 1", "commit"]
    (result,) = running.observer.results
    assert result.outcome is Outcome.DEAD
    assert result.error is not None
    assert result.error.reason is Reason.TOO_LARGE


async def test_agent_publishes_a_document_that_its_topic_refused_when_it_comes_again(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400}), unchanged=Unchanged.STATS_ONLY)
    running.host.stored.set()
    running.put(FakeMessage(1, b"x" * 100))
    await running.until(lambda: len(running.observer.results) == 1)

    running.host.sizes.clear()
    running.put(FakeMessage(1, b"x" * 100))
    await running.until(lambda: len(running.observer.results) == 2)

    assert "documents 1" in running.host.happened


async def test_agent_stops_after_a_commit_when_a_topic_refuses_too_many_documents(
    start: Start,
) -> None:
    limits = DeadLetterLimits(consecutive=2)
    running = start(FakeHost(sizes={"winnow.documents": 400}), limits)
    running.host.stored.set()

    running.put(FakeMessage(1, b"x" * 100), FakeMessage(2, b"y" * 100))

    with pytest.raises(TooManyDeadLetters, match="2 dead letters in a row, the last for too_large"):
        await running.task
    assert running.host.happened[-1] == "commit"


async def test_agent_publishes_a_pointer_when_the_dead_letter_topic_refuses_the_page(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.dead": 300}))
    running.host.stored.set()

    running.put(FakeMessage(1, b"bad" * 200))
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened == ["take 1", "dead 1 stub too_deep", "ack 1", "commit"]


async def test_agent_publishes_a_pointer_when_both_topics_refuse(start: Start) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400, "winnow.dead": 300}))
    running.host.stored.set()

    running.put(FakeMessage(1, b"x" * 400))
    await running.until(lambda: "commit" in running.host.happened)

    assert "dead 1 stub too_large" in running.host.happened


async def test_agent_fails_when_the_dead_letter_topic_refuses_even_a_pointer(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.dead": 1}))
    running.host.stored.set()

    running.put(FakeMessage(1, b"bad"))

    with pytest.raises(DeliveryError, match="not even a pointer"):
        await running.task
