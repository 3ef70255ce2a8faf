"""What an agent works with, made of memory: a host that notes what happens in which order."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aiokafka.errors import MessageSizeTooLargeError
from faust.types.tuples import TP

from winnow.streams.delivery import Partitioner
from winnow.streams.health import StreamState
from winnow.streams.isolation import PageCleaner
from winnow.streams.kafka.batches import Arrived, Marker, PageQueue
from winnow.streams.outcomes import BatchResult, Result
from winnow.streams.records import Headers, Incoming, Outgoing


class Counting(PageCleaner, Protocol):
    batches: list[int]


def a_page(offset: int, value: bytes | None, generation: int = 1, headers: Headers = ()) -> Arrived:
    """Return a page as it is fetched."""
    key = f"https://example.org/{offset}".encode()
    record = Incoming("winnow.pages", 0, offset, key, value, headers)
    return Arrived.of(TP("winnow.pages", 0), generation, record)


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

    def take(self, arrived: Arrived) -> None:
        self.note(f"take {arrived.record.offset}")

    def pass_over(self, marker: Marker) -> None:
        self.note(f"pass over {marker.offset}")

    def done(self, arrived: Arrived) -> None:
        self.note(f"done {arrived.record.offset}")

    def release(self, arrived: Arrived) -> None:
        self.note(f"release {arrived.record.offset}")

    async def commit_done(self) -> None:
        self.note("commit")
        self.generation = self.next_generation

    def is_member(self, generation: int) -> bool:
        return generation == self.generation

    async def key_partitions(self, topic: str) -> Partitioner:
        return lambda key: 0

    async def send_batch(
        self, topic: str, partition: int, records: Sequence[Outgoing]
    ) -> tuple[int, Awaitable[object]]:
        self.sent += len(records)
        self.news.set()
        return len(records), asyncio.ensure_future(self._store(topic, records))

    async def _store(self, topic: str, records: Sequence[Outgoing]) -> None:
        await self.stored.wait()
        if self.failure:
            raise self.failure
        if max(len(each.value or b"") for each in records) > self.sizes.get(topic, 10**9):
            raise MessageSizeTooLargeError
        for each in records:
            headers = dict(each.headers)
            kind = f" stub {(headers['reason'] or b'').decode()}" if "stub" in headers else ""
            page = (each.key or b"").decode().rsplit("/", 1)[-1]
            self.note(f"{topic.removeprefix('winnow.')} {page}{kind}")


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

    def put(self, *pages: Arrived) -> None:
        for page in pages:
            self.queue.put_nowait(page)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not (condition() or self.task.done()):
                await self.host.news.wait()
                self.host.news.clear()


Start = Callable[..., Running]
