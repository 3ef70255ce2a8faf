"""The standard streams of a command: closed, full, or in another charset."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from winnow.worker.cli import main
from winnow.worker.cli.standard_streams import standard_streams


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text("<p>Zürich lies on a lake, and the ferries run all year.</p>")
    return file


@contextmanager
def stream(name: str, value: TextIO | None) -> Iterator[None]:
    """Put a standard stream in place; close what the command has opened instead."""
    kept = getattr(sys, name)
    setattr(sys, name, value)
    try:
        yield
    finally:
        if getattr(sys, name) is not None:
            getattr(sys, name).close()
        setattr(sys, name, kept)


def run(*arguments: str | Path) -> object:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code


def test_a_command_ends_with_1_and_one_line_when_standard_output_is_full(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with stream("stdout", open("/dev/full", "w")):
        code = run("clean", page)

    assert code == 1
    assert capsys.readouterr().err == "winnow: standard output: No space left on device\n"


def test_a_command_ends_with_1_and_one_line_when_standard_output_is_closed(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with stream("stdout", None):
        code = run("clean", page)

    assert code == 1
    assert capsys.readouterr().err == "winnow: standard output: Bad file descriptor\n"


def test_a_command_that_prints_nothing_needs_no_standard_output(tmp_path: Path, page: Path) -> None:
    with stream("stdout", None):
        code = run("clean", page, "-o", tmp_path / "out")

    assert code == 0


def test_a_command_ends_silently_with_1_when_its_reader_is_gone(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with stream("stdout", open(writing, "w")):
        code = run("clean", page)

    assert (code, capsys.readouterr().err) == (1, "")


def test_threads_of_a_command_end_when_its_reader_is_gone(page: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    before = threading.enumerate()
    with stream("stdout", open(writing, "w")), pytest.raises(SystemExit) as ended:
        main(["clean", str(page)])

    # while the error is there: the interpreter frees it when no thread runs any more
    assert (ended.value.code, threading.enumerate()) == (1, before)


def test_output_whose_reader_is_gone_is_closed_silently() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    outputs: list[TextIO] = []

    def write() -> None:
        with standard_streams():
            outputs.append(sys.stdout)
            sys.stdout.write("a line\n")

    with stream("stdout", open(writing, "w")), pytest.raises(BrokenPipeError):
        write()

    outputs.pop().close()


@pytest.mark.parametrize(
    "arguments", [["clean", "-"], ["clean", "-", "--input", "jsonl", "--format", "jsonl"],
                  ["strip", "-"], ["score", "-"]],
)  # fmt: skip
def test_a_command_names_standard_input_when_it_is_closed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with stream("stdin", None):
        code = run(*arguments)

    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (1, 1)
    assert "Bad file descriptor" in error


def test_a_command_counts_its_failures_when_standard_error_is_closed(tmp_path: Path) -> None:
    with stream("stderr", None):
        code = run("clean", tmp_path / "gone.html")

    assert code == 1


def test_a_command_writes_utf_8_in_any_locale(tmp_path: Path, page: Path) -> None:
    written = tmp_path / "written"
    with stream("stdout", written.open("w", encoding="ascii")):
        code = run("clean", page)

    assert code == 0
    assert written.read_bytes().startswith("Zürich".encode())
