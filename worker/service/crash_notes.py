"""Note pages in flight in a file that outlives this process; read the notes of dead processes.

A process locks its file until it ends, for any reason. The next process that starts on this host
finds files without a lock, counts a crash for each page in them, and deletes them. The count
survives a restart of the container if the temporary folder does.
A damaged file is deleted too, because it must not stop later processes from starting.
"""

import errno
import faulthandler
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

import orjson

from winnow.streams.isolation import Crashes

MAX_PAGES: Final = 10_000
# Later than the liveness probe reports a stuck process, so that its caller can act first.
HANG_MARGIN_S: Final = 10.0
_CRASHES: Final = "crashes.json"
_LOCK: Final = "lock"
_PREFIX: Final = "in-flight-"


@dataclass(frozen=True, slots=True)
class DeadProcess:
    """The pages that one dead process had in flight.

    Attributes:
        pages: identities of the pages, at least one.
        last_words: stacks of its threads if it exceeded the time limit; else empty.
    """

    pages: tuple[str, ...]
    last_words: str


def notes_folder(group: str) -> Path:
    """Return the folder for a consumer group, below the temporary folder of this user."""
    return Path(tempfile.gettempdir()) / f"winnow-{os.getuid()}" / group


class FileCrashNotes:
    """The notes of one process, in a folder shared with earlier and concurrent processes."""

    def __init__(self, folder: Path, limit_s: float, on_problem: Callable[[OSError], None]) -> None:
        """Read the notes of dead processes, then begin our own file.

        `damaged` holds one line per unreadable file; these files are deleted.

        Args:
            folder: created if it does not exist.
            limit_s: longest time pages may be in flight; then the process exits with code 1.
            on_problem: called once if pages can no longer be noted.

        Raises:
            OSError: the folder belongs to another user, or cannot be written.
        """
        _make_private(folder)
        self._limit_s = limit_s
        self._on_problem = on_problem
        damaged: list[str] = []
        with (folder / _LOCK).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.dead: Final = tuple(_bury_dead(folder, damaged))
            self._crashes = _crashes_after(folder, self.dead, damaged)
            self._path, self._file = _own_file(folder)
        self.damaged: Final = tuple(damaged)

    def crashes(self, page: str) -> Crashes | None:
        """Return how often a page ended a process."""
        return self._crashes.get(page)

    @contextmanager
    def in_flight(self, pages: Sequence[str]) -> Iterator[None]:
        """Note pages, and end the process if they stay in flight too long.

        The watchdog is a C thread that does not need the interpreter, so it also ends a call that
        never releases the GIL.
        """
        if self._file is None or not self._write(self._file, orjson.dumps(pages) + b"\n"):
            yield
            return
        faulthandler.dump_traceback_later(self._limit_s, file=self._file, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            self._file.truncate(0)

    def out_of_time(self) -> None:
        """Note that the process ends at its time limit; no effect if no page is in flight."""
        if self._file is not None and os.fstat(self._file.fileno()).st_size:
            faulthandler.dump_traceback(self._file)

    def close(self) -> None:
        """Delete the file, unless pages are still in flight."""
        if self._file is not None:
            if not os.fstat(self._file.fileno()).st_size:
                self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def _write(self, file: IO[bytes], note: bytes) -> bool:
        try:
            _write_whole(file, note)
        except OSError as error:
            self._file = None
            with suppress(OSError), file:
                self._path.unlink(missing_ok=True)
            self._on_problem(error)
            return False
        return True


def _write_whole(file: IO[bytes], note: bytes) -> None:
    file.seek(0)
    if file.write(note) < len(note):  # an unbuffered write stops when the disk is full
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _make_private(folder: Path) -> None:
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    if folder.parent.lstat().st_uid != os.getuid() or folder.parent.is_symlink():
        raise PermissionError(f"{folder.parent} belongs to someone else")
    folder.mkdir(mode=0o700, exist_ok=True)


def _own_file(folder: Path) -> tuple[Path, IO[bytes] | None]:
    descriptor, path = tempfile.mkstemp(prefix=_PREFIX, dir=folder)
    file = os.fdopen(descriptor, "r+b", buffering=0)
    fcntl.flock(file, fcntl.LOCK_EX)
    return Path(path), file


def _bury_dead(folder: Path, damaged: list[str]) -> Iterator[DeadProcess]:
    for path in sorted(folder.glob(f"{_PREFIX}*")):
        content = _content_of_dead(path)
        if content is None:
            continue
        note, end_of_line, last_words = content.partition(b"\n")
        if end_of_line:  # else nothing was in flight, or the writer died while writing
            try:
                yield DeadProcess(_pages_in(note), last_words.decode(errors="replace"))
            except ValueError as error:
                damaged.append(f"{path.name}: {error}")
        path.unlink(missing_ok=True)


def _content_of_dead(path: Path) -> bytes | None:
    """Return the notes of a dead process; None if it lives or has just ended normally."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file.read()
    except (BlockingIOError, FileNotFoundError):
        return None


def _pages_in(note: bytes) -> tuple[str, ...]:
    pages = orjson.loads(note)
    if isinstance(pages, list) and all(isinstance(page, str) for page in pages):
        return tuple(pages)
    raise ValueError("not a list of pages")


def _crashes_after(
    folder: Path, dead: Sequence[DeadProcess], damaged: list[str]
) -> dict[str, Crashes]:
    path = folder / _CRASHES
    crashes = _stored_crashes(path, damaged)
    for each in dead:
        for page in each.pages:
            before = crashes.pop(page, Crashes(0))
            crashes[page] = Crashes(before.count + 1, bool(each.last_words))
    kept = dict(list(crashes.items())[-MAX_PAGES:])
    if dead:
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(orjson.dumps({page: asdict(each) for page, each in kept.items()}))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    return kept


def _stored_crashes(path: Path, damaged: list[str]) -> dict[str, Crashes]:
    if not path.exists():
        return {}
    try:
        return _crashes_in(path.read_bytes())
    except ValueError as error:
        damaged.append(f"{path.name}: {error}")
        path.unlink()
        return {}


def _crashes_in(stored: bytes) -> dict[str, Crashes]:
    crashes = orjson.loads(stored)
    if isinstance(crashes, dict):
        return {page: _crashes_of(each) for page, each in crashes.items()}
    raise ValueError("not an object of crashes by page")


def _crashes_of(stored: object) -> Crashes:
    match stored:
        case {"count": int(count), "hung": bool(hung)}:  # a later release may say more
            return Crashes(count, hung)
    raise ValueError("not the crashes of a page")
