"""Connections to the probe port that hold it or its descriptors: the worker must not care."""

import asyncio
import resource
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager

import pytest
from prometheus_client import CollectorRegistry, Gauge

from streams.health import StreamState
from tests.integration.embedded.harness import Bench, Worker
from worker.web.probes import serve_probes

pytestmark = pytest.mark.integration

DESCRIPTORS = 256
HELD_S = 15.0
HALF_SENT = b"GET /livez HTTP/1.1\r\nHost: x\r\n"


@contextmanager
def half_sent_requests(worker: Worker, count: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        connections = []
        for _ in range(count):  # those beyond the descriptors of the worker wait in the kernel
            address = ("127.0.0.1", worker.port)
            connection = stack.enter_context(closing(socket.create_connection(address, timeout=10)))
            connection.sendall(HALF_SENT)
            connections.append(connection)
        yield connections


@asynccontextmanager
async def connections(port: int, count: int) -> AsyncIterator[list[socket.socket]]:
    """Connect one after the other, and send nothing."""
    with ExitStack() as stack:
        made = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in made:
            each.setblocking(False)
            await asyncio.get_running_loop().sock_connect(each, ("127.0.0.1", port))
        yield made


async def test_the_oldest_unfinished_request_ends_for_a_new_connection() -> None:
    loop, state = asyncio.get_running_loop(), StreamState(60.0, time.monotonic)
    async with (
        serve_probes("127.0.0.1", 0, state, CollectorRegistry()) as port,
        connections(port, 100) as held,
    ):
        await loop.sock_sendall(held[-1], HALF_SENT)
        assert await asyncio.wait_for(loop.sock_recv(held[0], 1), 3) == b""
        await loop.sock_sendall(held[-1], b"\r\n")
        answer = await asyncio.wait_for(loop.sock_recv(held[-1], 100), 3)

    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_a_client_that_does_not_read_its_answers_does_not_hold_up_a_stop() -> None:
    loop, state, registry = (
        asyncio.get_running_loop(),
        StreamState(60.0, time.monotonic),
        CollectorRegistry(),
    )
    Gauge("filler", "x" * (8 << 20), registry=registry)  # more than the buffers of a connection
    async with asyncio.timeout(9), AsyncExitStack() as stack:
        port = await stack.enter_async_context(serve_probes("127.0.0.1", 0, state, registry))
        with socket.socket() as client:
            client.setblocking(False)
            await loop.sock_connect(client, ("127.0.0.1", port))
            await loop.sock_sendall(client, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            assert await loop.sock_recv(client, 1)  # the answer has begun
            await stack.aclose()


@pytest.mark.timeout(180)
def test_half_sent_requests_neither_end_a_worker_nor_fill_its_log(bench: Bench) -> None:
    worker = bench.start(within=("prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"))
    worker.until_logged("partitions_assigned", timeout_s=60)
    before = worker.log_path.stat().st_size

    with half_sent_requests(worker, DESCRIPTORS + 4):
        bench.publish([b"<p>page"] * 50)
        bench.until_answered(60)
        held_until = time.monotonic() + HELD_S
        while time.monotonic() < held_until:
            assert worker.probe("/livez")[0] == 200
            time.sleep(0.5)

    assert worker.process.poll() is None
    assert worker.log_path.stat().st_size - before < 100_000


@pytest.mark.timeout(180)
def test_a_worker_takes_as_many_descriptors_as_it_may_have(bench: Bench) -> None:
    worker = bench.start(within=("prlimit", f"--nofile={DESCRIPTORS}:2048"))
    worker.until_logged("partitions_assigned", timeout_s=60)

    assert resource.prlimit(worker.process.pid, resource.RLIMIT_NOFILE) == (2048, 2048)
