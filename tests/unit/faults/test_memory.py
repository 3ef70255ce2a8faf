"""Processes of the tests are held to the memory that the chart gives."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.faults import memory
from tests.faults.memory import MemoryLimit, chart_bytes, memory_limit

LIMIT_BYTES = 64 << 20
TAKES = "import sys; taken = b'x' * (int(sys.argv[1]) << 20); print(len(taken))"


@pytest.fixture(params=["control group", "limit of the process"])
def limit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryLimit]:
    if request.param == "limit of the process":
        monkeypatch.setattr(memory, "_new_group", lambda: None)
    made = memory_limit(LIMIT_BYTES)
    if request.param == "control group" and made.group is None:
        pytest.skip("needs the right to make a control group")
    yield made
    made.remove()


def take(limit: MemoryLimit, mebibytes: int) -> int:
    command = [*limit.prefix, sys.executable, "-c", TAKES, str(mebibytes)]
    return subprocess.run(command, check=False, capture_output=True).returncode


def test_a_process_within_the_limit_lives(limit: MemoryLimit) -> None:
    assert take(limit, 16) == 0


def test_a_process_beyond_the_limit_does_not(limit: MemoryLimit) -> None:
    code = take(limit, 96)

    assert code == (-signal.SIGKILL if limit.group else 1)


def test_the_limit_equals_the_memory_of_a_pod_with_one_process() -> None:
    assert chart_bytes() == (64 + 384 + 128) << 20
    assert chart_bytes(process_mib=640) == (64 + 640 + 128) << 20
