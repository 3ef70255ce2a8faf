"""Connections that hold the probe port or its descriptors do not affect the worker."""

import asyncio
import logging
import resource
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Gauge

from tests.integration.embedded.harness import Bench, Worker
from winnow.streams.health import StreamState
from winnow.worker.service import once
from winnow.worker.service.probes import serve_probes

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

DESCRIPTORS = 256
TOO_LONG = HTTPStatus.REQUEST_URI_TOO_LONG.phrase.encode()  # "URI Too Long" from Python 3.13 on
HELD_S = 15.0
ROOT = Path(__file__).resolve().parents[3]
PROBE_TIMEOUT_S = 5.0  # of the chart
# The probe port of a process at rest, with all metrics of a worker.
SERVER = """
import asyncio, time
from winnow.streams.health import StreamState
from winnow.worker.service.metrics import Metrics
from winnow.worker.service.probes import serve_probes

async def main():
    state = StreamState(60.0, time.monotonic)
    async with serve_probes("127.0.0.1", 0, state, Metrics().registry) as port:
        print(port, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""
# Connects 500 times a second, sends many requests at once, and reads nothing.
FLOOD = """
import socket, sys, time
from collections import deque

port, requests, held = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape"), deque()
begun, made = time.monotonic(), 0
while True:
    made += 1
    try:
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", port))
        held.append(connection)
        held[max(0, len(held) - 5)].send(requests.encode())
    except OSError:
        pass
    if len(held) > 400:
        held.popleft().close()
    time.sleep(max(0.0, begun + made / 500 - time.monotonic()))
"""
PIPELINED = {
    "probes": "GET /livez HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" * 500,
    "metrics": "GET /metrics HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" * 500,
    "sums": "GET /metrics/pod HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" * 500,
    "nothing": "",
}
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


@contextmanager
def program(source: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", source, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.mark.alone
@pytest.mark.parametrize("requests", PIPELINED.values(), ids=PIPELINED)
def test_probes_are_answered_while_connections_with_many_requests_come_in(requests: str) -> None:
    with program(SERVER) as server:
        assert server.stdout
        port = server.stdout.readline().strip()
        with program(FLOOD, port, requests):
            time.sleep(2.0)  # its connections are there
            answered = [is_answered(f"http://127.0.0.1:{port}/livez") for _ in range(10)]

    assert answered == [True] * 10


def is_answered(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=PROBE_TIMEOUT_S) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


ANSWERED = [
    ([b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"], b"HTTP/1.1 200 OK\r\n", b'{"ok":true'),
    ([b"GE", b"T /livez?a=b HTTP/1.0\r", b"\n\r", b"\n"], b"HTTP/1.1 200 OK\r\n", b'{"ok":true'),
    ([b"HEAD /livez HTTP/1.1\r\n\r\n"], b"HTTP/1.1 200 OK\r\n", b""),
    ([b"GET /livez HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"], b"HTTP/1.1 200 OK\r\n", b'{"ok":true'),
    ([b"POST /livez HTTP/1.1\r\n\r\n"], b"HTTP/1.1 405 Method Not Allowed\r\n", b"GET only"),
    ([b"GET /no-such HTTP/1.1\r\n\r\n"], b"HTTP/1.1 404 Not Found\r\n", b"not found"),
    ([b"GET http://x/livez HTTP/1.1\r\n\r\n"], b"HTTP/1.1 400 Bad Request\r\n", b"bad request"),
    ([b"\r\n\r\n"], b"HTTP/1.1 400 Bad Request\r\n", b"bad request"),
    ([b"GET /" + b"a" * 9000], b"HTTP/1.1 414 " + TOO_LONG, TOO_LONG.lower()),
    (
        [b"GET /livez HTTP/1.1\r\nA: " + b"a" * 9000],
        b"HTTP/1.1 431 Request Header Fields Too Large\r\n",
        b"request header",
    ),
]


@pytest.mark.parametrize(("sent", "status", "body"), ANSWERED)
async def test_a_connection_has_one_request_and_one_answer(
    sent: list[bytes], status: bytes, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    loop, state = asyncio.get_running_loop(), StreamState(60.0, time.monotonic)
    async with (
        serve_probes("127.0.0.1", 0, state, CollectorRegistry()) as port,
        connections(port, 1) as (client,),
    ):
        for part in sent:
            await loop.sock_sendall(client, part)
            await asyncio.sleep(0)
        answer = b""
        async with asyncio.timeout(3):
            while received := await loop.sock_recv(client, 1000):
                answer += received

    head, _, content = answer.partition(b"\r\n\r\n")
    assert answer.startswith(status)
    assert content.startswith(body)
    assert answer.count(b"HTTP/1.1") == 1
    assert bool(content) is bool(body)
    assert b"\r\nConnection: close" in head
    assert caplog.messages == []


async def test_a_client_that_does_not_read_does_not_delay_a_stop() -> None:
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


def test_half_sent_requests_neither_end_a_worker_nor_fill_its_log(bench: Bench) -> None:
    worker = bench.start(within=("prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"))
    worker.until_logged("partitions_assigned")
    before = worker.log_path.stat().st_size

    with half_sent_requests(worker, DESCRIPTORS + 4):
        bench.publish([b"<p>page"] * 50)
        bench.until_answered()
        held_until = time.monotonic() + HELD_S
        while time.monotonic() < held_until:
            assert worker.probe("/livez")[0] == 200
            time.sleep(0.5)

    assert worker.process.poll() is None
    assert worker.log_path.stat().st_size - before < 100_000


def test_a_worker_takes_as_many_descriptors_as_it_may_have(bench: Bench) -> None:
    worker = bench.start(within=("prlimit", f"--nofile={DESCRIPTORS}:2048"))
    worker.until_logged("partitions_assigned")

    assert resource.prlimit(worker.process.pid, resource.RLIMIT_NOFILE) == (2048, 2048)


async def test_an_answer_may_take_longer_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once, "IDLE_S", 0.05)

    async def answer() -> once.Reply:
        await asyncio.sleep(0.3)
        return once.Reply(b"at last")

    async with once.serve_once("127.0.0.1", 0, {"/": answer}, logging.getLogger()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        content = await reader.read()
        writer.close()

    assert content.endswith(b"at last")
