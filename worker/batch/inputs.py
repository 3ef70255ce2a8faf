"""Find the pages in the arguments of a command: files, folders and standard input."""

import glob
import os
import re
import stat
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import quote_from_bytes, unquote, urlsplit

from winnow.models.document import Page
from winnow.models.errors import WinnowError
from winnow.worker.batch.lines import set_blocking
from winnow.worker.terminal import shown_path

# In folders only these are pages; a file given by name may have any suffix.
PAGE_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml", ".shtml"})
PACKED: Final = ("", ".gz", ".zst")
ARCHIVE_SUFFIXES: Final = frozenset(
    suffix + packed
    for suffix in (*PAGE_SUFFIXES, ".jsonl", ".ndjson", ".warc")
    for packed in PACKED
)
SAMPLES: Final = Path(__file__).parents[1] / "samples"
STANDARD_INPUT: Final = Path("-")

_STATED_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://\S*")
_URL: Final = re.compile(r"([a-z][a-z0-9+.-]+):/+(.*)")  # `Path` reduces several slashes to one
# First bytes of files that are not pages, and what to do with them.
_OTHERS: Final = {
    "is a WARC file: extract its pages first": re.compile(rb"WARC/\d"),
    "is compressed with gzip: decompress it first, for example with zcat": re.compile(rb"\x1f\x8b"),
    "is compressed with zstd: decompress it first, for example with zstdcat": re.compile(
        rb"\x28\xb5\x2f\xfd"
    ),
    "holds JSON: clean and publish read messages with --input jsonl": re.compile(rb'\s*\{\s*"'),
}
# What files of these names are, although any text could begin like them, and what to do with them.
_NAMED: Final = {
    "is a table, not a page: write each page of it as a JSON object on a line": (".csv", ".tsv"),
    "is an index, which has no pages: read the WARC files that it lists": (".cdx", ".cdxj"),
    "is mail, not a page: save its HTML part as a file": (".eml", ".mbox", ".mbx"),
}


class Url(str):
    """A URL on the command line; as a path it would lose one of its slashes."""

    __slots__ = ()


Argument = Path | Url


def argument_of(text: str) -> Argument:
    """Return an argument as a path or URL; an existing file is a path, even if named like a URL."""
    if text.startswith("file://"):
        return Path(unquote(urlsplit(text).path))
    is_url = _STATED_URL.fullmatch(text) and not os.path.lexists(text)
    return Url(text) if is_url else Path(text)


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page in a file.

    Attributes:
        path: its path; `-` for standard input.
        name: path below its argument, with as many parent folders as make it unique in the run;
        names outputs.
    """

    path: Path
    name: Path


class InputError(WinnowError):
    """A given path does not exist, cannot be read, or has no page.

    Attributes:
        path: the path or URL.
        why: the reason, without the path.
    """

    def __init__(self, path: Path | str, why: str) -> None:
        """Keep both arguments in `args`, so that the error survives pickling."""
        super().__init__(path, why)
        self.path: Final = path
        self.why: Final = why

    def __str__(self) -> str:
        """Return `path: why`, on one line."""
        return f"{shown_path(self.path)}: {self.why}"


Found = PageFile | InputError


@dataclass(frozen=True, slots=True)
class Search:
    """Which files in folders are pages.

    Attributes:
        suffixes: suffixes of their names.
        outputs: returns the names of a folder's files that a run has written.
    """

    suffixes: frozenset[str] = PAGE_SUFFIXES
    outputs: Callable[[Path], frozenset[str]] = lambda _: frozenset()

    def takes(self, name: str) -> bool:
        """Whether a file of this name counts."""
        return any(name.lower().endswith(suffix, 1) for suffix in self.suffixes)


PAGES: Final = Search()


def find_pages(paths: Iterable[Path], search: Search = PAGES) -> Iterator[Found]:
    """Yield the pages below `paths` in order; a path without a page yields its error instead.

    An unreadable file that is named like a page yields an error too. Symbolic links in a folder
    are not followed, because its author can point them anywhere; one error counts links that are
    named like pages. Pages with the same name get the parent folders that distinguish them.
    """
    arguments = [_found_at(each, search) for path in paths for each in _globbed(path)]
    while clashing := _clashing(arguments):
        arguments = [
            [_named_wider(item) for item in found] if index in clashing else found
            for index, found in enumerate(arguments)
        ]
    yield from chain.from_iterable(arguments)


def read_page(file: PageFile, max_bytes: int) -> Page:
    """Read one page, at most `max_bytes` + 1 bytes, so that the cleaner can refuse a larger one.

    Raises:
        InputError: the file cannot be read.
    """
    if file.path == STANDARD_INPUT:
        url, body = "", read_standard_input(max_bytes + 1)
    else:
        url, body = _read_file(file.path, max_bytes + 1)
    for what, begin in _OTHERS.items():
        if begin.match(body):
            raise InputError(file.path, what)
    if why := why_no_page(file.path.name, body):
        raise InputError(file.path, why)
    return Page(url, body)


def why_no_page(name: str, body: bytes) -> str:
    """Return why a file of this name is not a page, and what to do; empty if it may be one.

    Markup is a page under any name.
    """
    path = PurePath(name.lower())
    suffix = PurePath(path.stem).suffix if path.suffix in PACKED else path.suffix
    if body.lstrip()[:1] == b"<":
        return ""
    return next((why for why, names in _NAMED.items() if suffix in names), "")


def read_standard_input(max_bytes: int) -> bytes:
    """Read standard input to its end, or to the limit.

    Raises:
        InputError: it cannot be read.
    """
    stream = sys.stdin.buffer
    set_blocking(stream)
    try:
        return stream.read(max_bytes)
    except OSError as error:
        raise _unreadable(STANDARD_INPUT, error) from error


def _read_file(path: Path, max_bytes: int) -> tuple[str, bytes]:
    try:
        with path.open("rb") as stream:
            return url_of(path), stream.read(max_bytes)
    except OSError as error:
        raise _unreadable(path, error) from error


def url_of(path: Path) -> str:
    """Return the URL of a local file."""
    # the link of a pipe does not lead to a path
    return (path.resolve() if path.is_file() else path.absolute()).as_uri()


def url_below(prefix: str, file: PageFile) -> str:
    """Return a page's URL by the prefix; empty without a prefix."""
    return prefix + quote_from_bytes(os.fsencode(file.name.as_posix())) if prefix else ""


