"""The memory of the inspector next to a worker, which docs/inspector.md names."""

import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from subprocess import Popen

import orjson
import pytest

from tests.services.processes import children_of, free_port
from tests.shared_memory import peak_kilobytes, private_kilobytes

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]

AT_REST_MB = 130
LARGEST_PAGE_MB = 200
LARGEST_PAGE = "<p>The bees find more flowers in the <b>city</b>.</p>"


@pytest.fixture
def inspector() -> Iterator[tuple[Popen[bytes], str]]:
    """Start the inspector as a worker does, and wait until it answers."""
    port = free_port()
    command = [sys.executable, "-m", "winnow.worker.inspector.companion", str(os.getpid())]
    process = Popen(
        command,
        env=os.environ
        | {"WINNOW_INSPECT_PORT": str(port), "WINNOW_KAFKA_BOOTSTRAP": "127.0.0.1:1"},
    )
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{address}/openapi.json", timeout=10).close()
            break
        except (ConnectionError, urllib.error.URLError):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    yield process, address
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def processes(inspector: Popen[bytes]) -> list[int]:
    """Return the numbers of the inspector's processes."""
    return [inspector.pid, *children_of(inspector.pid)]


def explain(address: str, html: str) -> int:
    """Return the status of an answer for a page."""
    request = urllib.request.Request(
        f"{address}/api/explain",
        orjson.dumps({"html": html}),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        answer.read()
        return int(answer.status)


def test_the_inspector_stays_within_its_memory(inspector: tuple[Popen[bytes], str]) -> None:
    process, address = inspector
    assert explain(address, LARGEST_PAGE) == 200
    of_its_own = sum(map(private_kilobytes, processes(process))) / 1000
    before = {each: peak_kilobytes(each) for each in processes(process)}

    status = explain(address, LARGEST_PAGE * ((7 << 20) // len(LARGEST_PAGE)))

    more = sum(peak_kilobytes(each) - before[each] for each in before) / 1000
    assert status == 200
    assert of_its_own < AT_REST_MB
    assert more < LARGEST_PAGE_MB
