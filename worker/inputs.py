"""Find the pages that a command was given: files, folders and standard input."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from models.document import Page

# In folders only these are pages; a file that is named outright is taken whatever its suffix.
PAGE_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml", ".shtml"})
SAMPLES: Final = Path(__file__).parent / "samples"


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page in a file.

    Attributes:
        path: where it is; `-` for standard input.
        name: path below the argument that named it, unique in one run; names outputs.
    """

    path: Path
    name: Path


class InputError(Exception):
    """A path that was given does not exist, cannot be read, or holds no page."""


def find_pages(paths: Iterable[Path]) -> Iterator[PageFile | InputError]:
    """Yield the pages below `paths` in order; a path that gives none yields its error instead."""
    for path in paths:
        if path == Path("-"):
            yield PageFile(path, Path("stdin"))
        elif path.is_dir():
            files = sorted(file for file in path.rglob("*") if _is_page(file))
            yield from (PageFile(file, file.relative_to(path)) for file in files)
            if not files:
                yield InputError(f"{path}: no pages ({', '.join(sorted(PAGE_SUFFIXES))}) in it")
        elif path.is_file():
            yield PageFile(path, Path(path.name))
        else:
            yield InputError(f"{path}: no such file or folder")


def read_page(file: PageFile, max_bytes: int) -> Page:
    """Read one page; at most one byte more than `max_bytes`, so that the cleaner can refuse it.

    Raises:
        InputError: the file cannot be read.
    """
    if file.path == Path("-"):
        return Page(url="", body=sys.stdin.buffer.read(max_bytes + 1))
    try:
        with file.path.open("rb") as stream:
            return Page(url=file.path.resolve().as_uri(), body=stream.read(max_bytes + 1))
    except OSError as error:
        raise InputError(f"{file.path}: {error.strerror}") from error


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in PAGE_SUFFIXES and path.is_file()
