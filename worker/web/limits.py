"""What clients may ask of a port."""

from dataclasses import dataclass

from winnow.models.page import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class WebLimits:
    """Bounds of requests, and of the work that they may cost.

    Attributes:
        body_bytes: of a request: the largest page in base64, and its other members.
        body_s: seconds until a request has arrived.
        arriving_bytes: of all requests that are arriving.
        work_s: seconds of work on a request, and of waiting for a process.
        processes: requests that are worked on at a time.
        waiting: requests that wait for a process; more are sent away.
        rate, burst: requests a second and at once, for each client.
        connections: open at a time; one more ends the oldest that is idle.
        idle_s: the longest that a connection is kept without a request.
        linger_s: what a refused request may send on, unread, so that the client gets to the answer.
        stop_s: what the requests at work may add to a stop.
    """

    body_bytes: int = DEFAULT_LIMITS.page_bytes * 4 // 3 + (1 << 16)
    body_s: float = 10.0
    arriving_bytes: int = 32 << 20
    work_s: float = 10.0
    processes: int = 2
    waiting: int = 6
    rate: float = 30.0
    burst: float = 120.0
    connections: int = 32  # of a few browsers, each of which opens six
    idle_s: float = 5.0
    linger_s: float = 0.0
    stop_s: float = 1.0


DEFAULT_WEB_LIMITS = WebLimits()
