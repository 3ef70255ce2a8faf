"""State of the stream and metrics -> /livez, /readyz and /metrics."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from streams.health import StreamState


class AddressInUseError(Exception):
    """The port for probes and metrics cannot be had."""


@asynccontextmanager
async def serve_probes(
    host: str, port: int, state: StreamState, registry: CollectorRegistry
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port, which is a free one for port 0.

    Runs on the event loop of the stream: when that is blocked, no probe is answered, which says
    the same as a bad answer.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    runner = web.AppRunner(_application(state, registry), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            raise AddressInUseError(f"{host}:{port}: {error.strerror}") from error
        bound: int = runner.addresses[0][1]
        yield bound
    finally:
        await runner.cleanup()


def _application(state: StreamState, registry: CollectorRegistry) -> web.Application:
    async def livez(_: web.Request) -> web.Response:
        return _answer(state, state.why_not_live())

    async def readyz(_: web.Request) -> web.Response:
        return _answer(state, state.why_not_ready())

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(
            body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    application = web.Application()
    application.add_routes(
        [web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)]
    )
    return application


def _answer(state: StreamState, why_not: str | None) -> web.Response:
    body = {"ok": why_not is None, "phase": state.phase.value}
    if why_not is not None:
        body["why"] = why_not
    return web.json_response(body, status=200 if why_not is None else 503)
