"""The output folder of a run: its files are complete or absent."""

import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, Final, Protocol

from winnow.models.errors import WinnowError

MAX_READ_BYTES: Final = 64 << 20  # a ledger of half a million shards

_FRESH: Final = ".fresh"  # ends the names of files that are being written
_UNFINISHED: Final = re.compile(r"\.(ledger\.json|part-\d{5,}\.[a-z.]+)\.fresh")
_LOCK: Final = ".lock"
_PART_BYTES: Final = 1 << 20


class FolderInUseError(WinnowError):
    """Another process writes to the folder."""


class ForeignFileError(WinnowError):
    """A file has one of our names, but we cannot have written it."""


class FreshFile(Protocol):
    """A file that is being written."""

    file: BinaryIO

    def publish(self) -> None:
        """Give it its final name."""

    def discard(self) -> None:
        """Forget it."""


class Log(Protocol):
    """A file that grows."""

    def write(self, line: bytes) -> None:
        """Add a line."""

    def kept(self) -> Iterator[bytes]:
        """Yield its kept bytes, before anything is written."""

    def sync(self) -> int:
        """Flush it to disk, and return its size in bytes."""

    def close(self) -> None:
        """Close it."""


class Folder(Protocol):
    """Where a run writes; every method raises `OSError` when the disk is full or the like."""

    def read(self, name: str) -> bytes | None:
        """Return a complete file, or None if it does not exist."""

    def names(self) -> list[str]:
        """Return the names of the complete files."""

    def replace(self, name: str, content: bytes) -> None:
        """Write a complete file."""

    def fresh(self, name: str) -> FreshFile:
        """Start a file."""

    def log(self, name: str, kept_bytes: int) -> Log:
        """Open a log after its first `kept_bytes`; the rest is cut off."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    def held(self) -> AbstractContextManager[None]:
        """Lock the folder against other runs, if it can be locked.

        Raises:
            FolderInUseError: another run uses it.
        """


class LocalFolder:
    """A folder on a disk.

    Others may have put files there: a symbolic link or a file with a second hard link is never
    opened or changed. Methods raise `ForeignFileError` for it.
    """

    def __init__(self, path: Path) -> None:
        """Use an existing folder."""
        self._path = path

    def read(self, name: str) -> bytes | None:
        """Return a complete file, or None if it does not exist."""
        try:
            file = open_own(self._path / name, os.O_RDONLY)
        except FileNotFoundError:
            return None
        with file:
            content = file.read(MAX_READ_BYTES + 1)
        if len(content) > MAX_READ_BYTES:
            raise ForeignFileError(f"{name} has more than {MAX_READ_BYTES} bytes")
        return content

    def names(self) -> list[str]:
        """Return the names of the complete files."""
        names = (each.name for each in self._path.iterdir())
        return sorted(name for name in names if not name.startswith("."))

    def replace(self, name: str, content: bytes) -> None:
        """Write a complete file."""
        fresh = self.fresh(name)
        try:
            fresh.file.write(content)
            fresh.publish()
        finally:
            fresh.discard()

    def fresh(self, name: str) -> "LocalFresh":
        """Start a file."""
        return LocalFresh(self._path, name)

    def log(self, name: str, kept_bytes: int) -> "LocalLog":
        """Open a log after its first `kept_bytes`."""
        return LocalLog(self._path / name, kept_bytes)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        (self._path / name).unlink(missing_ok=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder against other runs, and remove unfinished files of earlier ones.

        Raises:
            FolderInUseError: another run uses it.
        """
        with open_own(self._path / _LOCK, os.O_RDWR | os.O_CREAT) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUseError("another winnow writes to this folder") from None
            for path in self._path.iterdir():
                if _UNFINISHED.fullmatch(path.name):
                    path.unlink()
            yield


def open_own(path: Path, flags: int) -> BinaryIO:
    """Open a file if we can have written it.

    Raises:
        ForeignFileError: it is a link, not a regular file, or has another name.
        OSError: it cannot be opened.
    """
    try:
        # without O_NONBLOCK, opening a pipe would block
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if path.is_symlink():
            raise ForeignFileError(f"{path.name} is a symbolic link") from error
        raise
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise ForeignFileError(f"{path.name} is not a regular file with one name")
    return os.fdopen(descriptor, "rb" if flags == os.O_RDONLY else "r+b")


class LocalFresh:
    """A file on a disk that is being written under another name."""

    def __init__(self, folder: Path, name: str) -> None:
        """Open it."""
        self._folder = folder
        self._name = name
        self._path = folder / f".{name}{_FRESH}"
        self._path.unlink(missing_ok=True)
        self.file: BinaryIO = self._path.open("xb")  # created here, so it is not a link

    def publish(self) -> None:
        """Flush it to disk, and give it its final name."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self._path.replace(self._folder / self._name)
        _sync_folder(self._folder)

    def discard(self) -> None:
        """Delete it, unless it has its final name."""
        with suppress(OSError):  # its buffer cannot be written
            self.file.close()
        self._path.unlink(missing_ok=True)


class LocalLog:
    """A file on a disk that grows."""

    def __init__(self, path: Path, kept_bytes: int) -> None:
        """Open it, and cut it.

        Raises:
            ForeignFileError: it is not the log that the ledger is about.
        """
        self._file = open_own(path, os.O_RDWR | os.O_CREAT)
        there = os.fstat(self._file.fileno()).st_size
        if there < kept_bytes:
            self._file.close()
            raise ForeignFileError(f"{path.name} has {there} bytes, and {kept_bytes} were written")
        self._file.truncate(kept_bytes)
        self._file.seek(kept_bytes)

    def kept(self) -> Iterator[bytes]:
        """Yield its kept bytes."""
        yield from kept_in(self._file)

    def write(self, line: bytes) -> None:
        """Add a line."""
        self._file.write(line)

    def sync(self) -> int:
        """Flush it to disk, and return its size in bytes."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        """Close it."""
        with suppress(OSError):
            self._file.close()


def kept_in(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file that is at its end, and leave it there."""
    file.seek(0)
    while part := file.read(_PART_BYTES):
        yield part


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
