"""Archives and output folders in stores that fsspec supports: s3://, gs://, hf:// and others."""

import io
import shutil
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile, mkdtemp
from typing import IO, TYPE_CHECKING, BinaryIO, Final

from winnow.models.errors import WinnowError
from winnow.worker.batch.archives.folders import MAX_READ_BYTES, FolderInUseError, kept_in
from winnow.worker.batch.archives.ledger import LEDGER, outputs_of
from winnow.worker.batch.archives.shards import MissingPackageError
from winnow.worker.batch.inputs import InputError, Search, Url

if TYPE_CHECKING:
    from fsspec.spec import AbstractFileSystem

# in these stores a file appears only when it is complete
WHOLE_FILES: Final = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "hf", "memory"})
RETRY_SECONDS: Final = (1.0, 5.0, 20.0)
BUFFER_BYTES: Final = 1 << 16

_MAGIC: Final = frozenset("*?[")


class RemoteUnavailable(WinnowError):  # noqa: N818 - a state of the store
    """A store does not return a file that it has; the file itself is not at fault."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file in a store.

    Attributes:
        path: its URL.
        name: base name for the files of its texts.
        size: in bytes.
    """

    path: Url
    name: Path
    size: int


def find_remote(url: Url, search: Search) -> Iterator[RemoteFile]:
    """Yield the files of a URL in order: one file, all files below a folder, or a pattern.

    Raises:
        InputError: the file does not exist.
        MissingPackageError: the package for the store is not installed.
        RemoteUnavailable: the store does not answer.
    """
    try:
        store, root = _store(url)
        found = _found(store, root, search)
    except (MissingPackageError, InputError):
        raise
    except (FileNotFoundError, PermissionError) as error:
        why = error.strerror or "no such file, or no permission"
        raise InputError(url, why) from error
    except Exception as error:  # the boundary: each store has its own errors
        raise RemoteUnavailable(f"{url}: {_why(error)}") from error
    for path, info in found.items():
        if info["type"] == "file":
            name = Path(*(part for part in PurePosixPath(path).parts if part not in {"/", ".."}))
            yield RemoteFile(Url(store.unstrip_protocol(path)), name, int(str(info["size"] or 0)))
    if not found:
        raise InputError(url, "has no pages or archives")


def _found(store: "AbstractFileSystem", root: str, search: Search) -> dict[str, dict[str, object]]:
    if _MAGIC & set(root):
        return {path: store.info(path) for path in sorted(store.glob(root))}
    return _below(store, root, search) if store.isdir(root) else {root: store.info(root)}


def _below(store: "AbstractFileSystem", root: str, search: Search) -> dict[str, dict[str, object]]:
    there = store.find(root, detail=True)
    outputs = {
        path.removesuffix(LEDGER) + name
        for path in there
        if path.endswith(f"/{LEDGER}")
        for name in outputs_of(store.cat_file(path, end=MAX_READ_BYTES))
    }
    return {
        path: info
        for path, info in sorted(there.items())
        if search.takes(path.rsplit("/", 1)[-1]) and path not in outputs
    }


class LocalCopy:
    """A local copy of a file; it is deleted with this object.

    Without the copy, a broken connection would look like a damaged archive.
    """

    def __init__(self, file: RemoteFile) -> None:
        """Copy it.

        Raises:
            InputError: the file no longer exists, or may not be read.
            RemoteUnavailable: the store did not return it after several attempts.
        """
        folder = mkdtemp(prefix="winnow-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / (file.name.name or "input")
        for seconds in (*RETRY_SECONDS, None):
            try:
                store, path = _store(file.path)
                store.get_file(path, str(self.path))
                break
            except (FileNotFoundError, PermissionError) as error:
                raise InputError(file.path, error.strerror or "no such file") from error
            except Exception as error:  # the same boundary
                if seconds is None:
                    raise RemoteUnavailable(f"{file.path}: {_why(error)}") from error
                time.sleep(seconds)


class StoredFile(io.RawIOBase):
    """A file that is read in its store; errors of the store are never an `OSError`.

    Readers of archives treat an `OSError` as a fault of the file.
    """

    def __init__(self, name: str, open_file: Callable[[], IO[bytes]]) -> None:
        """Open it; `name` is for messages.

        Raises:
            RemoteUnavailable: the store does not return it; the other methods raise it too.
        """
        super().__init__()
        self._name = name
        with self._errors_of_store():
            self._file = open_file()

    @classmethod
    def opened(cls, name: str, open_file: Callable[[], IO[bytes]]) -> BinaryIO:
        """Return a buffered reader."""
        return io.BufferedReader(cls(name, open_file), BUFFER_BYTES)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, into: "memoryview") -> int:  # type: ignore[override]
        """Read some bytes."""
        with self._errors_of_store():
            content = self._file.read(len(into))
        into[: len(content)] = content
        return len(content)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position."""
        with self._errors_of_store():
            return self._file.seek(offset, whence)

    def close(self) -> None:
        """Close it."""
        if not self.closed:
            with suppress(Exception):  # everything needed was read
                self._file.close()
        super().close()

    @contextmanager
    def _errors_of_store(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # the same boundary
            raise RemoteUnavailable(f"{self._name}: {_why(error)}") from error


def _store(url: str) -> "tuple[AbstractFileSystem, str]":
    scheme = url.split("://", 1)[0]
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra

        return url_to_fs(url)
    except ImportError as error:
        why = f"{scheme}:// needs its package in addition to winnow-web[remote]: {error}"
        raise MissingPackageError(why) from error
    except ValueError as error:
        raise InputError(url, f"unsupported URL: {error}") from error


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


@contextmanager
def _errors_of_disks() -> Iterator[None]:
    """Raise errors of a store as `OSError`, as a folder on a disk does."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:  # the same boundary
        raise OSError(_why(error)) from error


