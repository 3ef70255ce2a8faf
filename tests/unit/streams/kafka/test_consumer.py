"""What flows after a rebalance, what is committed, and that a rebalance ends."""

import asyncio
from types import SimpleNamespace

import pytest
from aiokafka.errors import GroupAuthorizationFailedError
from faust.types.tuples import TP

from tests.clocks import ManualClock
from tests.unit.streams.member import LONG_S, PARTITION, Member, StuckProducer, a_member, arrived
from winnow.streams.errors import CommitTimeout
from winnow.streams.kafka import consumer as consumer_module
from winnow.streams.kafka.consumer import NotTakenError


async def test_records_flow_once_the_seek_of_this_generation_is_done() -> None:
    flowed = []
    with a_member() as member:
        assert not member.consumer.flow_active
        for generation in (1, 2):
            await member.join(generation)
            flowed.append(member.flows())
            await member.seek(committed=0)
            flowed.append(member.flows())
            await member.consumer.on_partitions_revoked({PARTITION})
            flowed.append(member.flows())  # asked for at the end of the rebalance before

    assert flowed == [False, True, False] * 2


async def test_a_member_without_partitions_seeks_nothing_first() -> None:
    with a_member() as member:
        await member.join(1, frozenset())

        assert member.flows()


async def test_a_topic_that_was_made_again_is_read_and_committed_from_its_begin() -> None:
    with a_member() as member:
        await member.join(1)
        await member.seek(committed=2539)

        assert member.flows()
        assert await member.take_in(1, 0, 1) == [0, 1]
        for offset in (0, 1):
            message = arrived(offset)
            member.consumer.take(message)
            member.consumer.done(message)

        assert member.consumer._filter_committable_offsets([PARTITION]) == {PARTITION: 2}


async def test_records_of_another_generation_are_not_handed_over() -> None:
    with a_member() as member:
        await member.join(2)
        await member.seek(committed=0)

        assert member.flows()
        assert await member.take_in(1, 0, 1) == []
        assert await member.take_in(2, 0, 1) == [0, 1]


@pytest.mark.parametrize("let_go", ["done", "release"])
async def test_only_taken_and_open_records_can_be_released(let_go: str) -> None:
    with a_member() as member:
        message = arrived(7)
        for _ in range(2):
            with pytest.raises(NotTakenError, match="pages/0/7 is not in flight"):
                getattr(member.consumer, let_go)(message)
            member.consumer.take(message)
            member.consumer.done(message)


async def test_records_of_an_ended_generation_commit_nothing() -> None:
    old, again = (arrived(3, generation) for generation in (1, 2))
    with a_member() as member:
        consumer = member.consumer
        consumer.take(old)
        consumer.ledger.forget({PARTITION})
        member.app.consumer_generation_id = 2
        consumer.take(again)

        consumer.done(old)
        assert consumer.ledger.committable(PARTITION) is None
        consumer.done(again)
        assert consumer.ledger.committable(PARTITION) == 4


async def test_late_records_of_an_old_log_commit_nothing_of_the_new_one() -> None:
    old, new = (arrived(0) for _ in range(2))
    with a_member() as member:
        consumer = member.consumer
        member.app.consumer_generation_id = 1
        consumer.take(old)
        consumer.take(new)  # the topic was made again

        consumer.done(old)
        assert consumer.ledger.committable(PARTITION) is None
        consumer.done(new)
        assert consumer.ledger.committable(PARTITION) == 1


async def test_finished_records_are_committed_after_a_running_commit() -> None:
    committed: list[int] = []
    is_asked, may_end = asyncio.Event(), asyncio.Event()
    first, second = (arrived(offset) for offset in (0, 1))
    with a_member() as member:
        consumer = member.consumer
        member.app.consumer_generation_id = 1

        async def force_commit(*given: object, **options: object) -> bool:
            committed.append(consumer.ledger.committable(PARTITION))
            is_asked.set()
            await may_end.wait()
            return True

        consumer.force_commit = force_commit
        consumer.take(first)
        consumer.take(second)
        consumer.done(first)
        under_way = asyncio.create_task(consumer.commit())
        await is_asked.wait()
        consumer.done(second)
        may_end.set()
        await consumer.commit_done()
        await under_way

    assert committed == [1, 2]


