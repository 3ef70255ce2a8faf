"""Lines come as they are there, each bounded."""

import io
import os
import subprocess
import sys

import pytest

from winnow.worker.batch.lines import LineTooLong, line_groups


def groups_of(content: bytes, max_line_bytes: int = 100, max_lines: int = 10) -> list[bytes | str]:
    groups = line_groups(io.BytesIO(content), max_line_bytes, max_lines)
    return [
        str(line) if isinstance(line, LineTooLong) else line for group in groups for line in group
    ]


def test_line_groups_yield_every_line_once_in_order_without_blank_ones() -> None:
    assert groups_of(b"a\n\n  \nb\nc") == [b"a\n", b"b\n", b"c"]


def test_line_groups_yield_nothing_for_an_empty_stream() -> None:
    assert groups_of(b"") == []


def test_line_groups_hold_no_more_than_max_lines() -> None:
    groups = list(line_groups(io.BytesIO(b"x\n" * 25), max_line_bytes=10, max_lines=10))

    assert sum(len(group) for group in groups) == 25
    assert max(len(group) for group in groups) <= 10


def test_line_groups_replace_a_line_above_the_bound_and_go_on_with_the_next() -> None:
    lines = groups_of(b"before\n" + b"x" * 250 + b"\nafter\n", max_line_bytes=100)

    assert lines == [b"before\n", "longer than 100 bytes", b"after\n"]


def test_line_groups_take_a_line_of_exactly_the_bound() -> None:
    assert groups_of(b"x" * 100 + b"\ny\n", max_line_bytes=100) == [b"x" * 100 + b"\n", b"y\n"]


def test_line_groups_hand_on_a_line_before_the_next_one_is_written() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as source:
        groups = line_groups(stream, max_line_bytes=100, max_lines=10)
        source.write(b"first\n")
        first = next(groups)
        source.write(b"second\n")
        second = next(groups)

    assert (first, second) == ([b"first\n"], [b"second\n"])


def test_line_groups_that_are_left_early_let_the_process_end() -> None:
    program = """
import sys
from winnow.worker.batch.lines import line_groups
print(next(line_groups(sys.stdin.buffer, 100, 1)))
"""
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as source:
        source.write(b"first\n")
        ended = subprocess.run(
            [sys.executable, "-c", program],
            stdin=stream,
            capture_output=True,
            timeout=60,
            check=False,
        )

    assert (ended.returncode, ended.stdout) == (0, b"[b'first\\n']\n"), ended.stderr


class FailingStream(io.BytesIO):
    """Fails where its content ends, as a device does."""

    def readline(self, size: int | None = -1, /) -> bytes:
        if line := super().readline(size):
            return line
        raise OSError(5, "Input/output error")


def test_line_groups_raise_the_error_of_the_stream_after_the_lines_before_it() -> None:
    groups = line_groups(FailingStream(b"first\n"), max_line_bytes=100, max_lines=10)
    first = next(groups)

    with pytest.raises(OSError, match="Input/output error"):
        next(groups)

    assert first == [b"first\n"]


def test_line_groups_wait_for_a_nonblocking_stream() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as source:
        groups = line_groups(stream, max_line_bytes=100, max_lines=10)
        source.write(b"first\n")
        first = next(groups)
        source.write(b"second\n")

        assert (first, next(groups)) == ([b"first\n"], [b"second\n"])
