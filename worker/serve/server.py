"""`winnow serve`: processes that clean, and the port that they work for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from winnow.models.options import CleanerOptions
from winnow.worker.serve.metrics import ServeMetrics
from winnow.worker.serve.site import LOGGER, ServeLimits, ServeSite, Work
from winnow.worker.serve.work import ServeParts
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.processes import working
from winnow.worker.web.server import serve_requests


def serve_limits(
    options: CleanerOptions, processes: int, page_s: float, waiting: int, batches: int
) -> ServeLimits:
    """Return what clients may ask of so many processes.

    Args:
        options: of the pages; they say how large one may be.
        processes: pages that are worked on at a time.
        page_s: the longest that one may take, and that a request waits for its turn.
        waiting: requests that may wait; more are sent away.
        batches: at a time.
    """
    page_bytes = options.limits.page_bytes
    web = WebLimits(
        body_bytes=page_bytes,
        body_s=30.0,
        arriving_bytes=16 * page_bytes,
        work_s=page_s,
        processes=processes,
        waiting=waiting,
        connections=4 * waiting + 64,
        idle_s=60.0,
        linger_s=2.0,
        stop_s=2 * page_s + 5,
    )
    return ServeLimits(web, batches)


@asynccontextmanager
async def serve_pages(
    host: str, port: int, parts: ServeParts, limits: ServeLimits
) -> AsyncIterator[int]:
    """Serve until the block ends, then answer what is at work; yields the port.

    Args:
        host: name or address to bind.
        port: to bind; a free one for 0.
        parts: of the processes that work.
        limits: what clients may ask.

    Raises:
        AddressInUseError: host or port cannot be bound.
        CannotServe: models or options cannot be used.
    """
    async with (
        working(parts, limits.web) as processes,
        serve_work(host, port, processes, parts.options, limits) as bound,
    ):
        yield bound


@asynccontextmanager
async def serve_work(
    host: str, port: int, work: Work, defaults: CleanerOptions, limits: ServeLimits
) -> AsyncIterator[int]:
    """Serve what `work` answers; else as `serve_pages`."""
    site = ServeSite(work, defaults, limits, ServeMetrics())
    async with serve_requests(host, port, site.respond, LOGGER, limits.web) as bound:
        yield bound
