"""The offset of each partition that may be committed: never at or above an unfinished page."""

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)


@dataclass(slots=True, eq=False)
class Taken:
    """A record in work; `is_done` once the brokers have stored all its results."""

    offset: int
    is_done: bool = False


@dataclass(slots=True)
class _Partition:
    """Records taken and not yet settled, in order."""

    open: deque[Taken] = field(default_factory=deque)
    next_offset: int | None = None
    next_taken: int = 0


class OffsetLedger(Generic[P]):
    """Tracks the records in work, per partition.

    Records of a partition are taken in offset order; a lower offset restarts the account, as the
    log starts again then. Records taken before that, or before a partition was lost, do not count
    when they finish: they are read again, or no longer exist.
    """

    def __init__(self) -> None:
        """Start with no partition."""
        self._partitions: dict[P, _Partition] = {}

    def take(self, partition: P, offset: int) -> Taken:
        """Note that work on a record begins; return its entry, to be marked when done."""
        account = self._partitions.get(partition)
        if account is None or offset < account.next_taken:
            account = self._partitions[partition] = _Partition()
        taken = Taken(offset)
        account.open.append(taken)
        account.next_taken = offset + 1
        return taken

    def pass_over(self, partition: P, offset: int) -> None:
        """Note that the records below an offset were taken; the other offsets there hold no record.

        It is committed when all these records are done. An offset below the taken records has no
        effect.
        """
        account = self._partitions.get(partition)
        if account is None or offset > account.next_taken:
            self.take(partition, offset - 1).is_done = True

    def committable(self, partition: P) -> int | None:
        """Return the offset to commit (the next to read), or None if nothing is done yet."""
        account = self._partitions.get(partition)
        if account is None:
            return None
        while account.open and account.open[0].is_done:
            account.next_offset = account.open.popleft().offset + 1
        return account.next_offset

    def partitions(self) -> tuple[P, ...]:
        """Return the partitions that have an account."""
        return tuple(self._partitions)

    def forget(self, partitions: Iterable[P]) -> None:
        """Drop the accounts of lost partitions."""
        for partition in partitions:
            self._partitions.pop(partition, None)
