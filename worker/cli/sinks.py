"""Where the text of pages goes: to standard output, or to one file a page."""

import os
import sys
from pathlib import Path
from typing import Protocol

from worker.cli.failure import CannotStart
from worker.cli.targets import replace_whole
from worker.inputs import PageFile
from worker.terminal import shown_path


class WriteError(Exception):
    """The file of one page cannot be written."""


class Sink(Protocol):
    """Takes what became of each page."""

    def write(self, file: PageFile, content: bytes) -> None:
        """Write what became of one page.

        Raises:
            WriteError: it cannot be written; that of others perhaps can.
        """


class StreamSink:
    """Writes to standard output, each page under its name if there are several."""

    def __init__(self, *, titled: bool) -> None:
        """Start with nothing written."""
        self._titled = titled
        self._gap = ""

    def write(self, file: PageFile, content: bytes) -> None:
        """Write what became of one page."""
        if self._titled:
            title = f"{self._gap}==> {shown_path(file.path)} <==\n"
            sys.stdout.buffer.write(title.encode())
            self._gap = "\n"
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


class FolderSink:
    """Writes one file a page below a folder, named as the page was.

    Whoever made the pages may have made what else is in the folder: no link there is followed.
    """

    def __init__(self, folder: Path, suffix: str) -> None:
        """Make the folder.

        Raises:
            CannotStart: it cannot be made.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotStart(f"{shown_path(folder)}: {error.strerror}") from error
        self._folder = folder.resolve()
        self._suffix = suffix

    def write(self, file: PageFile, content: bytes) -> None:
        """Write what became of one page.

        Raises:
            WriteError: its file cannot be written.
        """
        target = self._folder / file.name.with_name(file.name.name + self._suffix)
        try:
            if os.path.realpath(target.parent) != str(target.parent):
                raise WriteError(f"{shown_path(target)}: a link leads elsewhere")
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_whole(target, content)
        except OSError as error:
            raise WriteError(f"{shown_path(target)}: {error.strerror}") from error
