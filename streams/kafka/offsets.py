"""Which offset of each partition may be committed: nothing at or above a page still at work."""

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)


@dataclass(slots=True, eq=False)
class Taken:
    """A record that was taken for work; `is_done` once all it gives is stored by the brokers."""

    offset: int
    is_done: bool = False


@dataclass(slots=True)
class _Partition:
    """Records taken and not yet settled, in order."""

    open: deque[Taken] = field(default_factory=deque)
    next_offset: int | None = None
    next_taken: int = 0


class OffsetLedger(Generic[P]):
    """Keeps account of the records that were taken for work, partition by partition.

    Records of a partition are taken in the order of their offsets; one that goes back begins the
    account anew, as the log does then. What was taken before that, or before a partition was lost,
    and is done after it counts no more: it will be read again, or is no more.
    """

    def __init__(self) -> None:
        """Start with no partition."""
        self._partitions: dict[P, _Partition] = {}

    def take(self, partition: P, offset: int) -> Taken:
        """Note that work on a record begins; return what to mark when it is done."""
        account = self._partitions.get(partition)
        if account is None or offset < account.next_taken:
            account = self._partitions[partition] = _Partition()
        taken = Taken(offset)
        account.open.append(taken)
        account.next_taken = offset + 1
        return taken

    def pass_over(self, partition: P, offset: int) -> None:
        """Note that all records below an offset were taken before, and that the others are none.

        It is committed when all of them are done. Below what was taken it counts for nothing.
        """
        account = self._partitions.get(partition)
        if account is None or offset > account.next_taken:
            self.take(partition, offset - 1).is_done = True

    def committable(self, partition: P) -> int | None:
        """Return the offset to commit (the next to read), or None if nothing was done yet."""
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
        """Drop the accounts of partitions that are lost."""
        for partition in partitions:
            self._partitions.pop(partition, None)
