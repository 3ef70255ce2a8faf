"""Find places where WARC records can begin, and limit the cost of the search.

After damage, the next place that looks like a record is tried. Bytes that are read there in vain
are a debt; progress in the file pays it off. When the debt is too high, the search skips more
bytes, so the time for a file stays proportional to its size.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from winnow.worker.batch.archives.unpacking import (
    Packing,
    beginning,
    packing_of,
    unpack_bounded,
)

MAX_DICTIONARY_BYTES: Final = 1 << 24
SCAN_BYTES: Final = 1 << 20

MAX_DEBT: Final = 16 << 20  # bytes read in vain
MOST_OVER: Final = 16 << 20  # upper limit, so that good records soon pay it off
PAID: Final = 64  # bytes of debt paid per byte of progress
RESTART_DEBT: Final = 4 << 10  # cost to start reading at another place
PROBE_DEBT: Final = 512  # cost to look at a place

_RECORD: Final = b"WARC/"
_BLANK: Final = b"\r\n\0"  # before the first record
_LONGEST_BLANK: Final = 64
# where a record may begin, by compression of the file
_RECORD_STARTS: Final = {
    None: re.compile(rb"(?<![^\n])WARC/[01]\.\d"),
    Packing.GZIP: re.compile(rb"\x1f\x8b\x08"),
    Packing.ZSTD: re.compile(rb"\x28\xb5\x2f\xfd"),
}
_SKIPPABLE_FRAME: Final = b"\x5d\x2a\x4d\x18"  # a .warc.zst has its dictionary in one
_LONGEST_START: Final = 8
_PEEK_BYTES: Final = 1 << 12


def is_warc(begin: bytes) -> bool:
    """Whether a file that begins with these bytes is a WARC, compressed or not."""
    if begin.startswith(_SKIPPABLE_FRAME):
        return True
    packing = packing_of(begin)
    if packing is None:
        return begin.lstrip(_BLANK).startswith(_RECORD)
    return beginning(begin, packing, _LONGEST_BLANK).lstrip(_BLANK).startswith(_RECORD)


def record_starts(
    open_file: Callable[[], BinaryIO], start: int, distance_bytes: int
) -> Iterator[int]:
    """Yield distances from `start`, then from the last place, to places that look like a record.

    Bytes inside a record can look like the beginning of one: see what `warc_entries` returns.

    Raises:
        OSError: the file cannot be opened.
    """
    with open_file() as scanned:
        search = RecordSearch(Scanned(scanned))
        while (found := search.next_start(start + distance_bytes)) is not None:
            yield (start := found)


class Scanned:
    """A file that is read at any place; it keeps the last block."""

    def __init__(self, file: BinaryIO) -> None:
        """Read a file that the caller closes."""
        self._file = file
        self._block = b""
        self._offset = 0
        self._is_last = False

    def read(self, offset: int, size: int = _PEEK_BYTES) -> bytes:
        """Return bytes from a place on."""
        start = offset - self._offset
        if start >= 0 and (self._is_last or start + size <= len(self._block)):
            return self._block[start : start + size]
        self._file.seek(offset)
        return self._file.read(size)

    def search(self, pattern: re.Pattern[bytes], offset: int) -> int | None:
        """Return where a pattern, at most as long as a record's start, is found from a place on."""
        while True:
            self._load(offset)
            if found := pattern.search(self._block, offset - self._offset):
                return self._offset + found.start()
            if self._is_last:
                return None
            offset = self._offset + len(self._block) - _LONGEST_START

    def _load(self, offset: int) -> None:
        """Load the block with a place and the byte before it, which patterns need."""
        end = self._offset + len(self._block)
        is_there = self._offset < offset and offset + _LONGEST_START < end
        if not is_there and not (self._is_last and self._offset < offset):
            self._offset = max(offset - 1, 0)
            self._file.seek(self._offset)
            self._block = self._file.read(SCAN_BYTES)
            self._is_last = len(self._block) < SCAN_BYTES


class RecordSearch:
    """Finds places where records begin, at a cost proportional to its progress in bytes."""

    def __init__(self, scanned: Scanned) -> None:
        """Detect the compression of the file, and read its dictionary, if there is one."""
        self._scanned = scanned
        self.dictionary: Final = _dictionary_frame(scanned)
        packing = Packing.ZSTD if self.dictionary else packing_of(scanned.read(0))
        self.packing: Final = packing
        self._starts = _RECORD_STARTS[packing]
        self._debt = 0
        self._at = 0

    def begin(self, offset: int, debt: int) -> None:
        """Search from a place on, with the debt there."""
        self._at, self._debt = offset, debt

    def debt_at(self, offset: int) -> int:
        """Return the debt at a later place."""
        return max(0, self._debt - PAID * max(0, offset - self._at))

    def owe(self, offset: int, cost: int) -> int:
        """Add to the debt at a place, and return how many bytes to skip from there."""
        debt = min(self.debt_at(offset) + cost, MAX_DEBT + MOST_OVER)
        self.begin(max(offset, self._at), debt)
        return max(1, cost // PAID) if self._debt > MAX_DEBT else 1

    def starts_at(self, offset: int) -> bool:
        """Whether the bytes at a place begin a record."""
        return bool(self._starts.match(self._scanned.read(offset, _LONGEST_START)))

    def next_start(self, offset: int) -> int | None:
        """Return the next place whose bytes begin a record."""
        while (found := self._scanned.search(self._starts, offset)) is not None:
            if not self.packing or self.dictionary or is_warc(self._scanned.read(found)):
                return found
            offset = found + self.owe(found, PROBE_DEBT)
        return None


def dictionary_in(frame: bytes) -> bytes:
    """Return the dictionary in a frame; the dictionary may be compressed too.

    Raises:
        DamagedPacking: it is compressed and damaged.
    """
    content = frame[8:]
    if packing_of(content) is not Packing.ZSTD:
        return content
    return unpack_bounded(content, Packing.ZSTD, MAX_DICTIONARY_BYTES)


def _dictionary_frame(scanned: Scanned) -> bytes:
    """Return the frame with the dictionary for all other frames of a file; empty without one."""
    begin = scanned.read(0, 8)
    if not begin.startswith(_SKIPPABLE_FRAME):
        return b""
    size = int.from_bytes(begin[4:], "little")
    return scanned.read(0, 8 + size) if size <= MAX_DICTIONARY_BYTES else b""