class RemoteFolder:
    """A folder in a store; a file appears when it is complete.

    There is no lock. A second run in the same folder is detected when the ledger is not the one
    that this run wrote last.
    """

    def __init__(self, url: Url) -> None:
        """Use a folder, which may not exist yet.

        Raises:
            InputError: such a store shows incomplete files.
            MissingPackageError: the package for the store is not installed.
        """
        scheme = url.split("://", 1)[0].lower()
        if scheme not in WHOLE_FILES:
            why = f"{scheme}:// shows incomplete files: write to a local folder, and copy it"
            raise InputError(url, why)
        self._store, self._root = _store(url.rstrip("/"))
        self._last: dict[str, bytes | None] = {}

    def read(self, name: str) -> bytes | None:
        """Return a complete file, or None if it does not exist."""
        self._last[name] = self._content(name)
        return self._last[name]

    def names(self) -> list[str]:
        """Return the names of the complete files."""
        with _errors_of_disks():
            self._store.invalidate_cache()
            try:
                paths = self._store.ls(self._root, detail=False)
            except FileNotFoundError:
                return []
        return sorted(path.rsplit("/", 1)[-1] for path in paths)

    def replace(self, name: str, content: bytes) -> None:
        """Write a file; it must still have the content that this run last read or wrote.

        Raises:
            FolderInUseError: another run has written it.
        """
        if name in self._last and self._content(name) != self._last[name]:
            raise FolderInUseError("another winnow writes to this folder")
        with _errors_of_disks():
            self._store.pipe_file(self._path(name), content)
        self._last[name] = content

    def fresh(self, name: str) -> "RemoteFresh":
        """Start a file."""
        return RemoteFresh(self._store, self._path(name))

    def log(self, name: str, kept_bytes: int) -> "RemoteLog":
        """Open a log after its first `kept_bytes`."""
        kept = (self._content(name) or b"")[:kept_bytes] if kept_bytes else b""
        return RemoteLog(self._store, self._path(name), kept)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with _errors_of_disks(), suppress(FileNotFoundError):
            self._store.rm_file(self._path(name))
        self._last.pop(name, None)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Do nothing: there is no lock."""
        yield

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _content(self, name: str) -> bytes | None:
        with _errors_of_disks():
            self._store.invalidate_cache()
            try:
                return self._store.cat_file(self._path(name))
            except FileNotFoundError:
                return None


class RemoteFresh:
    """A file that is written locally, and uploaded when it is complete."""

    def __init__(self, store: "AbstractFileSystem", path: str) -> None:
        """Open it."""
        self._store = store
        self._path = path
        self._folder = TemporaryDirectory(prefix="winnow-")
        self._local = Path(self._folder.name) / "shard"
        self.file: BinaryIO = self._local.open("wb")

    def publish(self) -> None:
        """Upload it under its final name."""
        self.file.close()
        with _errors_of_disks():
            self._store.put_file(str(self._local), self._path)
        self.discard()

    def discard(self) -> None:
        """Delete the local file."""
        with suppress(OSError):  # its buffer cannot be written
            self.file.close()
        self._folder.cleanup()


class RemoteLog:
    """A file that grows locally, and is uploaded whole each time: stores do not append."""

    def __init__(self, store: "AbstractFileSystem", path: str, kept: bytes) -> None:
        """Start with the kept bytes."""
        self._store = store
        self._path = path
        self._file: IO[bytes] = TemporaryFile(prefix="winnow-")  # noqa: SIM115 - `close` ends it
        self._file.write(kept)
        self._sent_bytes = -1

    def kept(self) -> Iterator[bytes]:
        """Yield its kept bytes."""
        yield from kept_in(self._file)

    def write(self, line: bytes) -> None:
        """Add a line."""
        self._file.write(line)

    def sync(self) -> int:
        """Upload it if it has grown, and return its size in bytes."""
        size = self._file.tell()
        if size != self._sent_bytes:
            self._file.seek(0)
            content = self._file.read()
            with _errors_of_disks():
                self._store.pipe_file(self._path, content)
            self._sent_bytes = size
        return size

    def close(self) -> None:
        """Close it."""
        with suppress(OSError):
            self._file.close()
