"""State of the stream and metrics -> /livez, /readyz, /metrics, /metrics/pod; / lists them."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import orjson
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from winnow.streams.health import StreamState
from winnow.worker.service.once import Handler, Reply, serve_once
from winnow.worker.service.pod import NoSumError, fetch_metrics, summed
from winnow.worker.service.rarely import Rarely

_ENDPOINTS: Final = """\
Winnow worker
/livez        is the process at work? 200, or 503 with the reason
/readyz       is it a member of its group? 200, or 503 with the reason
/metrics      of this process, for Prometheus
/metrics/pod  the sums over all processes of its supervisor
"""
_LOGGER: Final = logging.getLogger("winnow.worker.service")


@asynccontextmanager
async def serve_probes(
    host: str,
    port: int,
    state: StreamState,
    registry: CollectorRegistry,
    other_ports: Sequence[int] = (),
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port (a free one for port 0).

    `/metrics/pod` adds the metrics of the processes on the other ports.

    Runs on the stream's event loop: while that is blocked, no probe is answered, which has the
    same effect as a negative answer.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    handlers: dict[str, Handler] = {
        "/": _endpoints,
        "/livez": lambda: _answer(state, state.why_not_live()),
        "/readyz": lambda: _answer(state, state.why_not_ready()),
        "/metrics": Rarely(lambda: _exposition(generate_latest(registry))),
        "/metrics/pod": Rarely(lambda: _pod_metrics(host, registry, other_ports)),
    }
    async with serve_once(host, port, handlers, _LOGGER) as bound:
        yield bound


async def _endpoints() -> Reply:
    return Reply(_ENDPOINTS.encode())


async def _pod_metrics(host: str, registry: CollectorRegistry, other_ports: Sequence[int]) -> Reply:
    try:
        others = await fetch_metrics(host, other_ports)
    except NoSumError as error:
        return Reply(f"{error}\n".encode(), HTTPStatus.SERVICE_UNAVAILABLE)
    return await _exposition(summed([generate_latest(registry).decode(), *others]))


async def _exposition(body: bytes) -> Reply:
    return Reply(body, content_type=CONTENT_TYPE_LATEST)


async def _answer(state: StreamState, why_not: str | None) -> Reply:
    body = {"ok": why_not is None, "phase": state.phase.value}
    if why_not is not None:
        body["why"] = why_not
    status = HTTPStatus.OK if why_not is None else HTTPStatus.SERVICE_UNAVAILABLE
    return Reply(orjson.dumps(body), status, "application/json; charset=utf-8")
