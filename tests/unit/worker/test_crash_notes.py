"""What a process had in hand when it died is known to the next one, whatever ended it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from streams.suspects import Suspicion
from worker.crash_notes import CrashNotes

ROOT = Path(__file__).resolve().parents[3]

DYING = """
import os, re, sys, time
from pathlib import Path
from worker.crash_notes import CrashNotes

notes = CrashNotes(Path(sys.argv[1]), float(sys.argv[3]), print)
with notes.in_hand(["before"]):
    pass
with notes.in_hand(sys.argv[4:]):
    exec(sys.argv[2])
"""


def die(folder: Path, last_act: str, *pages: str, limit_s: float = 60.0) -> int:
    """Return the exit code of a process that ends with pages in hand."""
    command = [sys.executable, "-c", DYING, str(folder), last_act, str(limit_s), *pages]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=50).returncode


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


Open = Callable[[], CrashNotes]


@pytest.fixture
def opened(folder: Path) -> Iterator[Open]:
    with ExitStack() as at_the_end:

        def open_notes() -> CrashNotes:
            notes = CrashNotes(folder, 60.0, lambda error: None)
            at_the_end.callback(notes.close)
            return notes

        yield open_notes


def test_nothing_is_suspected_when_processes_end_in_good_order(folder: Path, opened: Open) -> None:
    first = opened()
    with first.in_hand(["a"]):
        pass
    first.close()

    second = opened()

    assert (second.dead, second.suspicion("a")) == ((), None)
    assert sorted(path.name[:7] for path in folder.iterdir()) == ["in-hand", "lock"]


def test_pages_in_hand_are_suspected_when_the_process_is_killed(folder: Path, opened: Open) -> None:
    assert die(folder, "os.kill(os.getpid(), 9)", "a", "b") == -9

    notes = opened()

    assert [each.pages for each in notes.dead] == [("a", "b")]
    assert notes.suspicion("a") == notes.suspicion("b") == Suspicion(1, hung=False)
    assert notes.suspicion("before") is None


@pytest.mark.parametrize(
    "hang",
    [
        "time.sleep(60)",
        "re.match('(a+)+$', 'a' * 60 + 'b')",  # never lets go of the interpreter
    ],
)
def test_process_ends_and_says_where_it_was_when_pages_are_in_hand_too_long(
    folder: Path, opened: Open, hang: str
) -> None:
    assert die(folder, hang, "a", limit_s=0.3) == 1

    notes = opened()

    assert notes.suspicion("a") == Suspicion(1, hung=True)
    assert "Timeout" in notes.dead[0].last_words


def test_deaths_add_up_over_processes(folder: Path, opened: Open) -> None:
    die(folder, "os._exit(7)", "a", "b")
    die(folder, "os._exit(7)", "a")

    assert opened().suspicion("a") == Suspicion(2)
    again = opened()  # the first still lives: it is not counted
    assert again.suspicion("a") == Suspicion(2)
    assert again.suspicion("b") == Suspicion(1)


def test_a_process_that_runs_out_of_its_drain_counts_as_hung(folder: Path, opened: Open) -> None:
    die(folder, "notes.out_of_time(); os._exit(3)", "a")

    assert opened().suspicion("a") == Suspicion(1, hung=True)


def test_notes_are_refused_in_a_folder_of_someone_else(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with pytest.raises(PermissionError):
        CrashNotes(tmp_path / "link" / "group", 60.0, lambda error: None)
