"""The next process knows the pages in flight of a dead one, for any cause of death."""

import fcntl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from winnow.streams.isolation import Crashes
from winnow.worker.service.crash_notes import FileCrashNotes

ROOT = Path(__file__).resolve().parents[4]

DYING = """
import os, re, sys, time
from pathlib import Path
from winnow.worker.service.crash_notes import FileCrashNotes

notes = FileCrashNotes(Path(sys.argv[1]), float(sys.argv[3]), print)
with notes.in_flight(["before"]):
    pass
with notes.in_flight(sys.argv[4:]):
    exec(sys.argv[2])
"""


# Stops a write short as a full disk does, and has room again for the traceback.
SHORT_OF_ROOM = """
import os, resource, sys
from pathlib import Path
from winnow.worker.service.crash_notes import FileCrashNotes

notes = FileCrashNotes(Path(sys.argv[1]), 60.0, print)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
with notes.in_flight(["the name of a page"]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    notes.out_of_time()
    sys.stdout.flush()
    os._exit(7)
"""


def die(folder: Path, last_act: str, *pages: str, limit_s: float = 60.0) -> int:
    """Return the exit code of a process that ends with pages in flight."""
    command = [sys.executable, "-c", DYING, str(folder), last_act, str(limit_s), *pages]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=50).returncode


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


Open = Callable[[], FileCrashNotes]


@pytest.fixture
def opened(folder: Path) -> Iterator[Open]:
    with ExitStack() as at_the_end:

        def open_notes() -> FileCrashNotes:
            notes = FileCrashNotes(folder, 60.0, lambda error: None)
            at_the_end.callback(notes.close)
            return notes

        yield open_notes


def test_processes_that_end_normally_note_no_crash(folder: Path, opened: Open) -> None:
    first = opened()
    with first.in_flight(["a"]):
        pass
    first.close()
    assert [path.name for path in folder.iterdir()] == ["lock"]

    second = opened()

    assert (second.dead, second.crashes("a")) == ((), None)
    assert sorted(path.name[:9] for path in folder.iterdir()) == ["in-flight", "lock"]


def test_pages_in_flight_crashed_when_the_process_is_killed(folder: Path, opened: Open) -> None:
    assert die(folder, "os.kill(os.getpid(), 9)", "a", "b") == -9

    notes = opened()

    assert [each.pages for each in notes.dead] == [("a", "b")]
    assert notes.crashes("a") == notes.crashes("b") == Crashes(1, hung=False)
    assert notes.crashes("before") is None


@pytest.mark.parametrize(
    "hang",
    [
        "time.sleep(60)",
        "re.match('(a+)+$', 'a' * 60 + 'b')",  # never lets go of the interpreter
    ],
)
def test_process_ends_with_its_stack_when_pages_are_in_flight_too_long(
    folder: Path, opened: Open, hang: str
) -> None:
    assert die(folder, hang, "a", limit_s=0.3) == 1

    notes = opened()

    assert notes.crashes("a") == Crashes(1, hung=True)
    assert "Timeout" in notes.dead[0].last_words


def test_crashes_add_up_over_processes(folder: Path, opened: Open) -> None:
    die(folder, "os._exit(7)", "a", "b")
    die(folder, "os._exit(7)", "a")

    assert opened().crashes("a") == Crashes(2)
    again = opened()  # the first still lives: it is not counted
    assert again.crashes("a") == Crashes(2)
    assert again.crashes("b") == Crashes(1)


def test_pages_in_flight_have_not_crashed_while_their_process_lives(
    folder: Path, opened: Open
) -> None:
    with opened().in_flight(["a"]):
        notes = opened()

    assert (notes.dead, notes.crashes("a")) == ((), None)
    assert len(list(folder.glob("in-flight*"))) == 2


@pytest.mark.parametrize("end", ["notes.out_of_time(); os._exit(3)", "notes.close(); os._exit(3)"])
def test_a_process_that_ends_with_pages_in_flight_leaves_a_note(
    folder: Path, opened: Open, end: str
) -> None:
    die(folder, end, "a")

    assert opened().crashes("a") == Crashes(1, hung="out_of_time" in end)


def test_a_process_out_of_time_without_pages_in_flight_leaves_no_note(opened: Open) -> None:
    first = opened()
    first.out_of_time()
    first.close()

    second = opened()

    assert (second.dead, second.damaged) == ((), ())


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b'{"a": {"dea',
        b"[]",
        b'{"a": 1}',
        b'{"a": {"count": "2", "hung": false}}',
        b'{"a": {"killed": 2}}',
    ],
)
def test_a_damaged_list_of_crashes_is_reported_once_and_reset(
    folder: Path, opened: Open, stored: bytes
) -> None:
    die(folder, "os._exit(7)", "a")
    (folder / "crashes.json").write_bytes(stored)

    first, second = opened(), opened()

    assert [each.partition(":")[0] for each in first.damaged] == ["crashes.json"]
    assert second.damaged == ()
    assert first.crashes("a") == second.crashes("a") == Crashes(1)


def test_crashes_that_a_later_release_noted_count(folder: Path, opened: Open) -> None:
    opened()
    (folder / "crashes.json").write_text('{"a": {"count": 2, "hung": true, "since": "today"}}')

    notes = opened()

    assert (notes.crashes("a"), notes.damaged) == (Crashes(2, hung=True), ())


@pytest.mark.parametrize("note", [b'["a", "bTimeout (0:02:10)!\n', b'{"a": 1}\n', b"[1]\n", b"\n"])
def test_a_damaged_note_is_reported_once_and_the_others_count(
    folder: Path, opened: Open, note: bytes
) -> None:
    die(folder, "os._exit(7)", "a")
    (folder / "in-flight-damaged").write_bytes(note)

    first, second = opened(), opened()

    assert [each.partition(":")[0] for each in first.damaged] == ["in-flight-damaged"]
    assert second.damaged == ()
    assert [each.pages for each in first.dead] == [("a",)]


def test_a_truncated_note_is_a_problem_and_leaves_no_file(folder: Path, opened: Open) -> None:
    command = [sys.executable, "-c", SHORT_OF_ROOM, str(folder)]
    died = subprocess.run(command, cwd=ROOT, check=False, timeout=50, stdout=subprocess.PIPE)
    left = [path.name for path in folder.iterdir()]

    notes = opened()

    assert died.returncode == 7
    assert len(died.stdout.splitlines()) == 1  # the problem, reported once
    assert left == ["lock"]
    assert (notes.dead, notes.damaged) == ((), ())


def test_a_neighbour_may_end_while_its_note_is_looked_at(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    neighbour, lock = opened(), fcntl.flock

    def lock_late(file: int, operation: int) -> None:
        if operation & fcntl.LOCK_NB:
            neighbour.close()
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", lock_late)

    assert opened().dead == ()


def test_a_neighbour_may_end_before_its_note_is_looked_at(folder: Path, opened: Open) -> None:
    opened()
    (folder / "in-flight-gone").symlink_to("nowhere")

    assert opened().dead == ()


def test_notes_are_refused_in_a_folder_of_someone_else(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with pytest.raises(PermissionError):
        FileCrashNotes(tmp_path / "link" / "group", 60.0, lambda error: None)
