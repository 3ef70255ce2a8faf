"""Up to where a partition is read, as aiokafka's own fetcher goes through what brokers send."""

import struct
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.consumer import fetcher as aiokafka_fetcher
from aiokafka.consumer.subscription_state import (  # type: ignore[import-untyped]
    SubscriptionState,
)
from aiokafka.errors import RecordTooLargeError
from faust.types.tuples import TP

from tests.raw_batches import raw_batch, raw_record
from winnow.streams.kafka import fetching
from winnow.streams.kafka.batch_records import FetchedBatches
from winnow.streams.kafka.fetching import Fetched, Intake

FIRST, SECOND = TP("pages", 0), TP("pages", 1)
ABORT, COMMIT = 0, 1
TRANSACTIONAL, CONTROL = 0x10, 0x20
PRODUCER = -1  # of all batches of `raw_batch`
LAYOUT_OF_RESPONSES = 10


def pages(base_offset: int, count: int, attributes: int = 0) -> bytes:
    """Return a batch with a number of pages."""
    packed = b"".join(raw_record(delta, b"page") for delta in range(count))
    return raw_batch(packed, count, attributes, base_offset=base_offset)


def mark(offset: int, kind: int) -> bytes:
    """Return the control batch that ends a transaction."""
    record = raw_record(0, b"", key=struct.pack(">hh", 0, kind))
    return raw_batch(record, 1, TRANSACTIONAL | CONTROL, base_offset=offset)


class Reader:
    """A consumer with two partitions, as far as it reads; brokers answer what a test says."""

    def __init__(self) -> None:
        self.subscription = SubscriptionState()
        self.subscription.subscribe({"pages"})
        self.subscription.assign_from_subscribed({FIRST, SECOND})
        self.is_flowing = True
        self._fetcher: Any = self._fetcher_without_client()
        self._consumer: Any = SimpleNamespace(
            _closed=False,
            _fetcher=self._fetcher,
            _subscription=self.subscription,
            _coordinator=SimpleNamespace(generation=1),
        )
        self._intake = Intake(lambda: self.is_flowing)

    def _fetcher_without_client(self) -> Any:  # noqa: ANN401 - aiokafka's
        fetcher: Any = aiokafka_fetcher.Fetcher.__new__(aiokafka_fetcher.Fetcher)
        vars(fetcher).update(
            _subscriptions=self.subscription,
            _records=OrderedDict(),
            _wait_consume_future=None,
            _closed=False,
            _client_rack=None,
            _check_crcs=True,
            _key_deserializer=None,
            _value_deserializer=None,
            _isolation_level=aiokafka_fetcher.READ_COMMITTED,
            _prefetch_backoff=0,
            _max_partition_fetch_bytes=1,
        )
        return fetcher

    def seek(self, tp: TP, offset: int) -> None:
        self._fetcher.seek_to(tp, offset)

    async def arrive(
        self, tp: TP, *batches: bytes, aborted: tuple[tuple[int, int], ...] = ()
    ) -> None:
        """Have a broker answer a fetch from the position of a partition."""
        assignment = self.subscription.subscription.assignment
        position = assignment.state_value(tp).position
        asked = SimpleNamespace(topics=[(tp.topic, [(tp.partition, position, 1)])])
        part = (tp.partition, 0, 0, 0, 0, aborted, b"".join(batches))
        answer = SimpleNamespace(API_VERSION=LAYOUT_OF_RESPONSES, topics=[(tp.topic, [part])])

        async def send(*given: object) -> SimpleNamespace:
            return answer

        self._fetcher._client = SimpleNamespace(send=send)
        await self._fetcher._proc_fetch_request(assignment, 0, asked)

    async def take(self) -> tuple[dict[TP, list[int]], dict[TP, int]]:
        """Return the offsets of what is taken, and the positions."""
        asked = frozenset([FIRST, SECOND])
        fetched: Fetched = await self._intake._take(self._consumer, asked)
        offsets = {tp: [each.record.offset for each in of] for tp, of in fetched.records.items()}
        return offsets, dict(fetched.positions)


@pytest.fixture
async def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.setattr(aiokafka_fetcher, "MemoryRecords", FetchedBatches)
    return Reader()


async def test_a_partition_has_no_position_before_its_first_seek(reader: Reader) -> None:
    reader.seek(SECOND, 7)

    assert await reader.take() == ({}, {SECOND: 7})


async def test_the_mark_of_a_transaction_moves_the_position(reader: Reader) -> None:
    reader.seek(FIRST, 5)

    await reader.arrive(FIRST, pages(5, 2, TRANSACTIONAL), mark(7, COMMIT))

    assert await reader.take() == ({FIRST: [5, 6]}, {FIRST: 8})


async def test_a_marker_alone_moves_the_position(reader: Reader) -> None:
    reader.seek(FIRST, 7)

    await reader.arrive(FIRST, mark(7, COMMIT))

    assert await reader.take() == ({}, {FIRST: 8})


async def test_an_aborted_transaction_moves_the_position(reader: Reader) -> None:
    reader.seek(FIRST, 0)

    batches = pages(0, 3, TRANSACTIONAL), mark(3, ABORT)
    await reader.arrive(FIRST, *batches, aborted=((PRODUCER, 0),))

    assert await reader.take() == ({}, {FIRST: 4})


async def test_offsets_removed_by_compaction_at_the_end_of_a_batch_move_the_position(
    reader: Reader,
) -> None:
    reader.seek(FIRST, 0)

    await reader.arrive(FIRST, raw_batch(raw_record(0, b"page"), 1, removed=3))

    assert await reader.take() == ({FIRST: [0]}, {FIRST: 4})


async def test_no_position_is_returned_in_the_middle_of_a_buffer(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "POLL_BYTES", 1)  # one record
    reader.seek(FIRST, 0)
    await reader.arrive(FIRST, pages(0, 2), mark(2, COMMIT))

    assert await reader.take() == ({FIRST: [0]}, {})
    assert await reader.take() == ({FIRST: [1]}, {})
    assert await reader.take() == ({}, {FIRST: 3})


async def test_no_position_is_returned_after_an_unreadable_record(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "POLL_BYTES", 1)
    reader.seek(FIRST, 0)
    reader.seek(SECOND, 0)
    await reader.arrive(SECOND, pages(0, 1))
    await reader.arrive(FIRST, pages(0, 1)[:-1])  # aiokafka's position is 1 from now on

    assert await reader.take() == ({SECOND: [0]}, {})
    with pytest.raises(RecordTooLargeError):
        await reader.take()


@pytest.mark.parametrize("cause", ["rebalance", "seek to come"])
async def test_no_position_is_returned_while_records_may_not_flow(
    reader: Reader, cause: str
) -> None:
    reader.seek(FIRST, 5)
    if cause == "rebalance":
        reader.subscription.begin_reassignment()
    reader.is_flowing = cause == "rebalance"

    assert await reader.take() == ({}, {})
