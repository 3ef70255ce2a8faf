"""Probes and metrics over HTTP, in each state of the stream."""

import signal
import socket
import time

import aiohttp
import pytest
from prometheus_client import CollectorRegistry

from streams.health import Phase, StreamState
from tests.integration.embedded.harness import Bench
from worker.web.probes import AddressInUseError, serve_probes

pytestmark = pytest.mark.integration


async def test_probes_say_what_the_state_says() -> None:
    state = StreamState(60.0, time.monotonic)
    async with (
        serve_probes("127.0.0.1", 0, state, CollectorRegistry()) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
    ):
        async with client.get("/livez") as answer:
            assert (answer.status, (await answer.json())["ok"]) == (200, True)
        async with client.get("/readyz") as answer:
            assert answer.status == 503
            assert await answer.json() == {"ok": False, "phase": "starting", "why": "starting"}
        state.enter(Phase.WAITING)
        state.in_group = True
        async with client.get("/readyz") as answer:
            assert answer.status == 200


async def test_serve_probes_raises_when_the_port_is_taken() -> None:
    state = StreamState(60.0, time.monotonic)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(AddressInUseError, match=f"127.0.0.1:{port}"):
            async with serve_probes("127.0.0.1", port, state, CollectorRegistry()):
                pass


@pytest.mark.timeout(90)
def test_a_worker_is_ready_while_idle_and_not_while_it_drains(bench: Bench) -> None:
    worker = bench.start(page_s=0.5, batch_pages="1")
    worker.until_logged("partitions_assigned")
    worker.until(lambda: worker.probe("/readyz")[0] == 200)
    assert worker.probe("/livez")[1] == '{"ok": true, "phase": "waiting"}'

    bench.publish([b"<p>page"] * 3)
    worker.until_logged("page_cleaned")
    status, metrics = worker.probe("/metrics")
    assert status == 200
    assert 'winnow_pages_total{outcome="document"}' in metrics

    bench.publish([b"<p>page"] * 20)
    worker.until(lambda: '"cleaning"' in worker.probe("/livez")[1])
    worker.send(signal.SIGTERM)
    worker.until_logged("worker_stopping")
    status, body = worker.probe("/readyz")
    assert (status, "draining" in body) == (503, True)
    assert worker.wait(20) == 0
