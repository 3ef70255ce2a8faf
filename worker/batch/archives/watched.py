"""A file that counts the bytes read from it."""

from typing import BinaryIO, Final

_FIRST_READ_BYTES: Final = 1 << 10


class Watched:
    """A file with small first reads, so that looking at the bytes of a place is cheap.

    Attributes:
        delivered_bytes: number of bytes read.
    """

    def __init__(self, file: BinaryIO, offset: int) -> None:
        """Read from a position on."""
        self._file = file
        self._offset = offset
        self._read_bytes = _FIRST_READ_BYTES
        self.delivered_bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes."""
        self._file.seek(self._offset)
        content = self._file.read(size if size < 0 else min(size, self._read_bytes))
        self._read_bytes *= 2
        self._offset += len(content)
        self.delivered_bytes += len(content)
        return content

    def tell(self) -> int:
        """Return the position."""
        return self._offset
