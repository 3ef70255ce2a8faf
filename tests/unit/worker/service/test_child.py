"""A worker process starts with any leftovers of earlier ones, and ends even if a thread hangs."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from winnow.worker.logs import Log
from winnow.worker.service import child
from winnow.worker.service.assembly import Parts
from winnow.worker.service.crash_notes import notes_folder
from winnow.worker.settings import Settings

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def _temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


class Cleaner:
    fingerprint = "none"


def test_damaged_notes_are_logged_and_the_worker_goes_on_with_new_ones() -> None:
    folder = notes_folder("winnow")
    folder.mkdir(parents=True)
    (folder / "crashes.json").touch()

    with capture_logs() as lines:
        notes = child._open_notes(Settings(), Log())

    assert notes is not None
    notes.close()
    assert [line["event"] for line in lines] == ["crash_notes_damaged"]


def test_a_worker_goes_on_without_notes_when_their_folder_cannot_be_made() -> None:
    folder = notes_folder("winnow")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_bytes(b"a file is in the place of the folder")

    with capture_logs() as lines:
        notes = child._open_notes(Settings(), Log())

    assert notes is None
    assert [line["event"] for line in lines] == ["crash_notes_unwritable"]


WITHOUT_PORT = """
import os
from contextlib import nullcontext
from winnow.worker.cleaning import build_cleaner
from winnow.worker.service import child
child.serve_probes = lambda *given: nullcontext()
child.main(0, build_cleaner, 1, os.getppid())
"""


@pytest.mark.parametrize(
    ("variable", "content", "why"),
    [
        ("WINNOW_MODEL", b"no model", "not a Winnow model"),
        ("WINNOW_OPTIONS", b'{"threshold": "high"}', "threshold"),
        ("WINNOW_OPTIONS", b"[", "JSON"),
    ],
)
def test_a_process_ends_with_2_when_its_model_or_options_cannot_be_used(
    tmp_path: Path, variable: str, content: bytes, why: str
) -> None:
    path = tmp_path / "given"
    path.write_bytes(content)
    named = {variable: str(path), "WINNOW_KAFKA_BOOTSTRAP": "127.0.0.1:9", "TMPDIR": str(tmp_path)}

    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_PORT],
        cwd=ROOT,
        env=os.environ | named,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == child.ExitCode.UNUSABLE
    assert why in ended.stdout + ended.stderr


def test_a_process_ends_at_once_when_its_supervisor_has_already_ended() -> None:
    nobody = 0

    ended = subprocess.run(
        [sys.executable, "-m", "winnow.worker.service.child", "1", str(nobody), "0"],
        cwd=ROOT,
        check=False,
    )

    assert ended.returncode == -signal.SIGTERM


async def test_a_process_ends_at_the_deadline_when_its_stream_fails_and_does_not_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    exit_code: asyncio.Future[int] = loop.create_future()

    async def fail_and_hang(settings: Settings, parts: Parts, stop: asyncio.Event) -> None:
        parts.on_end()
        await asyncio.Event().wait()

    def build(settings: Settings) -> Any:  # noqa: ANN401 - as much of a cleaner as is asked for
        return Cleaner()

    monkeypatch.setattr(child, "run_worker", fail_and_hang)
    monkeypatch.setattr(child, "serve_probes", lambda *given: nullcontext())
    monkeypatch.setattr(child, "HARD_EXIT_MARGIN_S", 0.001)
    monkeypatch.setattr(
        os, "_exit", lambda code: loop.call_soon_threadsafe(exit_code.set_result, code)
    )

    with capture_logs() as lines:
        work = asyncio.create_task(child._work(Settings(drain_seconds=0.0), 0, build, Log()))
        async with asyncio.timeout(30.0):
            assert await exit_code == child.ExitCode.DRAIN_DEADLINE
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)

    assert [line["event"] for line in lines] == ["worker_started", "drain_deadline_passed"]
