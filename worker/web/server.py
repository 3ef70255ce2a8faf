"""An HTTP server with limits on the number and the idle time of connections."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from winnow.models.errors import WinnowError
from winnow.worker.web.limits import WebLimits

Respond = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class AddressInUseError(WinnowError):
    """A port cannot be bound."""


class _ErrorsOfOurs(logging.Filter):
    """Drops log lines of malformed requests, so that port scanners do not fill the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the line."""
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_ONLY_OURS: Final = _ErrorsOfOurs()


class _Server(web.Server):
    """At the limit, a new connection closes the oldest idle one.

    A connection is idle while no answer is in work: its request is incomplete, or its answer
    is unread.
    """

    def __init__(self, respond: Respond, logger: logging.Logger, limits: WebLimits) -> None:
        super().__init__(
            self._serve,
            access_log=None,
            logger=logger,
            keepalive_timeout=limits.idle_s,
            lingering_time=limits.linger_s,
        )
        self._respond = respond
        self._limits = limits
        self._open: dict[web.RequestHandler, asyncio.Transport] = {}
        self._answering: set[web.RequestHandler] = set()

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if len(self._open) >= self._limits.connections:
            oldest = next((it for it in self._open if it not in self._answering), None)
            self._open.pop(oldest or next(iter(self._open))).abort()
        self._open[handler] = transport

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        self._open.pop(handler, None)
        super().connection_lost(handler, exc)

    def abandon(self) -> None:
        """Close connections with an answer that nobody reads."""
        for transport in self._open.values():
            transport.abort()

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        self._answering.add(request.protocol)
        try:
            return await self._respond(request.clone(client_max_size=self._limits.body_bytes))
        finally:
            self._answering.discard(request.protocol)


@asynccontextmanager
async def serve_requests(
    host: str, port: int, respond: Respond, logger: logging.Logger, limits: WebLimits
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port (a free one for port 0).

    Args:
        host: name or address to bind.
        port: port to bind.
        respond: answers a request.
        logger: receives errors of requests and answers.
        limits: limits of connections and bodies; `web.HTTPRequestEntityTooLarge` above them.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    logger.addFilter(_ONLY_OURS)
    server = _Server(respond, logger, limits)
    runner = web.ServerRunner(server, shutdown_timeout=limits.stop_s)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=limits.connections)
        try:
            await site.start()
        except OSError as error:
            raise AddressInUseError(f"{host}:{port}: {error.strerror}") from error
        bound: int = runner.addresses[0][1]
        yield bound
    finally:
        await runner.cleanup()
        server.abandon()
