"""A movable clock changes the time of a process, but not how long it waits."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.disruptions import CLOCK_FILE, movable_clock

TELLS = """
import threading, time
begun = time.monotonic()
time.sleep(0.01)
threading.Event().wait(0.01)
print(time.time(), time.monotonic() - begun)
"""


@pytest.mark.parametrize("offset_s", [None, 0, 1800, -7200])
def test_the_clock_is_moved_by_the_seconds_in_the_file(
    tmp_path: Path, offset_s: int | None
) -> None:
    environment = movable_clock(tmp_path)
    if not environment:
        pytest.skip("needs a C compiler")
    if offset_s is not None:
        (tmp_path / CLOCK_FILE).write_text(f"{offset_s}\n")

    before = time.time()
    command = [sys.executable, "-c", TELLS]
    output = subprocess.run(
        command, cwd=tmp_path, env=dict(environment), check=True, capture_output=True, text=True
    ).stdout
    after = time.time()

    now_s, waited_s = map(float, output.split())
    assert before <= now_s - (offset_s or 0) <= after
    assert 0.02 <= waited_s <= after - before
