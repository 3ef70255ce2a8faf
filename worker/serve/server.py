"""`winnow serve`: the port, and the processes that clean for it."""

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
    """Return the limits of clients for a number of processes.

    Args:
        options: cleaning options, with the size limit of a page.
        processes: pages cleaned at the same time.
        page_s: time limit for cleaning a page, and for a request in the queue, in seconds.
        waiting: maximum requests in the queue; more are refused.
        batches: maximum batches at the same time.
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
    """Serve until the block ends, then finish open requests; yields the port.

    Args:
        host: name or address to bind.
        port: port to bind; 0 for a free one.
        parts: parts of the cleaning processes.
        limits: limits of clients.

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
    """Serve the answers of `work`; otherwise like `serve_pages`."""
    site = ServeSite(work, defaults, limits, ServeMetrics())
    async with serve_requests(host, port, site.respond, LOGGER, limits.web) as bound:
        yield bound
