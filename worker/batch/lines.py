"""Read lines of a stream as they come, grouped by what is there, each line bounded."""

import io
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from winnow.models.errors import WinnowError

# Lines that wait while others are cleaned; the reader stops when they are this many.
MAX_WAITING: Final = 64
# Of a message without its page: the other members, white space.
_OTHER_BYTES: Final = 1 << 16


class LineTooLong(WinnowError):  # noqa: N818 - a value in the stream of lines, not a failure
    """A line above the bound; its bytes were read past and forgotten."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a stream, and the error that it came with."""

    error: Exception | None = None


_Waiting = queue.Queue[bytes | LineTooLong | _End]


def most_line_bytes(page_bytes: int) -> int:
    """Return the bytes of the longest message with a page of so many, which may be in base64."""
    return page_bytes * 4 // 3 + _OTHER_BYTES


def line_groups(
    stream: BinaryIO, max_line_bytes: int, max_lines: int
) -> Iterator[list[bytes | LineTooLong]]:
    """Yield the lines that are there, at least one and at most `max_lines` at a time.

    A line is handed on as soon as it was read, so a reader that answers line by line never
    waits for the next one. Blank lines are passed over.

    Raises:
        OSError: the stream cannot be read; the lines before were yielded.
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
    """Let reads wait: of a descriptor that does not block they would end the stream too early."""
    with suppress(OSError):  # it has no descriptor
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
    """Return a reader whose lock nobody else needs: the thread may hold it when the process ends.

    Nothing of the stream has been read, so nothing of it waits in its buffer.
    """
    try:
        descriptor = os.dup(stream.fileno())
    except io.UnsupportedOperation:  # in memory
        return nullcontext(stream)
    return os.fdopen(descriptor, "rb")


def _skip_line(stream: BinaryIO, chunk_bytes: int) -> None:
    while (rest := stream.readline(chunk_bytes)) and not rest.endswith(b"\n"):
        pass
