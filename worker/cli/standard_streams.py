"""The standard streams of a command: UTF-8 in any locale, and a one-line error if output fails."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Literal, TextIO

import click

from winnow.models.errors import WinnowError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@contextmanager
def standard_streams() -> Iterator[None]:
    """Open closed standard streams; exit with one line and code 1 if output cannot be written.

    A closed pipe raises `BrokenPipeError` as usual, but only once.
    """
    _open_closed_streams()
    try:
        with redirect_stdout(_checked(sys.stdout)):
            try:
                yield
            finally:
                sys.stdout.flush()
    except _OutputError as error:
        click.echo(f"winnow: standard output: {error.strerror}", err=True)
        sys.exit(1)


def _open_closed_streams() -> None:
    """Make the use of a closed stream an error, and keep its descriptor from other files."""
    if sys.stdin is None:
        sys.stdin = _null(os.O_WRONLY, "r")
    if sys.stdout is None:
        sys.stdout = _null(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _null(os.O_WRONLY, "w")


def _null(flags: int, mode: Literal["r", "w"]) -> TextIO:
    return os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8")


def _checked(stream: TextIO) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    if not isinstance(getattr(buffer, "raw", buffer), io.FileIO):
        return stream  # an in-memory stream of a test
    raw = _Output(stream.fileno())
    os.set_blocking(raw.fileno(), True)
    at_once = bool(stream.line_buffering) or getattr(stream, "write_through", False)
    buffered = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", line_buffering=at_once)


class _OutputError(WinnowError, OSError):
    """Standard output cannot be written to."""


class _Output(io.FileIO):
    """Marks errors of standard output; after the first one it drops all bytes."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._failed = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self._failed:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except BrokenPipeError:
            self._failed = True  # or the stream raises it again when it is closed
            raise
        except OSError as error:
            self._failed = True
            raise _OutputError(error.errno, error.strerror) from error
