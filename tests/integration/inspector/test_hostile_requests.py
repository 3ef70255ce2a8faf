"""`winnow inspect` while its clients ask for much, are slow, or send malformed requests."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.services.processes import children_of
from tests.shared_memory import peak_kilobytes

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]

WINNOW = str(Path(sys.executable).with_name("winnow"))
ENDS_WITHIN_S = 5.0
OPTIONS = b"<select>" + b"<option>a" * 89_000

EASY = json.dumps({"html": "<p>The bees find flowers."}).encode()


@dataclass
class Inspect:
    """A running `winnow inspect`."""

    process: subprocess.Popen[str]
    port: int

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def answer(self, raw: bytes) -> bytes:
        """Return the whole answer to these bytes until the server closes or stops sending."""
        with self.connection() as connection:
            connection.settimeout(0.5)
            connection.sendall(raw)
            parts = []
            try:
                while part := connection.recv(1 << 16):
                    parts.append(part)
            except (TimeoutError, ConnectionResetError):
                pass
            return b"".join(parts)

    def clean(self, timeout_s: float) -> int:
        """Return the status of an ordinary request."""
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/clean",
            EASY,
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(asked, timeout=timeout_s) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def children(self) -> list[int]:
        return children_of(self.process.pid)

    def seconds_to_end(self) -> float:
        """End it as a supervisor does."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - begun


