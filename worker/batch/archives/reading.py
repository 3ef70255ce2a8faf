"""A file -> its entries; the format is detected from the first bytes, not from the name."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO, Final

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.worker.batch.archives.entries import BEGIN, END, Entry, Message, Place, Position
from winnow.worker.batch.archives.record_search import is_warc
from winnow.worker.batch.archives.unpacking import (
    DamagedPacking,
    Packing,
    UnpackedFile,
    beginning,
    packing_of,
)
from winnow.worker.batch.archives.warc import warc_entries
from winnow.worker.batch.inputs import InputError, why_no_page
from winnow.worker.batch.lines import most_line_bytes

_PEEK_BYTES: Final = 1 << 12
_JSON_OBJECT: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"')
_JSON_ARRAY: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"')
_WARC_NAME: Final = re.compile(r".*\.warc(\.gz|\.zst)?", re.IGNORECASE | re.DOTALL)
_LINES_NAME: Final = re.compile(r".*\.(jsonl|ndjson)(\.gz|\.zst)?", re.IGNORECASE | re.DOTALL)

Opener = Callable[[], BinaryIO]


def file_entries(
    path: PurePath, url: str, open_file: Opener, max_page_bytes: int, start: Position = BEGIN
) -> Iterator[Entry]:
    """Yield the entries of a file from a place on.

    Args:
        path: path of the file; errors begin with it.
        url: URL of the page, if the file is a page.
        open_file: opens the file at its beginning; called several times.
        max_page_bytes: a larger page is one entry with its error.
        start: `then` of the last entry that was read.

    Raises:
        InputError: the file cannot be read, or its name is wrong; entries before a damage
            were yielded.
    """
    if start == END:
        return
    try:
        with open_file() as file:
            begin = file.read(_PEEK_BYTES)
        if is_warc(begin):
            yield from warc_entries(open_file, max_page_bytes, start)
            return
        if _WARC_NAME.fullmatch(path.name):
            raise InputError(str(path), "is not a WARC file, despite its name")
        packing = packing_of(begin)
        text = beginning(begin, packing, _PEEK_BYTES) if packing else begin
        _refuse_others(path, text)
        with _unpacked(open_file, packing) as unpacked:
            if _holds_lines(path.name, text):
                yield from _line_entries(unpacked, max_page_bytes, start)
            else:
                page = Page(url, unpacked.read(max_page_bytes + 1))
                yield Entry(Place(END), page)
    except OSError as error:
        raise InputError(str(path), error.strerror or str(error)) from error
    except DamagedPacking as error:
        raise InputError(str(path), f"compressed bytes: {error}") from error


def _refuse_others(path: PurePath, text: bytes) -> None:
    is_array = _JSON_ARRAY.match(text)
    why = "is a JSON array: write each of its objects on a line" if is_array else ""
    if why := why or why_no_page(path.name, text):
        raise InputError(str(path), why)


def _holds_lines(name: str, text: bytes) -> bool:
    is_named_so = _LINES_NAME.fullmatch(name) and not text.lstrip().startswith(b"<")
    return bool(is_named_so or _JSON_OBJECT.match(text))


@contextmanager
def _unpacked(open_file: Opener, packing: Packing | None) -> Iterator[BinaryIO]:
    with open_file() as file:
        if packing is None:
            yield file
        else:
            with UnpackedFile.buffered(file, packing) as unpacked:
                yield unpacked


def _line_entries(lines: BinaryIO, max_page_bytes: int, start: Position) -> Iterator[Entry]:
    """Yield an entry for each non-blank line; its place is the line number."""
    max_line_bytes = most_line_bytes(max_page_bytes)
    number = 0
    while line := lines.readline(max_line_bytes + 1):
        number += 1
        is_long = len(line) > max_line_bytes and not line.endswith(b"\n")
        if is_long:
            _pass_line(lines, max_line_bytes)
        if number > start.passed and not line.isspace():
            too_long = InvalidPage(Reason.TOO_LARGE, f"a line of more than {max_line_bytes} bytes")
            content = too_long if is_long else Message(line)
            yield Entry(Place(Position(passed=number), line=number), content)


def _pass_line(lines: BinaryIO, chunk_bytes: int) -> None:
    while (rest := lines.readline(chunk_bytes)) and not rest.endswith(b"\n"):
        pass
