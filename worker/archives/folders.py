"""The folder of a run's output: files that are whole, or not there."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from models.errors import WinnowError

_FRESH: Final = ".fresh"  # ends the names of files that are being written
_LOCK: Final = ".lock"


class FolderInUseError(WinnowError):
    """Another process writes to the folder."""


class FreshFile(Protocol):
    """A file that is being written."""

    file: BinaryIO

    def publish(self) -> None:
        """Give it its name, once and for all."""

    def discard(self) -> None:
        """Forget it."""


class Log(Protocol):
    """A file that grows."""

    def write(self, line: bytes) -> None:
        """Add a line."""

    def sync(self) -> int:
        """Let what was written outlive the machine's end, and return its bytes."""

    def close(self) -> None:
        """Write no more."""


class Folder(Protocol):
    """Where a run writes; every method raises `OSError` when the disk is full or the like."""

    def read(self, name: str) -> bytes | None:
        """Return a whole file, None if there is none."""

    def names(self) -> list[str]:
        """Return the names of the files that are whole."""

    def replace(self, name: str, content: bytes) -> None:
        """Write a file at once."""

    def fresh(self, name: str) -> FreshFile:
        """Begin a file."""

    def log(self, name: str, kept_bytes: int) -> Log:
        """Open a log behind its first `kept_bytes`; what follows them is forgotten."""

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""

    def held(self) -> AbstractContextManager[None]:
        """Keep other processes of ours out, as far as the folder can.

        Raises:
            FolderInUseError: there is another one.
        """


class LocalFolder:
    """A folder on a disk."""

    def __init__(self, path: Path) -> None:
        """Use a folder that is there."""
        self._path = path

    def read(self, name: str) -> bytes | None:
        """Return a whole file, None if there is none."""
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        """Return the names of the files that are whole."""
        names = (each.name for each in self._path.iterdir())
        return sorted(name for name in names if not name.startswith("."))

    def replace(self, name: str, content: bytes) -> None:
        """Write a file at once."""
        fresh = self.fresh(name)
        try:
            fresh.file.write(content)
            fresh.publish()
        finally:
            fresh.discard()

    def fresh(self, name: str) -> "LocalFresh":
        """Begin a file."""
        return LocalFresh(self._path, name)

    def log(self, name: str, kept_bytes: int) -> "LocalLog":
        """Open a log behind its first `kept_bytes`."""
        return LocalLog(self._path / name, kept_bytes)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        (self._path / name).unlink(missing_ok=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes of ours out, and forget what an earlier one did not finish.

        Raises:
            FolderInUseError: there is another one.
        """
        with (self._path / _LOCK).open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUseError("another winnow writes to this folder") from None
            for unfinished in self._path.glob(f".*{_FRESH}"):
                unfinished.unlink()
            yield


class LocalFresh:
    """A file on a disk that is being written under another name."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open it."""
        self._folder = folder
        self._name = name
        self._path = folder / f".{name}{_FRESH}"
        self.file: BinaryIO = self._path.open("wb")

    def publish(self) -> None:
        """Give it its name; it outlives the end of the machine from now on."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self._path.replace(self._folder / self._name)
        _sync_folder(self._folder)

    def discard(self) -> None:
        """Forget it, unless it has its name."""
        with suppress(OSError):  # what waits in its buffer cannot be written
            self.file.close()
        self._path.unlink(missing_ok=True)


class LocalLog:
    """A file on a disk that grows."""

    def __init__(self, path: Path, kept_bytes: int) -> None:
        """Open it, and cut it."""
        path.touch()
        self._file = path.open("r+b")
        self._file.truncate(kept_bytes)
        self._file.seek(kept_bytes)

    def write(self, line: bytes) -> None:
        """Add a line."""
        self._file.write(line)

    def sync(self) -> int:
        """Let what was written outlive the machine's end, and return its bytes."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Write no more."""
        with suppress(OSError):
            self._file.close()


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
