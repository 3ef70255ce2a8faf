"""Write output files: complete or not at all, and never over an input."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

import click

from winnow.worker.cli.failure import CannotStart


def check_target(target: Path, inputs: Iterable[Path]) -> None:
    """Check, before the work, that a file can be written; it is not created or changed.

    Raises:
        click.UsageError: the file is one of `inputs`, perhaps by another name.
        CannotStart: the file cannot be written.
    """
    if any(_is_same(target, path) for path in inputs):
        raise click.UsageError(f"refusing to overwrite the input {target}")
    try:
        if not is_device(target):
            fresh = _sibling(target.resolve())
            fresh.touch(exist_ok=False)
            fresh.unlink()
    except OSError as error:
        raise CannotStart(f"{target}: {error.strerror}") from error


def write_target(target: Path, content: bytes) -> None:
    """Write the output file of a command.

    Raises:
        click.ClickException: the write failed, for example on a full disk.
    """
    try:
        write_whole(target, content)
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror}") from error


def write_whole(target: Path, content: bytes) -> None:
    """Write a file, or the target of a symbolic link.

    Raises:
        OSError: the disk is full, or the like.
    """
    if is_device(target):
        target.write_bytes(content)
    else:
        replace_whole(target.resolve(), content)


def replace_whole(target: Path, content: bytes) -> None:
    """Write a complete file, then replace the path with it, even if that is a link or a pipe.

    Raises:
        OSError: the disk is full, or the like.
    """
    with whole_file(target) as file:
        file.write(content)


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `target` when the block ends without an error.

    Raises:
        OSError: the disk is full, or the like.
    """
    fresh = _sibling(target)
    try:
        with fresh.open("xb") as file:
            yield file
        if target.is_file() and not target.is_symlink():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def replace_below(folder: Path, name: Path, content: bytes) -> None:
    """Write a file below a folder, as `replace_whole` does, and create the folders of its path.

    Each folder is opened relative to its parent, so that a link that replaces it at any time is
    not followed.

    Raises:
        NotADirectoryError: a folder on the way is a link or a file.
        OSError: the disk is full, or the like.
    """
    inner = _opened(folder, name.parent.parts)
    fresh = _fresh_name()
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=inner)
        try:
            with os.fdopen(descriptor, "wb") as file:
                _keep_mode(file, name.name, inner)
                file.write(content)
            os.replace(fresh, name.name, src_dir_fd=inner, dst_dir_fd=inner)
        except BaseException:
            os.unlink(fresh, dir_fd=inner)
            raise
    finally:
        os.close(inner)


def _opened(folder: Path, names: Sequence[str]) -> int:
    """Return a descriptor of a folder in another one; it is created if needed."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    inner = os.open(folder, flags)
    for name in names:
        outer = inner
        try:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=outer)
            inner = os.open(name, flags | os.O_NOFOLLOW, dir_fd=outer)
        finally:
            os.close(outer)
    return inner


def _keep_mode(file: BinaryIO, name: str, folder: int) -> None:
    """Give a file the mode of the file that it replaces."""
    with suppress(FileNotFoundError):
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISREG(mode):
            os.fchmod(file.fileno(), stat.S_IMODE(mode))


def is_device(target: Path) -> bool:
    """Whether the path is a pipe, a terminal or similar, which is written to, never replaced."""
    return target.exists() and not target.is_file()


def _is_same(target: Path, path: Path) -> bool:
    try:
        return target.samefile(path)
    except OSError:
        return False


def _sibling(target: Path) -> Path:
    return target.with_name(_fresh_name())


def _fresh_name() -> str:
    return f".winnow-{token_hex(8)}"
