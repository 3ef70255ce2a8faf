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
    """A folder on a disk.

    Somebody else may have filled it: no file in it is opened through a link, and none is changed
    that has another name elsewhere. Methods raise `ForeignFileError` for such a file.
    """

    def __init__(self, path: Path) -> None:
        """Use a folder that is there."""
        self._path = path

    def read(self, name: str) -> bytes | None:
        """Return a whole file, None if there is none."""
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
    """Open a file if it can be one that we wrote.

    Raises:
        ForeignFileError: it is a link, not a regular file, or has another name.
        OSError: it cannot be opened.
    """
    try:
        # without O_NONBLOCK a pipe would be waited for
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
        self.file: BinaryIO = self._path.open("xb")  # made here: through no link

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
        """Yield what was kept of it."""
        yield from kept_in(self._file)

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


def kept_in(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what stands in a file that is at its end, and leave it there."""
    file.seek(0)
    while part := file.read(_PART_BYTES):
        yield part


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
