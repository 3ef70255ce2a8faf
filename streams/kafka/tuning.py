"""How the clients of one worker process connect, wait and fetch."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.streams.kafka.connection import Connection

# For a commit. Shorter than the ten minutes after which WinnowStuck reports that no batch was
# committed, and longer than most outages: a new process would wait for the same brokers.
COMMIT_S: Final = 300.0


class Compression(StrEnum):
    """Codecs of Kafka; every reader of Winnow's topics supports all of them."""

    NONE = "none"
    GZIP = "gzip"
    SNAPPY = "snappy"
    LZ4 = "lz4"
    ZSTD = "zstd"


@dataclass(frozen=True, slots=True)
class Tuning:
    """Settings of the transport.

    Attributes:
        drain_s: how long a stop or a rebalance waits for work in flight.
        fetch_bytes: largest response of one broker.
        session_s: seconds without a heartbeat before a member counts as dead.
        instance: name of a static member, unique in its group: if it returns within the
            session, there is no rebalance. Without a name each start joins as a new member.
    """

    connection: Connection
    client_id: str = "winnow"
    drain_s: float = 25.0
    fetch_bytes: int = 8 << 20
    session_s: float = 30.0
    instance: str | None = None
    compression: Compression = Compression.NONE

    @property
    def heartbeat_s(self) -> float:
        """Seconds between heartbeats: a few may be lost before the session ends."""
        return self.session_s / 10

    @property
    def rebalance_s(self) -> float:
        """How long the group waits for a member: it drains first, then it joins again."""
        return self.drain_s + 10

    @property
    def request_s(self) -> float:
        """How long one request may take; a join is answered after all members have drained."""
        return max(40.0, self.rebalance_s + 5, self.session_s + 5)


def tuning_of(transport: object) -> Tuning:
    """Return the tuning that our transport holds."""
    tuning = getattr(transport, "tuning", None)
    assert isinstance(tuning, Tuning)
    return tuning
