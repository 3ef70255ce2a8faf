"""Kafka records independent of any client: incoming and outgoing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from winnow.models.errors import Reason

Headers = tuple[tuple[str, bytes | None], ...]

# Memory of a waiting record in addition to key, value and headers (tracemalloc, rounded up).
RECORD_OVERHEAD_BYTES: Final = 512
# Memory of a header in addition to its name and value: two objects in a pair, in two tuples.
HEADER_OVERHEAD_BYTES: Final = 160


class UnreadValue(bytes):
    """Replaces a value that cannot be read or is too large to keep; its bytes are empty.

    Attributes:
        reason: of the dead letter.
        why: the same as text for people.
        skipped_bytes: length of the record if it is known, else 0.
    """

    reason: Reason
    why: str
    skipped_bytes: int

    def __new__(cls, reason: Reason, why: str, skipped_bytes: int = 0) -> Self:
        """Return an empty value with the reason."""
        unread = super().__new__(cls)
        unread.reason, unread.why, unread.skipped_bytes = reason, why, skipped_bytes
        return unread


@dataclass(frozen=True, slots=True)
class Incoming:
    """One record of the pages topic, unchanged.

    Attributes:
        value: None for a tombstone.
        headers: in their original order, repeated names included.
    """

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()

    @property
    def source(self) -> str:
        """The place of the record: `topic/partition/offset`."""
        return f"{self.topic}/{self.partition}/{self.offset}"

    @property
    def value_bytes(self) -> int:
        """Length of the value, 0 for a tombstone."""
        return len(self.value) if self.value is not None else 0

    @property
    def record_bytes(self) -> int:
        """Length of key, value and headers."""
        return record_bytes(self.key, self.value, self.headers)

    def header(self, name: str) -> bytes | None:
        """Return the last header of that name, as Kafka's own clients do, or None."""
        for key, value in reversed(self.headers):
            if key == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One record to publish."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers

    @property
    def record_bytes(self) -> int:
        """Length of key, value and headers."""
        return record_bytes(self.key, self.value, self.headers)


def record_bytes(
    key: bytes | None, value: bytes | None, headers: Iterable[tuple[str, bytes | None]]
) -> int:
    """Return how many bytes of a record are content."""
    size = len(key or b"") + len(value or b"")
    for name, given in headers:
        size += len(name) + len(given or b"")
    return size


def held_bytes(record: Incoming) -> int:
    """Return the memory cost of a record in bytes, or its work if its value is unread."""
    skipped = record.value.skipped_bytes if isinstance(record.value, UnreadValue) else 0
    overhead = RECORD_OVERHEAD_BYTES + HEADER_OVERHEAD_BYTES * len(record.headers)
    return record.record_bytes + skipped + overhead


def clean_headers(raw: Iterable[tuple[object, object]] | None) -> Headers:
    """Return the headers with a text name and a bytes or null value."""
    if not raw:
        return ()
    return tuple(
        (name, value)
        for name, value in raw
        if isinstance(name, str) and isinstance(value, bytes | None)
    )
