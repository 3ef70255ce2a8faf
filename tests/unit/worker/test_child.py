"""A worker process starts whatever its predecessors left behind, and ends whatever hangs."""

import tempfile
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from worker import child
from worker.crash_notes import notes_folder
from worker.observability import Log
from worker.settings import Settings


def test_damaged_notes_are_logged_and_the_worker_goes_on_with_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = notes_folder("winnow")
    folder.mkdir(parents=True)
    (folder / "suspects.json").touch()

    with capture_logs() as lines:
        notes = child._open_notes(Settings(), Log())

    assert notes is not None
    notes.close()
    assert [line["event"] for line in lines] == ["notes_damaged"]