def _globbed(path: Path) -> list[Path]:
    """Return the paths that match a pattern; other paths unchanged."""
    if os.path.lexists(path) or not glob.has_magic(str(path)) or _URL.fullmatch(str(path)):
        return [path]
    found = glob.glob(str(path), recursive=True)  # noqa: PTH207 - it takes absolute patterns too
    return sorted(map(Path, found)) or [path]


def _found_at(path: Path, search: Search) -> list[Found]:
    if path == STANDARD_INPUT:
        return [PageFile(path, Path("stdin"))]
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        return [_missing(path)]
    except OSError as error:
        return [_unreadable(path, error)]
    if not is_folder:
        return [PageFile(path, Path(path.name))]
    found = sorted(_below(path, search), key=lambda item: Path(item.path))
    if not found and search.outputs(path):
        why = "is the output folder of winnow clean: name the files to read in it"
        return [InputError(path, why)]
    return found or [
        InputError(path, f"has no pages (files named {', '.join(sorted(search.suffixes))})")
    ]


def _missing(path: Path) -> InputError:
    if url := _URL.fullmatch(str(path)):
        return InputError(
            f"{url[1]}://{url[2]}", "URLs are not fetched: save the page, and give the file"
        )
    return InputError(path, "no such file or folder")


def _below(folder: Path, search: Search) -> Iterator[Found]:
    links = 0
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        outputs = search.outputs(here)
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    path = here / entry.name
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(path)
                    elif search.takes(entry.name) and entry.name not in outputs:
                        links += entry.is_symlink()
                        yield from () if entry.is_symlink() else _page_at(path, folder)
        except OSError as error:
            yield _unreadable(here, error)
    if links:
        what = "1 link to a page is" if links == 1 else f"{links} links to pages are"
        yield InputError(folder, f"{what} not followed: name the pages themselves")


def _page_at(path: Path, folder: Path) -> Iterator[Found]:
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        yield _unreadable(path, error)
        return
    if stat.S_ISREG(mode):
        yield PageFile(path, path.relative_to(folder))
    else:
        yield InputError(path, "not a regular file: give its path to read it anyway")


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(path, error.strerror or str(error))


def _clashing(arguments: list[list[Found]]) -> set[int]:
    """Return the arguments with a page name that another file has too, and that can change."""
    places: dict[Path, set[Path]] = defaultdict(set)
    for page in _pages(chain.from_iterable(arguments)):
        places[page.name].add(_place(page))
    return {
        index
        for index, found in enumerate(arguments)
        if any(len(places[page.name]) > 1 and _named_wider(page) != page for page in _pages(found))
    }


def _pages(found: Iterable[Found]) -> Iterator[PageFile]:
    return (item for item in found if isinstance(item, PageFile))


def _named_wider(item: Found) -> Found:
    """Put one more folder before the name of a page."""
    if isinstance(item, InputError) or item.path == STANDARD_INPUT:
        return item
    parts = _place(item).parts[1:]
    return replace(item, name=Path(*parts[-len(item.name.parts) - 1 :]))


def _place(page: PageFile) -> Path:
    folder = page.path.parent
    whole = folder.resolve() if ".." in folder.parts else folder.absolute()
    return whole / page.path.name
