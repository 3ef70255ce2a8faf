"""Read lines of a stream as they come, grouped by what is there, each line bounded."""

import queue
import threading
from collections.abc import Iterator
from typing import BinaryIO, Final

# Lines that wait while others are cleaned; the reader stops when they are this many.
MAX_WAITING: Final = 64


class LineTooLong(Exception):  # noqa: N818 - a value in the stream of lines, not a failure
    """A line above the bound; its bytes were read past and forgotten."""


def line_groups(
    stream: BinaryIO, max_line_bytes: int, max_lines: int
) -> Iterator[list[bytes | LineTooLong]]:
    """Yield the lines that are there, at least one and at most `max_lines` at a time.

    A line is handed on as soon as it was read, so a reader that answers line by line never
    waits for the next one. Blank lines are passed over.
    """
    waiting: queue.Queue[bytes | LineTooLong | None] = queue.Queue(MAX_WAITING)
    reader = threading.Thread(target=_read, args=(stream, max_line_bytes, waiting), daemon=True)
    reader.start()
    while (line := waiting.get()) is not None:
        group = [line]
        while len(group) < max_lines and not waiting.empty():
            line = waiting.get()
            if line is None:
                yield group
                return
            group.append(line)
        yield group


def _read(
    stream: BinaryIO, max_line_bytes: int, waiting: "queue.Queue[bytes | LineTooLong | None]"
) -> None:
    try:
        while line := stream.readline(max_line_bytes + 1):
            if len(line) > max_line_bytes and not line.endswith(b"\n"):
                _skip_line(stream, max_line_bytes)
                waiting.put(LineTooLong(f"longer than {max_line_bytes} bytes"))
            elif line.strip():
                waiting.put(line)
    finally:
        waiting.put(None)


def _skip_line(stream: BinaryIO, chunk_bytes: int) -> None:
    while (rest := stream.readline(chunk_bytes)) and not rest.endswith(b"\n"):
        pass
