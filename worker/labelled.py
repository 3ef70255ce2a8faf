"""Read labelled pages: a folder, or a .tar.zst of one, with html/ID.html and gold/ID.txt."""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import zstandard


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """One page and the text that people say is its content.

    Attributes:
        page_id: name without suffix, unique in its set.
        html: raw bytes, charset unknown.
        gold: the gold file as it is; what its marks mean depends on the set.
    """

    page_id: str
    html: bytes
    gold: str


def labelled_pages(source: Path) -> Iterator[LabelledPage]:
    """Yield the pages of a set in the order of their ids.

    Raises:
        FileNotFoundError: `source` does not exist, or holds no labelled page.
    """
    files = dict(_archive_files(source) if source.suffix == ".zst" else _folder_files(source))
    ids = sorted(name for kind, name in files if kind == "html" and ("gold", name) in files)
    if not ids:
        raise FileNotFoundError(f"{source}: no labelled pages (html/ID.html with gold/ID.txt)")
    for page_id in ids:
        gold = files["gold", page_id].decode("utf-8", errors="replace")
        yield LabelledPage(page_id, files["html", page_id], gold)


def _entry(path: PurePosixPath) -> tuple[str, str] | None:
    kind = path.parent.name
    if (kind, path.suffix) not in {("html", ".html"), ("gold", ".txt")}:
        return None
    # the folders above html/ and gold/ tell sets of the same archive apart (daniel/polish/...)
    above = "/".join(path.parts[1:-2])
    return kind, f"{above}/{path.stem}" if above else path.stem


def _archive_files(archive: Path) -> Iterator[tuple[tuple[str, str], bytes]]:
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        for member in tar:
            entry = _entry(PurePosixPath(member.name))
            content = tar.extractfile(member) if entry and member.isfile() else None
            if entry and content:
                yield entry, content.read()


def _folder_files(folder: Path) -> Iterator[tuple[tuple[str, str], bytes]]:
    for path in folder.rglob("*"):
        entry = _entry(PurePosixPath(folder.name, path.relative_to(folder).as_posix()))
        if entry and path.is_file():
            yield entry, path.read_bytes()
