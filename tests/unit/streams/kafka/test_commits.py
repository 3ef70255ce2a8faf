"""A commit ends: with the group's offsets, without deleted partitions, or in time."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import (
    CoordinatorNotAvailableError,
    GroupAuthorizationFailedError,
    IllegalGenerationError,
    KafkaError,
    RebalanceInProgressError,
    UnknownMemberIdError,
    UnknownTopicOrPartitionError,
)
from faust.types.tuples import TP

from winnow.streams.errors import CommitTimeout
from winnow.streams.kafka import commits
from winnow.streams.kafka.commits import commit

FIRST, SECOND, OTHER = TP("pages", 0), TP("pages", 1), TP("others", 0)
LONG_S = 60.0
Refuse = Callable[[Mapping[TP, int]], KafkaError | None]


class Group:
    """A consumer whose brokers answer what a test says; keeps what they took."""

    def __init__(self, refuse: Refuse, partitions: Mapping[str, set[int]]) -> None:
        self.committed: dict[TP, int] = {}
        self.asked: list[set[TP]] = []
        self.is_metadata_known = True
        self.partitions = dict(partitions)
        self._refuse = refuse
        self._coordinator = SimpleNamespace(
            _commit_lock=asyncio.Lock(),
            _do_commit_offsets=self._take,
            ensure_coordinator_known=lambda: asyncio.sleep(0),
        )
        self._client = SimpleNamespace(
            force_metadata_update=self._look,
            cluster=SimpleNamespace(partitions_for_topic=self.partitions.get),
        )

    async def _look(self) -> bool:
        return self.is_metadata_known

    async def _take(self, _assignment: object, offsets: Mapping[TP, Any]) -> None:
        self.asked.append(set(offsets))
        plain = {tp: each.offset for tp, each in offsets.items()}
        if error := self._refuse(plain):
            raise error
        self.committed |= plain

    async def commit(self, **offsets: int) -> Mapping[TP, int]:
        places = {"first": FIRST, "second": SECOND, "other": OTHER}
        asked = {places[name]: offset for name, offset in offsets.items()}
        consumer: Any = self
        async with asyncio.timeout(LONG_S):
            return await commit(consumer, asked)


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "BACKOFF_S", 0.0)


def refusing(*errors: KafkaError) -> Refuse:
    """Refuse so often, then take all."""
    left = list(errors)
    return lambda _: left.pop(0) if left else None


def gone(*partitions: TP) -> Refuse:
    """Refuse every request for one of these partitions, for ever."""
    return lambda offsets: (
        UnknownTopicOrPartitionError() if set(partitions) & set(offsets) else None
    )


async def test_accepted_offsets_are_returned() -> None:
    group = Group(refusing(), {"pages": {0, 1}})

    assert await group.commit(first=7, second=9) == {FIRST: 7, SECOND: 9}

    assert group.committed == {FIRST: 7, SECOND: 9}


async def test_a_refusal_that_passes_is_waited_for() -> None:
    group = Group(refusing(CoordinatorNotAvailableError(), CoordinatorNotAvailableError()), {})

    assert await group.commit(first=7) == {FIRST: 7}


async def test_a_removed_partition_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    group = Group(gone(SECOND), {"pages": {0}})

    with caplog.at_level(logging.WARNING):
        assert await group.commit(first=7, second=9) == {FIRST: 7}

    assert caplog.messages == ["pages/1 no longer exists: its offset is not committed"]


async def test_a_removed_topic_commits_nothing() -> None:
    group = Group(gone(FIRST, SECOND), {"others": {0}})

    assert await group.commit(first=7, second=9, other=3) == {OTHER: 3}


async def test_partitions_are_kept_until_brokers_list_them() -> None:
    group = Group(refusing(*[UnknownTopicOrPartitionError()] * 3), {})
    group.is_metadata_known = False

    assert await group.commit(first=7) == {FIRST: 7}


async def test_a_partition_that_the_metadata_has_is_asked_for_again() -> None:
    group = Group(refusing(UnknownTopicOrPartitionError()), {"pages": {0, 1}})

    assert await group.commit(first=7, second=9) == {FIRST: 7, SECOND: 9}

    assert group.asked == [{FIRST, SECOND}] * 2


@pytest.mark.parametrize(
    "error", [UnknownMemberIdError, IllegalGenerationError, RebalanceInProgressError]
)
async def test_only_a_member_commits(error: type[KafkaError]) -> None:
    assert await Group(refusing(error()), {}).commit(first=7) == {}


async def test_a_permanent_refusal_is_raised() -> None:
    with pytest.raises(GroupAuthorizationFailedError):
        await Group(refusing(GroupAuthorizationFailedError()), {}).commit(first=7)


async def test_a_commit_that_is_always_refused_ends_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commits, "COMMIT_S", 0.01)
    group = Group(lambda _: UnknownTopicOrPartitionError(), {"pages": {0}})

    with pytest.raises(CommitTimeout, match="not committed within"):
        await group.commit(first=7)


async def test_a_commit_without_an_answer_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "COMMIT_S", 0.01)
    group = Group(refusing(), {})
    group._coordinator.ensure_coordinator_known = asyncio.Event().wait

    with pytest.raises(CommitTimeout):
        await group.commit(first=7)