@pytest.fixture
def inspect() -> Iterator[Inspect]:
    command = [WINNOW, "inspect", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said
        yield Inspect(process, int(found[1]))
        process.kill()


def view_request(page: bytes, port: int) -> bytes:
    field = json.dumps({"html": page.decode()}).encode()
    form = b'--x\r\nContent-Disposition: form-data; name="page"\r\n\r\n' + field + b"\r\n--x--\r\n"
    head = (
        f"POST /api/view HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(form)}\r\n\r\n"
    )
    return head.encode() + form


def json_head(length: int) -> bytes:
    return (
        "POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


@pytest.mark.alone
def test_a_view_of_a_select_of_many_options_takes_no_long_time(inspect: Inspect) -> None:
    with inspect.connection() as client:
        client.sendall(view_request(OPTIONS, inspect.port))
        begun = time.monotonic()
        status = client.recv(100)

    assert status.startswith(b"HTTP/1.1 200 ")
    assert time.monotonic() - begun < 5


@pytest.mark.alone
def test_costly_views_neither_block_the_inspector_nor_delay_its_end(
    inspect: Inspect,
) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            client = stack.enter_context(closing(inspect.connection()))
            client.sendall(view_request(OPTIONS, inspect.port))
        time.sleep(1.0)

        status = inspect.clean(40)
        seconds = inspect.seconds_to_end()

    assert status == 200
    assert seconds < ENDS_WITHIN_S


@pytest.mark.alone
def test_endless_work_closes_the_inspector_for_a_time_and_does_not_delay_its_end(
    inspect: Inspect,
) -> None:
    with ExitStack() as stack:
        for _ in range(2):
            hanging = stack.enter_context(closing(inspect.connection()))
            for pid in inspect.children():
                os.kill(pid, signal.SIGSTOP)
            hanging.sendall(json_head(len(EASY)) + EASY)
            time.sleep(1.0)

        status = inspect.clean(30)
        for pid in inspect.children():
            os.kill(pid, signal.SIGSTOP)
        client = stack.enter_context(closing(inspect.connection()))
        client.sendall(json_head(len(EASY)) + EASY)
        time.sleep(0.5)
        seconds = inspect.seconds_to_end()

    assert status == 200
    assert seconds < ENDS_WITHIN_S


def test_slow_bodies_do_not_block_other_clients(inspect: Inspect) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            client = stack.enter_context(closing(inspect.connection()))
            client.sendall(json_head(1000) + b"{")
        time.sleep(0.5)

        assert inspect.clean(10) == 200


def test_large_unfinished_bodies_do_not_block_others_and_take_little_memory(
    inspect: Inspect,
) -> None:
    with ExitStack() as stack:
        for _ in range(12):
            client = stack.enter_context(closing(inspect.connection()))
            client.sendall(json_head(11_000_000) + b" ")
            client.setblocking(False)
            left, until = memoryview(b" " * 10_900_000), time.monotonic() + 2
            while left and time.monotonic() < until:
                try:
                    left = left[client.send(left) :]
                except BlockingIOError:
                    time.sleep(0.001)
                except ConnectionError:
                    break

        assert inspect.clean(10) == 200
        peak_kib = peak_kilobytes(inspect.process.pid)

    assert peak_kib < 200_000


MALFORMED = {
    "no request": b"\x00\x01\x02\x03\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)) + b"\r\n\r\n",
    "method": b"G\xc3\x84T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "version": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "long line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "long header": b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 100_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 60_000 + b"\r\n",
    "header without colon": b"GET / HTTP/1.1\r\nHost: localhost\r\nnothing\r\n\r\n",
    "header in no charset": b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n",
    "url": b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "port of url": b"GET http://a:99999999/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "path": b"GET /%ff%fe%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no path": b"GET * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "connect": b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "length": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    "negative length": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "length and chunks": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
    b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\nnothing\r\n",
    "late chunks": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
    b"\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n\r\n",
    "chunk without end": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}xxxx",
    "transfer coding": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nTransfer-Encoding: magic\r\n\r\n{}",
    "deflate": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Encoding: deflate\r\nContent-Length: 6\r\n\r\nabcdef",
    "gzip": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Encoding: gzip\r\nContent-Length: 6\r\n\r\nabcdef",
    "br": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Encoding: br\r\nContent-Length: 6\r\n\r\nabcdef",
    "content type": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nContent-Type: \xff;;=\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    "charset": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json; charset=magic\r\nContent-Length: 2\r\n\r\n{}",
    "json": json_head(1) + b"{",
    "utf-8": json_head(12) + b'{"html":"\xff"}',
    "form": b"POST /api/view HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 7\r\n\r\nnothing",
    "form without boundary": b"POST /api/view HTTP/1.1\r\nHost: localhost\r\n"
    b"Origin: http://localhost\r\nContent-Type: multipart/form-data\r\n"
    b"Content-Length: 3\r\n\r\n--x",
    "form of a header": b"POST /api/view HTTP/1.1\r\nHost: localhost\r\n"
    b"Origin: http://localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n--x\r\n"
    + b"a"
    * 95,
    "expect": b"POST /api/clean HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\n"
    b"Content-Length: 2\r\n\r\n{}",
}


def test_malformed_requests_are_refused_without_a_traceback(inspect: Inspect) -> None:
    answers = {name: inspect.answer(raw) for name, raw in MALFORMED.items()}
    for raw in (json_head(100) + b"{", view_request(b"a", inspect.port)[:-9]):
        with inspect.connection() as gone:  # a client that goes away
            gone.sendall(raw)

    status = inspect.clean(10)
    inspect.process.terminate()
    _, written = inspect.process.communicate(timeout=60)

    wrong = {
        name: answer[:60]
        for name, answer in answers.items()
        if not re.match(rb"HTTP/1\.[01] 4\d\d ", answer)
    }
    assert written == ""
    assert wrong == {}
    assert status == 200


def test_a_disconnected_client_leaves_no_process(inspect: Inspect) -> None:
    assert inspect.clean(10) == 200
    children = inspect.children()

    os.kill(inspect.process.pid, signal.SIGKILL)
    inspect.process.wait()
    until = time.monotonic() + 60
    while (left := [each for each in children if _is_running(each)]) and time.monotonic() < until:
        time.sleep(0.05)

    assert children
    assert left == []


def _is_running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(") ")[2][0] != "Z"
