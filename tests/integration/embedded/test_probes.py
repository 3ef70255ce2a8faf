"""Probes and metrics over HTTP, in each state of the stream."""

import asyncio
import signal
import socket
import time

import aiohttp
import pytest
from prometheus_client import CollectorRegistry

from tests.integration.embedded.harness import Bench, Worker
from winnow.streams.health import Phase, StreamState
from winnow.worker.service.probes import serve_probes
from winnow.worker.web.server import AddressInUseError

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]


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


async def test_the_root_names_every_endpoint() -> None:
    state = StreamState(60.0, time.monotonic)
    async with (
        serve_probes("127.0.0.1", 0, state, CollectorRegistry()) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
    ):
        async with client.get("/") as answer:
            lines = (await answer.text()).splitlines()[1:]
        named = [line.split()[0] for line in lines]
        statuses = [(await client.get(path)).status for path in named]

    assert named == ["/livez", "/readyz", "/metrics", "/metrics/pod"]
    assert statuses == [200, 503, 200, 200]


@pytest.mark.parametrize(
    "sent",
    [b"GET /\x1b[31m HTTP/1.1\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01" + bytes(60)],
)
async def test_foreign_requests_are_refused_without_a_log_line(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    state = StreamState(60.0, time.monotonic)
    async with serve_probes("127.0.0.1", 0, state, CollectorRegistry()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        answer = await reader.read()
        writer.close()

    assert b" 400 Bad Request" in answer
    assert caplog.messages == []


async def test_serve_probes_raises_when_the_port_is_taken() -> None:
    state = StreamState(60.0, time.monotonic)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(AddressInUseError, match=f"127.0.0.1:{port}"):
            async with serve_probes("127.0.0.1", port, state, CollectorRegistry()):
                pass


PATHS = ("/livez", "/readyz", "/metrics")
FINE = [200, 200, 200]
NOT_READY = [200, 503, 200]
NOT_LIVE = [503, 503, 200]


def answers(worker: Worker) -> list[int]:
    return [worker.probe(path)[0] for path in PATHS]


def is_listening(worker: Worker) -> bool:
    try:
        return worker.probe("/livez")[0] > 0
    except OSError:
        return False


def is_in(worker: Worker, phase: str) -> bool:
    return f'"{phase}"' in worker.probe("/livez")[1]


def test_probes_distinguish_the_states_of_a_worker(bench: Bench) -> None:
    worker = bench.start(page_s=1.0, start_s=3.0, batch_pages="1")
    worker.until(lambda: is_listening(worker))
    assert (answers(worker), is_in(worker, "starting")) == (NOT_READY, True)

    worker.until(lambda: worker.probe("/readyz")[0] == 200)
    assert (answers(worker), is_in(worker, "waiting")) == (FINE, True)  # idle

    bench.publish([b"<p>page"] * 10)
    worker.until(lambda: is_in(worker, "cleaning"))
    assert answers(worker) == FINE  # working
    worker.until_logged("page_cleaned")
    assert 'winnow_pages_total{outcome="document"}' in worker.probe("/metrics")[1]

    worker.send(signal.SIGTERM)
    worker.until_logged("worker_stopping")
    assert answers(worker) == NOT_READY
    assert "draining" in worker.probe("/readyz")[1]
    assert worker.wait() == 0


def test_a_worker_whose_broker_is_gone_is_live_as_a_restart_would_not_help(bench: Bench) -> None:
    worker = bench.start()
    worker.until_logged("partitions_assigned")

    bench.broker.set_down()
    worker.until_logged("aiokafka")  # has noticed

    assert answers(worker) == FINE
    bench.broker.set_up()


def test_a_worker_that_is_stuck_is_neither_live_nor_ready(bench: Bench) -> None:
    worker = bench.start(stuck_seconds="5", drain_seconds="1")
    worker.until_logged("partitions_assigned")

    bench.publish([b"hang"])
    worker.until(lambda: worker.probe("/livez")[0] == 503)

    assert answers(worker) == NOT_LIVE
    assert "stuck" in worker.probe("/readyz")[1]
