"""A WARC file -> parts that several processes read at once, with the same entries as one reader.

The start of a part is found by the first bytes of a record, which can also occur inside a record.
So each part reports where its reading ended, and the next part is used only if it began there.
"""

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final

from winnow.models.errors import InvalidPage, Reason
from winnow.worker.batch.archives.cleaning import FileEntry
from winnow.worker.batch.archives.entries import END, Entry, Place, Position
from winnow.worker.batch.archives.record_search import is_warc, record_starts
from winnow.worker.batch.archives.warc import warc_entries

# About a hundred pages: enough for full batches, few enough to keep all processes busy at the end.
PART_BYTES: Final = 4 << 20

_PEEK_BYTES: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Ended:
    """Where reading a file ended."""

    file: int
    position: Position


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive records of a file.

    Attributes:
        file: number of the file in the run.
        path: path of the file.
        max_page_bytes: a larger page is one entry with its error.
        start: where to start reading.
        end: start of the next part, in bytes of the file; None for the end of the file.
        owner: keeps the file while parts of it exist; it stays in this process.
    """

    file: int
    path: Path
    max_page_bytes: int
    start: Position
    end: int | None
    owner: object = field(default=None, compare=False)

    def __reduce__(self) -> tuple[type["Part"], tuple[object, ...]]:
        """Pickle without the owner."""
        return Part, (self.file, self.path, self.max_page_bytes, self.start, self.end)

    def things(self) -> Generator[FileEntry, None, Ended]:
        """Yield the entries, and return where reading ended."""
        try:
            entries = warc_entries(self._opened, self.max_page_bytes, self.start, self.end)
            while True:
                yield FileEntry(self.file, next(entries))
        except StopIteration as stop:
            return Ended(self.file, stop.value)
        except OSError as error:
            why = InvalidPage(Reason.UNREADABLE, error.strerror or str(error))
            yield FileEntry(self.file, Entry(Place(END), why))
            return Ended(self.file, END)

    def following(self, ended: Ended | None) -> "Part | None":
        """Return the rest of the part after `ended`; the part itself if it begins there."""
        if ended is None or ended.file != self.file or ended.position == self.start:
            return self
        return None if ended.position == END else replace(self, start=ended.position)

    def rest_after(self, entry: FileEntry) -> "Part":
        """Return the rest of the part after an entry."""
        return replace(self, start=entry.entry.place.then)

    def _opened(self) -> BinaryIO:
        return self.path.open("rb")


def parts_of(
    file: int, path: Path, max_page_bytes: int, start: Position, owner: object = None
) -> Iterator[Part]:
    """Yield the parts of a WARC file; nothing for other files and files compressed as a whole.

    It raises no error for unreadable bytes: reading the part, or the file without parts, does.
    """

    def opened() -> BinaryIO:
        return path.open("rb")

    begin = start
    with suppress(OSError):
        with opened() as content:
            if not is_warc(content.read(_PEEK_BYTES)):
                return
        for end in record_starts(opened, start.offset, PART_BYTES):
            yield Part(file, path, max_page_bytes, begin, end, owner)
            begin = Position(end)
        if path.stat().st_size - start.offset < 2 * PART_BYTES:
            yield Part(file, path, max_page_bytes, begin, None, owner)
            return
    if begin != start:
        yield Part(file, path, max_page_bytes, begin, None, owner)
