"""Files as fastwarc is given them: how much it reads, and what they raise, is known."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_CUR, SEEK_END, SEEK_SET
from typing import BinaryIO, Final

_FIRST_READ_BYTES: Final = 1 << 10


class Watched:
    """A file that keeps what it raises: fastwarc treats errors of files and of records alike.

    It hands out little at first, so that it costs little to look at what a place begins with.
    """

    def __init__(self, file: BinaryIO, offset: int, failures: list[Exception]) -> None:
        """Read from a place on; what the file raises is added to `failures`."""
        self._file = file
        self._offset = offset
        self._failures = failures
        self._read_bytes = _FIRST_READ_BYTES
        self.delivered_bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most so many bytes."""
        with self._kept():
            self._file.seek(self._offset)
            content = self._file.read(size if size < 0 else min(size, self._read_bytes))
        self._read_bytes *= 2
        self._offset += len(content)
        self.delivered_bytes += len(content)
        return content

    def tell(self) -> int:
        """Return the place."""
        return self._offset

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Go to a place."""
        with self._kept():
            if whence == SEEK_END:
                self._offset = self._file.seek(offset, whence)
            else:
                self._offset = offset + (self._offset if whence == SEEK_CUR else 0)
        return self._offset

    @contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._failures.append(error)
            raise


class Prefixed:
    """A file from some place on, with the dictionary of its frames before it.

    Its beginning is 0, as fastwarc looks for a dictionary there alone.
    """

    def __init__(self, dictionary: bytes, file: Watched) -> None:
        """Read the dictionary, then the file from its place on."""
        self._dictionary = dictionary
        self._file = file
        self._shift = file.tell() - len(dictionary)
        self._offset = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most so many bytes."""
        rest = self._dictionary[self._offset :]
        if rest:
            chunk = rest if size < 0 else rest[:size]
            self._file.delivered_bytes += len(chunk)
        else:
            self._file.seek(self._offset + self._shift)
            chunk = self._file.read(size)
        self._offset += len(chunk)
        return chunk

    def tell(self) -> int:
        """Return the place."""
        return self._offset

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Go to a place."""
        if whence == SEEK_END:
            self._offset = self._file.seek(offset, whence) - self._shift
        else:
            self._offset = offset + (self._offset if whence == SEEK_CUR else 0)
        return self._offset
