"""Read the lines of a stream as they arrive, in groups of available lines, with a size limit."""

import io
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from winnow.models.errors import WinnowError

# Maximum lines that wait while others are cleaned; then the reader pauses.
MAX_WAITING: Final = 64
# Bytes of a message without its page: the other members, white space.
_OTHER_BYTES: Final = 1 << 16


class LineTooLong(WinnowError):  # noqa: N818 - a value in the stream of lines, not a failure
    """A line above the size limit; its bytes were discarded."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a stream, with its error if there was one."""

    error: Exception | None = None


_Waiting = queue.Queue[bytes | LineTooLong | _End]


def most_line_bytes(page_bytes: int) -> int:
    """Return the maximum bytes of a message, given the limit of its page (maybe in base64)."""
    return page_bytes * 4 // 3 + _OTHER_BYTES


def line_groups(
    stream: BinaryIO, max_line_bytes: int, max_lines: int
) -> Iterator[list[bytes | LineTooLong]]:
    """Yield the available lines, at least one and at most `max_lines` at a time.

    A line is yielded as soon as it was read, so a caller that answers line by line never waits
    for the next one. Blank lines are skipped.

    Raises:
        OSError: the stream cannot be read; earlier lines were yielded.
    """
    set_blocking(stream)
    waiting: _Waiting = queue.Queue(MAX_WAITING)
    reader = threading.Thread(target=_read, args=(stream, max_line_bytes, waiting), daemon=True)
    reader.start()
    while True:
        item = waiting.get()
        group: list[bytes | LineTooLong] = []
        while not isinstance(item, _End):
            group.append(item)
            if len(group) == max_lines or waiting.empty():
                break
            item = waiting.get()
        if group:
            yield group
        if isinstance(item, _End):
            if item.error:
                raise item.error
            return


def set_blocking(stream: BinaryIO) -> None:
    """Make reads block: a non-blocking descriptor would end the stream too early."""
    with suppress(OSError):  # the stream has no descriptor
        os.set_blocking(stream.fileno(), True)


def _read(stream: BinaryIO, max_line_bytes: int, waiting: _Waiting) -> None:
    try:
        with _own_reader(stream) as lines:
            while line := lines.readline(max_line_bytes + 1):
                if len(line) > max_line_bytes and not line.endswith(b"\n"):
                    _skip_line(lines, max_line_bytes)
                    waiting.put(LineTooLong(f"longer than {max_line_bytes} bytes"))
                elif line.strip():
                    waiting.put(line)
    except Exception as error:  # noqa: BLE001 - raised again where the lines are read
        waiting.put(_End(error))
    else:
        waiting.put(_End())


def _own_reader(stream: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Return a reader with its own lock, which the thread may hold when the process ends.

    The stream has not been read yet, so its buffer is empty.
    """
    try:
        descriptor = os.dup(stream.fileno())
    except io.UnsupportedOperation:  # in memory
        return nullcontext(stream)
    return os.fdopen(descriptor, "rb")


def _skip_line(stream: BinaryIO, chunk_bytes: int) -> None:
    while (rest := stream.readline(chunk_bytes)) and not rest.endswith(b"\n"):
        pass
