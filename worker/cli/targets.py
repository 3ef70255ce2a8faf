"""Files that commands write: none of their inputs, and whole or not at all."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

import click

from worker.cli.failure import CannotStart


def check_target(target: Path, inputs: Iterable[Path]) -> None:
    """See to it, before the work, that a file can be written; it is neither made nor changed.

    Raises:
        click.UsageError: it is one of `inputs`, perhaps by another name.
        CannotStart: there can be no such file.
    """
    if any(_is_same(target, path) for path in inputs):
        raise click.UsageError(f"{target} is an input, and stays as it is")
    try:
        if not is_device(target):
            fresh = _beside(target.resolve())
            fresh.touch(exist_ok=False)
            fresh.unlink()
    except OSError as error:
        raise CannotStart(f"{target}: {error.strerror}") from error


def write_target(target: Path, content: bytes) -> None:
    """Write the file that a command was asked for.

    Raises:
        click.ClickException: the disk is full, or the like.
    """
    try:
        write_whole(target, content)
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror}") from error


def write_whole(target: Path, content: bytes) -> None:
    """Write a file, or what a link of its name leads to.

    Raises:
        OSError: the disk is full, or the like.
    """
    if is_device(target):
        target.write_bytes(content)
    else:
        replace_whole(target.resolve(), content)


def replace_whole(target: Path, content: bytes) -> None:
    """Write a file; what has its name, a link or a pipe too, is replaced when all is written.

    Raises:
        OSError: the disk is full, or the like.
    """
    with whole_file(target) as file:
        file.write(content)


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `target` when the block ends without an error.

    Raises:
        OSError: the disk is full, or the like.
    """
    fresh = _beside(target)
    try:
        with fresh.open("xb") as file:
            yield file
        if target.is_file() and not target.is_symlink():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def is_device(target: Path) -> bool:
    """Whether it is a pipe, a terminal or the like, which is written to and never replaced."""
    return target.exists() and not target.is_file()


def _is_same(target: Path, path: Path) -> bool:
    try:
        return target.samefile(path)
    except OSError:
        return False


def _beside(target: Path) -> Path:
    return target.with_name(f".winnow-{token_hex(8)}")
