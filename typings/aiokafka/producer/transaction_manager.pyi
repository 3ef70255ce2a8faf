import asyncio
from typing import Any, NamedTuple

NO_PRODUCER_ID: int
NO_PRODUCER_EPOCH: int

class PidAndEpoch(NamedTuple):
    pid: int
    epoch: int

class TransactionManager:
    _pid_and_epoch: PidAndEpoch
    _pid_waiter: asyncio.Future[None]
    _sequence_numbers: dict[Any, int]
    def __init__(self, transactional_id: str | None, transaction_timeout_ms: int) -> None: ...
    def has_pid(self) -> bool: ...
    def set_pid_and_epoch(self, pid: int, epoch: int) -> None: ...
    def sequence_number(self, tp: Any) -> int: ...
    def increment_sequence_number(self, tp: Any, increment: int) -> None: ...
