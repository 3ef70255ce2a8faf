"""What a command was given to read: paths, and URLs of pages."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from winnow.worker.batch.archives.ledger import outputs_in
from winnow.worker.batch.archives.remote import RemoteFile, find_remote
from winnow.worker.batch.inputs import (
    ARCHIVE_SUFFIXES,
    Argument,
    Found,
    InputError,
    Search,
    Url,
    find_pages,
)

_SAFE: Final = re.compile(r"[^A-Za-z0-9.-]+")
_NAME_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page that is fetched when its turn comes.

    Attributes:
        path: its URL.
    """

    path: Url

    @property
    def name(self) -> Path:
        """Return a name for the file of its text, for this URL alone."""
        shown = _SAFE.sub("_", self.path.split("://", 1)[1]).strip("_.")[:_NAME_CHARS]
        return Path(f"{shown}-{sha256(self.path.encode()).hexdigest()[:8]}")


Input = Found | WebPage | RemoteFile


def find_inputs(arguments: Iterable[Argument]) -> list[Input]:
    """Return each input once: the files of all paths in order, then what the URLs stand for.

    Raises:
        MissingPackageError: there is no package for a store.
        RemoteUnavailable: a store does not answer.
    """
    given = tuple(arguments)
    found = list(_found(given))
    return list({item.path: item for item in found}.values())


def _found(arguments: tuple[Argument, ...]) -> Iterator[Input]:
    paths = [each for each in arguments if isinstance(each, Path)]
    search = Search(ARCHIVE_SUFFIXES, outputs_in)
    yield from find_pages(paths, search)
    for url in (each for each in arguments if isinstance(each, Url)):
        if url.lower().startswith(("http://", "https://")):
            yield WebPage(url)
        else:
            try:
                yield from find_remote(url, search)
            except InputError as error:
                yield error
