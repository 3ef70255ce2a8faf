"""After a failed batch, start a new epoch of the producer, whose sequences begin at 0.

aiokafka counts the records of a batch before it sends it. After a refusal its count is ahead of the
broker's, and the broker refuses everything that follows in that partition.
"""

import asyncio
from typing import Final, TypeVar

import aiokafka
from aiokafka.producer.transaction_manager import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    PidAndEpoch,
    TransactionManager,
)

T = TypeVar("T")

LAST_EPOCH: Final = 2**15 - 1  # signed 16 bits


def renew_after_failure(client: aiokafka.AIOKafkaProducer, stored: asyncio.Future[T]) -> None:
    """Make a producer start a new epoch if that batch fails, before the caller sees the failure.

    The old sequence is not reset: an attempt whose answer was lost may have stored the batch. The
    broker would then take the next batch for a copy of it, and drop it.
    """

    def renew(done: asyncio.Future[T]) -> None:
        if not done.cancelled() and done.exception() is not None:
            begin_epoch(client._txn_manager)  # noqa: SLF001 - aiokafka counts on without end

    stored.add_done_callback(renew)


def begin_epoch(manager: TransactionManager) -> None:
    """Start a new epoch for all later records.

    The Java client does the same: brokers accept a higher epoch of an idempotent producer that
    begins at 0. Batches of other partitions that are in flight keep their epoch, and each partition
    has one batch in flight. After the last epoch the sender requests a new producer id.
    """
    pid, epoch = manager._pid_and_epoch  # noqa: SLF001
    if epoch < LAST_EPOCH:
        manager._pid_and_epoch = PidAndEpoch(pid, epoch + 1)  # noqa: SLF001
    else:
        manager._pid_and_epoch = PidAndEpoch(NO_PRODUCER_ID, NO_PRODUCER_EPOCH)  # noqa: SLF001
        manager._pid_waiter = asyncio.get_running_loop().create_future()  # noqa: SLF001
    manager._sequence_numbers.clear()  # noqa: SLF001
