"""Commit offsets with a time limit: no commit waits for ever.

aiokafka retries a commit for as long as a broker refuses it with a retriable error. For a partition
that no longer exists, that error never ends.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

import aiokafka
from aiokafka.errors import (
    IllegalGenerationError,
    KafkaError,
    RebalanceInProgressError,
    UnknownMemberIdError,
    UnknownTopicOrPartitionError,
)
from aiokafka.structs import OffsetAndMetadata
from faust.types.tuples import TP

from winnow.streams.errors import CommitTimeout
from winnow.streams.kafka.tuning import COMMIT_S

BACKOFF_S: Final = 0.2
_LOGGER: Final = logging.getLogger(__name__)
_NO_MEMBER: Final = (UnknownMemberIdError, IllegalGenerationError, RebalanceInProgressError)


async def commit(
    consumer: aiokafka.AIOKafkaConsumer, offsets: Mapping[TP, int]
) -> Mapping[TP, int]:
    """Commit offsets, in the thread of the consumer.

    Returns:
        The offsets that the group has now. Partitions that are missing from the metadata are left
        out,
        and after a rebalance all of them are: their new owners read the records again.

    Raises:
        CommitTimeout: the brokers have not accepted them in time.
        KafkaError: they refuse them for good.
    """
    try:
        async with asyncio.timeout(COMMIT_S):
            return await _commit(consumer, offsets)
    except TimeoutError:
        raise CommitTimeout(f"offsets not committed within {COMMIT_S:.0f} s") from None


async def _commit(
    consumer: aiokafka.AIOKafkaConsumer, offsets: Mapping[TP, int]
) -> Mapping[TP, int]:
    coordinator = consumer._coordinator  # noqa: SLF001 - its own loop does not end
    left = offsets
    while left:
        await coordinator.ensure_coordinator_known()
        try:
            await _attempt(coordinator, left)
        except _NO_MEMBER:
            return {}
        except UnknownTopicOrPartitionError:
            left = await _still_there(consumer, left)
        except KafkaError as error:
            if not error.retriable:
                raise
        else:
            return left
        await asyncio.sleep(BACKOFF_S)
    return left


async def _attempt(coordinator: Any, offsets: Mapping[TP, int]) -> None:  # noqa: ANN401 - aiokafka's
    """Try once; aiokafka waits for a request that was sent, even when this call is cancelled."""
    asked = {tp: OffsetAndMetadata(offset, "") for tp, offset in offsets.items()}
    async with coordinator._commit_lock:  # noqa: SLF001
        await asyncio.shield(coordinator._do_commit_offsets(None, asked))  # noqa: SLF001


async def _still_there(
    consumer: aiokafka.AIOKafkaConsumer, offsets: Mapping[TP, int]
) -> Mapping[TP, int]:
    """Return the offsets of partitions that fresh metadata has; without it, all of them."""
    client = consumer._client  # noqa: SLF001
    if not await client.force_metadata_update():
        return offsets
    held = {topic: client.cluster.partitions_for_topic(topic) for topic, _ in offsets}
    gone = [tp for tp in offsets if tp.partition not in (held[tp.topic] or ())]
    for tp in gone:
        _LOGGER.warning(
            "%s/%d no longer exists: its offset is not committed", tp.topic, tp.partition
        )
    return {tp: offset for tp, offset in offsets.items() if tp not in gone}
