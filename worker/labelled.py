"""Read labelled pages: a folder, or a .tar.zst of one, with html/ID.html and gold/ID.txt."""

import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import orjson
import zstandard

_META: Final = ("meta", "")  # the key of SET/meta.json among the files
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the file `meta.json` of a set says about one page; empty where it says nothing.

    Attributes:
        language: BCP 47 primary subtag.
        page_type: article, forum, product, ...
        required: passages that the cleaned text must hold.
        forbidden: passages that it must not hold.
    """

    url: str = ""
    language: str = ""
    page_type: str = ""
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


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
    facts: PageFacts = PageFacts()


def labelled_pages(source: Path) -> Iterator[LabelledPage]:
    """Yield the pages of a set in the order of their ids.

    Raises:
        FileNotFoundError: `source` does not exist, or holds no labelled page.
    """
    files = dict(_archive_files(source) if source.suffix == ".zst" else _folder_files(source))
    ids = sorted(name for kind, name in files if kind == "html" and ("gold", name) in files)
    if not ids:
        raise FileNotFoundError(f"{source}: no labelled pages (html/ID.html with gold/ID.txt)")
    facts = _facts(files.get(_META, b"{}"))
    for page_id in ids:
        gold = _decoded(files["gold", page_id])
        yield LabelledPage(page_id, files["html", page_id], gold, facts.get(page_id, PageFacts()))


def _facts(meta_json: bytes) -> Mapping[str, PageFacts]:
    return {
        page_id: PageFacts(
            url=meta.get("url") or "",
            language=meta.get("language", ""),
            page_type=meta.get("type", ""),
            required=tuple(meta.get("with", ())),
            forbidden=tuple(meta.get("without", ())),
        )
        for page_id, meta in orjson.loads(meta_json).items()
    }


def _decoded(gold: bytes) -> str:
    """Read UTF-16 with its mark, else UTF-8, else Windows-1252: annotators used all three."""
    if gold.startswith(_UTF16_MARKS):
        return gold.decode("utf-16", errors="replace")
    try:
        return gold.decode("utf-8-sig")
    except UnicodeDecodeError:
        return gold.decode("cp1252", errors="replace")


def _entry(path: PurePosixPath) -> tuple[str, str] | None:
    kind = path.parent.name
    if len(path.parts) == 2 and path.name == "meta.json":  # noqa: PLR2004 - SET/meta.json
        return _META
    is_page = (kind, path.suffix) in {("html", ".html"), ("gold", ".txt")}
    if not is_page or path.name.startswith("."):  # what file managers leave behind is no page
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
