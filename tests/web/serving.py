"""A running inspector, and the browser that looks at it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.services.processes import children_of

ROOT = Path(__file__).resolve().parents[2]
WINNOW = str(Path(sys.executable).with_name("winnow"))


@dataclass(frozen=True)
class Server:
    """A running `winnow inspect`, or another command that serves a page."""

    origin: str
    pid: int

    def cpu_ms(self) -> float:
        """CPU time so far, of the server and the processes that work for it, as they live now."""
        threads = (
            thread
            for pid in (self.pid, *children_of(self.pid))
            for thread in Path(f"/proc/{pid}/task").glob("*/schedstat")
        )
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e6


@contextmanager
def inspecting(*arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """`winnow inspect` in a process of its own, on a free port."""
    with serving("inspect", *arguments, env=env) as server:
        yield server


@contextmanager
def serving(*arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a command that serves a page, on a free port."""
    command = [WINNOW, *arguments, "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://[\d.]+:\d+", said)
        assert found, said
        yield Server(found[0], process.pid)
        process.terminate()


def chromium() -> str:
    """Where Debian's Chromium is, or another one that CHROMIUM names."""
    names = [os.environ.get("CHROMIUM", ""), "chromium-headless-shell", "chromium"]
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "no Chromium: run `make chromium`"
    return found
