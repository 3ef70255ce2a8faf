"""A member of a group, without brokers: what is fetched and committed is a test's to say."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from faust.types.tuples import TP

from winnow.streams.agents import AgentOptions
from winnow.streams.app import App, StreamOptions
from winnow.streams.kafka.batches import Arrived, PageQueue
from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.fetching import Fetched
from winnow.streams.kafka.tuning import Tuning
from winnow.streams.records import Incoming

PARTITION = TP("pages", 0)
WHOLE = frozenset([PARTITION])
LONG_S = 60.0


class StuckProducer:
    """Has records that the brokers never confirm, as with too few copies in sync."""

    def __init__(self) -> None:
        self.is_asked = False

    async def flush(self) -> None:
        self.is_asked = True
        await asyncio.Event().wait()


class StoppedFetcher:
    async def stop(self) -> None:
        pass

    def service_reset(self) -> None:
        pass


class Member:
    """An app with one partition, without brokers."""

    def __init__(self, drain_s: float, producer: object) -> None:
        tuning = Tuning(Connection(("127.0.0.1:1",)), drain_s=drain_s)
        app: Any = App(StreamOptions(tuning, AgentOptions("dead"), "pages"))
        self.app = app
        self.app._producer = producer
        self.app.__dict__["_fetcher"] = StoppedFetcher()
        self.consumer: Any = self.app.consumer
        self.consumer.assignment = lambda: {PARTITION}
        topic: Any = self.app.topic("pages", value_serializer="raw")
        self.app.topics.add(topic)
        self.queue: PageQueue = topic.queue

    async def join(self, generation: int, assigned: frozenset[TP] = WHOLE) -> None:
        async def nothing(*given: object) -> None: ...

        self.app.consumer_generation_id = generation
        self.consumer.assignment = lambda: set(assigned)
        self.consumer._on_partitions_assigned = nothing
        await self.consumer.on_partitions_assigned(set(assigned), generation)

    async def seek(self, committed: int | None) -> None:
        async def seek_to_committed() -> dict[TP, int | None]:
            return {PARTITION: committed}

        self.consumer.seek_to_committed = seek_to_committed
        await self.consumer.perform_seek()

    def flows(self) -> bool:
        """Ask for records as Faust does at the end of a rebalance; return whether they flow."""
        self.consumer.resume_flow()
        flows: bool = self.consumer.flow_active
        return flows

    async def take_in(self, generation: int, *offsets: int) -> list[int]:
        """Fetch records of a generation; return the offsets of those handed over."""
        await self.fetch(generation, *offsets)
        return [self.queue.get_nowait().record.offset for _ in range(self.queue.qsize())]

    async def fetch(self, generation: int, *offsets: int, position: int | None = None) -> None:
        """Let records of a generation arrive, and the position after them if all are there."""
        positions = {} if position is None else {PARTITION: position}
        records = {PARTITION: [arrived(offset, generation) for offset in offsets]}

        async def fetch(*given: object) -> Fetched:
            return Fetched(generation, records, positions)

        self.consumer._thread.fetch = fetch
        await self.consumer._take_in()


@contextmanager
def a_member(drain_s: float = LONG_S, producer: object = None) -> Iterator[Member]:
    member = Member(drain_s, producer)
    try:
        yield member
    finally:
        member.consumer._thread.thread_loop.close()  # of a thread that was never started


def arrived(offset: int, generation: int = 1) -> Arrived:
    """Return a record as it is fetched."""
    return Arrived.of(PARTITION, generation, Incoming("pages", 0, offset, None, b"page"))
