"""How the clients of one worker process connect, wait and fetch."""

from dataclasses import dataclass

from streams.connection import Connection


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the transport needs to know.

    Attributes:
        drain_s: how long a stop or a rebalance waits for work in hand.
        fetch_bytes: most that one broker may send in one response.
        session_s: without a heartbeat for so long a member counts as dead.
        rebalance_s: how long the group waits for a member to drain and join again.
    """

    connection: Connection
    client_id: str = "winnow"
    drain_s: float = 25.0
    fetch_bytes: int = 16 << 20
    session_s: float = 30.0
    heartbeat_s: float = 3.0
    rebalance_s: float = 60.0
    request_s: float = 40.0
    linger_ms: int = 5
    compression: str | None = None


def tuning_of(transport: object) -> Tuning:
    """Return the tuning that a transport of ours carries."""
    tuning = getattr(transport, "tuning", None)
    assert isinstance(tuning, Tuning)
    return tuning
