"""`winnow worker` as a service manager runs it, with its log and its probes."""

import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
from prometheus_client.parser import text_string_to_metric_families

WAIT_S = 120.0


@dataclass(frozen=True, slots=True)
class RunningWorker:
    """A supervisor and its processes."""

    supervisor: subprocess.Popen[bytes]
    log: Path
    port: int
    processes: int

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
            return all(self.get(index, "/readyz")[0] == 200 for index in range(self.processes))
        except OSError:
            return False

    def done(self, index: int, path: str = "/metrics") -> float:
        families = text_string_to_metric_families(self.get(index, path)[1])
        pages = next(family for family in families if family.name == "winnow_pages")
        return sum(sample.value for sample in pages.samples)
