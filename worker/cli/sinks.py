"""Write the texts of pages to standard output, to one file per page, or to one file."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from winnow.models.errors import WinnowError
from winnow.worker.cli.failure import CannotGoOn, CannotStart
from winnow.worker.cli.targets import replace_below, whole_file
from winnow.worker.terminal import shown_path


class WriteError(WinnowError):
    """The file of one page cannot be written."""


@dataclass(frozen=True, slots=True)
class Written:
    """Where a page came from.

    Attributes:
        title: path of its file, and its place there if the file has several pages.
        name: path of its output below a folder, without a suffix for the format.
        is_part: whether its file has several pages.
    """

    title: str
    name: Path
    is_part: bool = False


class Sink(Protocol):
    """Receives the outcome of each page."""

    def write(self, page: Written, content: bytes) -> None:
        """Write the outcome of one page.

        Raises:
            WriteError: this outcome cannot be written, but others may be.
        """


class StreamSink:
    """Writes to standard output, each page under its name if there are several."""

    def __init__(self, *, titled: bool, is_text: bool) -> None:
        """Start with nothing written; JSON lines need no title, because they name their page."""
        self._titled = titled
        self._is_text = is_text
        self._gap = ""

    def write(self, page: Written, content: bytes) -> None:
        """Write the outcome of one page."""
        if self._is_text and (self._titled or page.is_part):
            title = f"{self._gap}==> {page.title} <==\n"
            sys.stdout.buffer.write(title.encode())
            self._gap = "\n"
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


class FileSink:
    """Writes all pages to one open file."""

    def __init__(self, file: BinaryIO, *, is_text: bool) -> None:
        """Write to a file that the caller closes."""
        self._file = file
        self._is_text = is_text

    def write(self, page: Written, content: bytes) -> None:
        """Write the outcome of one page.

        Raises:
            WriteError: the disk is full, or the like.
            CannotGoOn: there are several pages, and nothing would separate their texts.
        """
        if self._is_text and page.is_part:
            raise CannotGoOn(f"{page.title}: one of several pages: give a folder with -o")
        try:
            self._file.write(content)
        except OSError as error:
            raise WriteError(error.strerror) from error


@contextmanager
def file_sink(target: Path, *, is_text: bool) -> Iterator[FileSink]:
    """Write all pages to a file; it gets its name when it is complete.

    Raises:
        CannotGoOn: the file cannot be created or finished.
    """
    try:
        with whole_file(target) as file:
            yield FileSink(file, is_text=is_text)
    except OSError as error:
        raise CannotGoOn(f"{shown_path(target)}: {error.strerror}") from error


def folder_of(folder: Path) -> Path:
    """Create a folder for output, and return its path with symbolic links resolved.

    Raises:
        CannotStart: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(f"{shown_path(folder)}: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise CannotStart(f"{shown_path(folder)}: is not writable")
    return folder.resolve()


class FolderSink:
    """Writes one file per page below a folder, named after the page.

    The author of the pages may have made other files in the folder: links there are not followed.
    """

    def __init__(self, folder: Path, suffix: str) -> None:
        """Make the folder.

        Raises:
            CannotStart: it cannot be made.
        """
        self._folder = folder_of(folder)
        self._suffix = suffix

    def write(self, page: Written, content: bytes) -> None:
        """Write the outcome of one page.

        Raises:
            WriteError: its file cannot be written.
        """
        name = page.name.with_name(page.name.name + self._suffix)
        try:
            replace_below(self._folder, name, content)
        except OSError as error:
            target = self._folder / name
            is_linked = os.path.realpath(target.parent) != str(target.parent)
            why = "the path leads through a symbolic link" if is_linked else error.strerror
            raise WriteError(f"{shown_path(target)}: {why}") from error
