"""Limits of the clients of a server."""

from dataclasses import dataclass

from winnow.models.page import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class WebLimits:
    """Limits of requests and of their work.

    Attributes:
        body_bytes: size of a request: the largest page in base64, and its other members.
        body_s: seconds until a request must have arrived.
        arriving_bytes: total size of all arriving requests.
        work_s: seconds of work on a request, and of waiting for a process.
        processes: requests answered at the same time.
        waiting: requests that wait for a process; more are refused.
        rate, burst: requests per second, and at once, per client.
        connections: open connections; one more closes the oldest idle one.
        idle_s: seconds that a connection is kept without a request.
        linger_s: seconds that a refused request may go on sending, so that its client reads why.
        stop_s: seconds that open requests may delay a stop.
    """

    body_bytes: int = DEFAULT_LIMITS.page_bytes * 4 // 3 + (1 << 16)
    body_s: float = 10.0
    arriving_bytes: int = 32 << 20
    work_s: float = 10.0
    processes: int = 2
    waiting: int = 6
    rate: float = 30.0
    burst: float = 120.0
    connections: int = 32  # for a few browsers; each opens six
    idle_s: float = 5.0
    linger_s: float = 0.0
    stop_s: float = 1.0


DEFAULT_WEB_LIMITS = WebLimits()
