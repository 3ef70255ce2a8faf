"""The processes start, stop and fail together, and the first failure is what counts."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from winnow.worker.logs import Log
from winnow.worker.service import process
from winnow.worker.service.process import Supervisor

# Writes a byte into the pipe `up`, then acts as requested; SIGTERM leaves a file `term-INDEX`.
PROGRAM = """
import pathlib, signal, sys, time
folder, fate, index = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def on_term(*_):
    (folder / f"term-{index}").touch()
    if fate != "deaf": sys.exit(0)
signal.signal(signal.SIGTERM, on_term)
if (folder / "up").exists(): (folder / "up").write_bytes(b"x")
if index == 1 and fate.isdigit(): sys.exit(int(fate))
if index == 1 and fate == "killed": signal.raise_signal(signal.SIGKILL)
while True: time.sleep(0.05)
"""


def a_supervisor(folder: Path, fate: str, processes: int = 3) -> Supervisor:
    command = (sys.executable, "-c", PROGRAM, str(folder), fate)
    return Supervisor(command, processes, drain_s=0.0, log=Log())


def ended_by_term(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("term-*")}


@pytest.fixture
def up(tmp_path: Path) -> Path:
    """A pipe into which each process writes a byte once it runs."""
    os.mkfifo(tmp_path / "up")
    return tmp_path / "up"


async def stop_when_up(up: Path, processes: int) -> None:
    def wait() -> None:
        with up.open("rb", buffering=0) as pipe, up.open("wb"):  # kept open between writers
            for _ in range(processes):
                pipe.read(1)

    await asyncio.to_thread(wait)
    os.kill(os.getpid(), signal.SIGTERM)


async def test_supervisor_returns_zero_when_asked_to_stop(tmp_path: Path, up: Path) -> None:
    code, _ = await asyncio.gather(a_supervisor(tmp_path, "work").run(), stop_when_up(up, 3))

    assert code == 0
    assert ended_by_term(tmp_path) == {"term-0", "term-1", "term-2"}


async def test_supervisor_ends_all_with_the_code_of_the_first_failure(tmp_path: Path) -> None:
    code = await a_supervisor(tmp_path, "7").run()

    assert code == 7
    assert ended_by_term(tmp_path) <= {"term-0", "term-2"}


async def test_supervisor_fails_when_a_process_ends_unasked(
    tmp_path: Path,
) -> None:
    assert await a_supervisor(tmp_path, "0").run() == 1


async def test_supervisor_names_the_signal_that_killed_a_process(tmp_path: Path) -> None:
    assert await a_supervisor(tmp_path, "killed").run() == 128 + signal.SIGKILL


async def test_supervisor_kills_processes_that_miss_the_deadline(
    tmp_path: Path, up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "KILL_MARGIN_S", 0.3)

    code, _ = await asyncio.gather(a_supervisor(tmp_path, "deaf").run(), stop_when_up(up, 3))

    assert code == 128 + signal.SIGKILL


async def test_a_companion_process_ends_with_the_workers_but_does_not_end_them(
    tmp_path: Path, up: Path
) -> None:
    inspector = f"import pathlib; pathlib.Path({str(tmp_path / 'up')!r}).write_bytes(b'x')"
    supervisor = Supervisor(
        (sys.executable, "-c", PROGRAM, str(tmp_path), "work"),
        2,
        drain_s=0.0,
        log=Log(),
        inspector=(sys.executable, "-c", inspector),
    )

    code, _ = await asyncio.gather(supervisor.run(), stop_when_up(up, 3))

    assert code == 0
    assert ended_by_term(tmp_path) == {"term-0", "term-1"}


async def test_a_companion_process_ends_with_the_supervisor(tmp_path: Path, up: Path) -> None:
    program = (
        "import os, pathlib, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "pathlib.Path(sys.argv[1], 'pid').write_text(str(os.getpid()))\n"
        "pathlib.Path(sys.argv[1], 'up').write_bytes(b'x')\n"
        "while True: time.sleep(1)\n"
    )
    supervisor = Supervisor(
        (sys.executable, "-c", PROGRAM, str(tmp_path), "work"),
        1,
        drain_s=0.0,
        log=Log(),
        inspector=(sys.executable, "-c", program, str(tmp_path)),
    )

    await asyncio.gather(supervisor.run(), stop_when_up(up, 2))

    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