async def test_a_rebalance_ends_when_the_producer_cannot_be_flushed() -> None:
    producer = StuckProducer()

    with a_member(drain_s=0.001, producer=producer) as member:
        async with asyncio.timeout(LONG_S / 2):
            await member.consumer.on_partitions_revoked({PARTITION})

    assert producer.is_asked


async def test_a_rebalance_waits_for_work_and_flush_no_longer_than_one_drain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, producer = ManualClock(), StuckProducer()
    monkeypatch.setattr(consumer_module, "time", SimpleNamespace(monotonic=clock))
    started = clock()

    async def wait_in_vain(**given: float) -> None:
        clock.advance(given["timeout"])

    with a_member(drain_s=LONG_S, producer=producer) as member:
        member.consumer._wait_for_ack = wait_in_vain
        member.consumer.take(arrived(0))  # and never done
        async with asyncio.timeout(LONG_S / 2):
            await member.consumer.on_partitions_revoked({PARTITION})

        assert member.consumer.drain_left_s() == LONG_S  # a stop that comes later has its own

    assert clock() - started == LONG_S
    assert producer.is_asked


@pytest.mark.parametrize("begins", ["before", "meanwhile"])
async def test_a_stop_during_a_rebalance_ends_the_membership(begins: str) -> None:
    closed: list[str] = []
    with a_member() as member:
        consumer, app = member.consumer, member.app
        await member.join(1)
        await member.seek(committed=0)
        consumer.close = lambda: closed.append("by the rebalance")
        held = arrived(0)
        consumer.take(held)
        consumer._committed_offset[PARTITION] = 0
        committed = commits_of(member)

        if begins == "before":
            app._stopped.set()
        rebalance = asyncio.create_task(consumer.on_partitions_revoked({PARTITION}))
        await asyncio.sleep(0)
        app._stopped.set()
        consumer.done(held)
        async with asyncio.timeout(LONG_S):
            await consumer.wait_empty()  # of the stop

        assert not rebalance.done()  # the member would join again
        assert committed == [1]
        consumer._stopped.set()
        async with asyncio.timeout(LONG_S):
            await rebalance
    assert closed == []


async def done_and_committed(member: Member, offset: int) -> None:
    """Finish a page, then commit as the agent does."""
    page = arrived(offset)
    member.consumer.take(page)
    member.consumer.done(page)
    await member.consumer.commit_done()


async def test_offsets_that_the_group_refused_are_committed_later() -> None:
    asked: list[dict[TP, int]] = []

    async def take_nothing(offsets: dict[TP, int]) -> dict[TP, int]:
        asked.append(offsets)
        return {}

    with a_member() as member:
        await member.join(1)
        member.consumer._thread.commit_offsets = take_nothing
        await done_and_committed(member, 0)
        committed = commits_of(member)
        await member.consumer.commit()

    assert asked == [{PARTITION: 1}]
    assert committed == [1]


@pytest.mark.parametrize("error", [CommitTimeout("late"), GroupAuthorizationFailedError("g")])
async def test_a_failed_commit_ends_the_process_without_another_try(error: Exception) -> None:
    asked: list[dict[TP, int]] = []

    async def fail(offsets: dict[TP, int]) -> dict[TP, int]:
        asked.append(offsets)
        raise error

    with a_member() as member:
        await member.join(1)
        member.consumer._thread.commit_offsets = fail
        await done_and_committed(member, 0)
        await member.consumer.wait_empty()  # of the stop that follows

        assert member.app.crash_reason is error
        assert len(asked) == 1


async def test_the_age_of_a_waiting_commit_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = ManualClock()
    monkeypatch.setattr(consumer_module, "time", SimpleNamespace(monotonic=clock))
    waited: list[float] = []
    with a_member() as member:

        async def take(offsets: dict[TP, int]) -> dict[TP, int]:
            clock.advance(400)
            waited.append(member.consumer.commit_s)
            return offsets

        await member.join(1)
        member.consumer._thread.commit_offsets = take
        await done_and_committed(member, 0)

        assert waited == [400]
        assert member.consumer.commit_s == 0


def commits_of(member: Member) -> list[int]:
    """Return what grows by each offset that is committed."""
    committed: list[int] = []

    async def commit(offsets: dict[TP, int]) -> dict[TP, int]:
        committed.extend(offsets.values())
        return offsets

    member.consumer._thread.commit_offsets = commit
    return committed
