"""`winnow worker` with two processes on the real Kafka."""

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest
from prometheus_client.parser import text_string_to_metric_families

from streams.records import Outgoing
from tests.integration.kafka.conftest import SCRIPT, Deployment, held, publish
from tests.services.processes import free_port

PAGES = 200
BODY = b"<title>Grain</title><p>The miller keeps the grain and lets the wind take the chaff."
WAIT_S = 120.0


@dataclass(frozen=True, slots=True)
class TwoProcesses:
    """A running `winnow worker -n 2`."""

    supervisor: subprocess.Popen[bytes]
    log: Path
    port: int

    def events(self) -> list[dict[str, object]]:
        return [orjson.loads(line) for line in self.log.read_bytes().splitlines()]

    def get(self, index: int, path: str) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.port + index}{path}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.read().decode()

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_S
        while not condition():
            assert self.supervisor.poll() is None, self.log.read_text()[-3000:]
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
            time.sleep(0.05)

    def is_ready(self) -> bool:
        try:
            return all(self.get(index, "/readyz")[0] == 200 for index in range(2))
        except OSError:
            return False

    def done(self, index: int, path: str = "/metrics") -> float:
        families = text_string_to_metric_families(self.get(index, path)[1])
        pages = next(family for family in families if family.name == "winnow_pages")
        return sum(sample.value for sample in pages.samples)


@pytest.fixture
def worker(topics: Deployment, tmp_path: Path) -> Iterator[TwoProcesses]:
    log, port = tmp_path / "log", free_port(in_a_row=2)
    foreign = {"WEB_PORT": "tcp://10.0.0.1:80", "BROKER_CREDENTIALS": "user:hunter2"}
    environment = os.environ | topics.environment | foreign
    environment |= {"WINNOW_WEB_PORT": str(port), "TMPDIR": str(tmp_path)}
    with log.open("wb") as output:
        supervisor = subprocess.Popen(
            [SCRIPT, "worker", "-n", "2"], stdout=output, stderr=output, env=environment
        )
    started = TwoProcesses(supervisor, log, port)
    try:
        started.until(started.is_ready)
        yield started
    finally:
        supervisor.kill()
        supervisor.wait()


def test_one_scrape_sums_both_processes_and_they_stop_together(
    topics: Deployment, worker: TwoProcesses
) -> None:
    urls = [b"https://example.org/%d" % number for number in range(PAGES)]
    publish(topics, *(Outgoing(topics.names.pages, url, BODY, ()) for url in urls))

    worker.until(lambda: worker.done(0) + worker.done(1) == PAGES)

    parts = [worker.done(index) for index in range(2)]
    assert min(parts) > 0  # both had partitions with pages
    assert [worker.done(index, "/metrics/pod") for index in range(2)] == [PAGES, PAGES]
    worker.supervisor.send_signal(signal.SIGTERM)
    assert worker.supervisor.wait(60) == 0
    ended = [each for each in worker.events() if each["event"] == "process_ended"]
    assert sorted((each["process"], each["exit_code"]) for each in ended) == [(0, 0), (1, 0)]
    assert {each.key for each in held(topics, topics.names.documents)} == set(urls)
    assert "hunter2" not in worker.log.read_text()


def test_there_is_no_sum_while_a_process_does_not_answer(worker: TwoProcesses) -> None:
    started = [each for each in worker.events() if each["event"] == "process_started"]
    second = next(each["pid"] for each in started if each["process"] == 1)
    assert isinstance(second, int)

    os.kill(second, signal.SIGSTOP)
    status, body = worker.get(0, "/metrics/pod")
    os.kill(second, signal.SIGCONT)

    assert status == 503
    assert f":{worker.port + 1}/metrics does not answer" in body
