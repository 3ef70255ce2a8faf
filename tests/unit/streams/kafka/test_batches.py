"""The queue between fetching and work is bounded in bytes, and so are the batches."""

import asyncio

import pytest
from faust.types.tuples import TP
from mode.utils.queues import FlowControlEvent

from winnow.streams.kafka.batches import (
    MARKER_BYTES,
    Arrived,
    BatchLimits,
    Marker,
    PageQueue,
    Waiting,
)
from winnow.streams.records import HEADER_OVERHEAD_BYTES, RECORD_OVERHEAD_BYTES, Headers, Incoming


def a_record(size: int = 10, key: bytes | None = None, headers: Headers = ()) -> Arrived:
    record = Incoming("pages", 0, 7, key, b"x" * size, headers)
    return Arrived.of(TP("pages", 0), 1, record)


@pytest.fixture
async def flow() -> FlowControlEvent:
    return FlowControlEvent(initially_suspended=False)


@pytest.fixture
async def queue(flow: FlowControlEvent) -> PageQueue:
    return PageQueue(100_000, flow, clear_on_resume=True)


def begin_rebalance(flow: FlowControlEvent) -> None:
    flow.suspend()
    flow.clear()


def fill(queue: PageQueue, *sizes: int) -> None:
    for size in sizes:
        queue.put_nowait(a_record(size))


def sizes(records: list[Arrived]) -> list[int]:
    return [each.record.value_bytes for each in records]


def everything(waiting: Waiting) -> bool:
    return True


def a_marker(offset: int = 7) -> Marker:
    return Marker(TP("pages", 0), offset, generation=1)


async def has_records(queue: PageQueue) -> bool:
    waiting = asyncio.create_task(queue.wait_for_records())
    await asyncio.sleep(0)
    return waiting.done() or not waiting.cancel()


async def test_take_waiting_gives_no_more_than_the_pages_of_a_batch(queue: PageQueue) -> None:
    fill(queue, 1, 2, 3, 4, 5)

    batch = queue.take_waiting(BatchLimits(pages=3), everything)

    assert sizes(batch) == [1, 2, 3]
    assert queue.qsize() == 2


async def test_take_waiting_gives_no_more_than_the_bytes_of_a_batch(queue: PageQueue) -> None:
    fill(queue, 40, 40, 40)

    batch = queue.take_waiting(BatchLimits(record_bytes=100), everything)

    assert sizes(batch) == [40, 40]


async def test_take_waiting_gives_a_record_larger_than_a_batch_alone(
    queue: PageQueue,
) -> None:
    fill(queue, 500, 1)

    first = queue.take_waiting(BatchLimits(record_bytes=100), everything)
    second = queue.take_waiting(BatchLimits(record_bytes=100), everything)

    assert (sizes(first), sizes(second)) == ([500], [1])


async def test_take_waiting_drops_records_that_are_not_accepted(queue: PageQueue) -> None:
    fill(queue, 1, 2, 3)

    batch = queue.take_waiting(BatchLimits(), lambda each: each.record_bytes != 2)

    assert sizes(batch) == [1, 3]
    assert queue.held_bytes == 0


async def test_a_marker_is_accepted_in_its_turn_and_in_no_batch(queue: PageQueue) -> None:
    accepted: list[object] = []
    fill(queue, 1, 2)
    queue.put_nowait(a_marker())
    fill(queue, 3, 4)

    def accept(waiting: Waiting) -> bool:
        accepted.append(waiting)
        return True

    assert sizes(queue.take_waiting(BatchLimits(pages=3), accept)) == [1, 2, 3]
    assert [type(each) for each in accepted] == [Arrived, Arrived, Marker, Arrived]
    assert sizes(queue.take_waiting(BatchLimits(pages=3), accept)) == [4]


async def test_a_marker_waits_like_a_record(queue: PageQueue, flow: FlowControlEvent) -> None:
    queue.put_nowait(a_marker())
    assert await has_records(queue)
    assert queue.held_bytes == MARKER_BYTES

    begin_rebalance(flow)

    assert not await has_records(queue)
    assert queue.held_bytes == 0
    assert queue.take_waiting(BatchLimits(), everything) == []


async def test_queue_counts_the_bytes_it_holds_with_their_overhead(
    queue: PageQueue, flow: FlowControlEvent
) -> None:
    fill(queue, 1000, 500)

    assert queue.held_bytes == 1500 + 2 * RECORD_OVERHEAD_BYTES
    begin_rebalance(flow)
    assert queue.held_bytes == 0


async def test_queue_and_batches_count_keys_and_headers(queue: PageQueue) -> None:
    for _ in range(3):
        queue.put_nowait(a_record(1, b"key", (("name", b"x" * 30), ("null", None))))

    assert queue.held_bytes == 3 * (42 + RECORD_OVERHEAD_BYTES + 2 * HEADER_OVERHEAD_BYTES)
    assert len(queue.take_waiting(BatchLimits(record_bytes=100), everything)) == 2


async def test_wait_for_room_waits_until_less_than_the_bound_is_held(queue: PageQueue) -> None:
    fill(queue, 99_999, 10)
    waiting = asyncio.create_task(queue.wait_for_room())
    await asyncio.sleep(0)
    assert not waiting.done()

    queue.take_waiting(BatchLimits(pages=1), everything)

    await asyncio.wait_for(waiting, 1)


async def test_wait_for_room_ends_when_a_rebalance_drops_waiting_records(
    queue: PageQueue, flow: FlowControlEvent
) -> None:
    fill(queue, 200_000)
    waiting = asyncio.create_task(queue.wait_for_room())
    await asyncio.sleep(0)

    begin_rebalance(flow)

    await asyncio.wait_for(waiting, 1)
    assert queue.take_waiting(BatchLimits(), everything) == []
    assert not await has_records(queue)


async def test_resuming_twice_drops_nothing_that_came_between(
    queue: PageQueue, flow: FlowControlEvent
) -> None:
    fill(queue, 1)
    begin_rebalance(flow)
    flow.resume()
    fill(queue, 2, 3)

    flow.resume()  # nobody seeks back to what it would drop

    assert queue.held_bytes == 2 * RECORD_OVERHEAD_BYTES + 5
    assert await has_records(queue)
    assert sizes(queue.take_waiting(BatchLimits(), everything)) == [2, 3]


async def test_wait_for_records_ends_with_the_first_and_begins_again_with_the_last(
    queue: PageQueue,
) -> None:
    assert not await has_records(queue)

    waiting = asyncio.create_task(queue.wait_for_records())
    await asyncio.sleep(0)
    fill(queue, 1)
    await asyncio.wait_for(waiting, 1)
    assert await has_records(queue)
    queue.take_waiting(BatchLimits(), everything)

    assert not await has_records(queue)


async def test_queue_never_asks_faust_to_stop_a_partition(queue: PageQueue) -> None:
    fill(queue, *[1] * 1000)

    assert not queue.full()
    assert not queue.in_pressure_high_state(lambda: None)
