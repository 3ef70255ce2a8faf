"""The pages of WebKB (Craven et al. 1998): computer science departments, in seven classes."""

import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import zstandard

from winnow.models.document import Page

UNIVERSITIES: Final = ("cornell", "texas", "washington", "wisconsin")
_FIELDS: Final = 4  # webkb/CLASS/UNIVERSITY/FILE


@dataclass(frozen=True, slots=True)
class WebKbPage:
    """One page; `university` is one of `UNIVERSITIES`, or `misc` for others."""

    label: str
    university: str
    page: Page


def webkb_pages(archive: Path) -> Iterator[WebKbPage]:
    """Yield the pages ordered by name, without the crawler's header lines."""
    found = []
    with zstandard.open(archive, "rb") as stream, tarfile.open(fileobj=stream, mode="r|") as files:
        for member in files:
            parts = PurePosixPath(member.name).parts
            content = files.extractfile(member) if len(parts) == _FIELDS else None
            if content is not None:
                found.append((parts[1], parts[2], parts[3], content.read()))
    for label, university, name, content_bytes in sorted(found):
        yield WebKbPage(label, university, Page(url_of(name), body_of(content_bytes)))


def url_of(name: str) -> str:
    """Return the URL in a file name `http_^^host^path`."""
    return name.replace("_^^", "://", 1).replace("^", "/")


def body_of(content: bytes) -> bytes:
    """Return the bytes after the crawler's header lines, which end with an empty line."""
    stream = io.BytesIO(content)
    for line in stream:
        if not line.strip():
            return stream.read()
    return content
