"""Read labelled pages: a folder, or a .tar.zst of one, with html/ID.html and gold/ID.txt."""

import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

import orjson
import zstandard

from winnow.models.errors import WinnowError

# Of one file in an archive, whatever it is packed to: a page has at most 8 MiB, and what a set says
# of its pages is smaller than they are.
MAX_FILE_BYTES: Final = 64 << 20
_MAX_NAME_BYTES: Final = 1 << 20
_NAMES: Final = frozenset(
    {tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE}
    | {tarfile.SOLARIS_XHDTYPE}
)
_META_NAME: Final = "meta.json"
_META: Final = ("meta", "")  # the key of SET/meta.json among the files
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


class LabelledError(WinnowError):
    """A labelled set cannot be used; says which file is at fault, and why."""


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
        LabelledError: `source` cannot be read, or holds no labelled page.
    """
    files = dict(_archive_pages(source) if source.suffix == ".zst" else _folder_pages(source))
    ids = sorted(name for kind, name in files if kind == "html" and ("gold", name) in files)
    if not ids:
        raise LabelledError(f"{source}: no labelled pages (html/ID.html with gold/ID.txt)")
    facts = _facts(source, files.get(_META, b"{}"))
    for page_id in ids:
        if not _is_utf_8(page_id):
            raise LabelledError(f"{source}: page {page_id!r}: the name is no UTF-8")
        gold = _decoded(files["gold", page_id])
        yield LabelledPage(page_id, files["html", page_id], gold, facts.get(page_id, PageFacts()))


def archive_files(
    archive: Path, is_wanted: Callable[[PurePosixPath], bool]
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the wanted files of a .tar.zst in the order of the archive.

    Raises:
        LabelledError: it cannot be read, or is something else.
    """
    try:
        with (
            archive.open("rb") as packed,
            zstandard.ZstdDecompressor().stream_reader(packed) as plain,
            tarfile.open(fileobj=plain, mode="r|", tarinfo=_Member) as tar,
        ):
            for member in tar:
                path = PurePosixPath(member.name)
                content = tar.extractfile(member) if member.isfile() and is_wanted(path) else None
                if content and member.size > MAX_FILE_BYTES:
                    raise LabelledError(f"{archive}: {path}: {member.size} bytes are too many")
                if content:
                    yield path, content.read()
    except OSError as error:
        raise LabelledError(f"{archive}: {error.strerror}") from error
    except (zstandard.ZstdError, tarfile.TarError, ValueError, RecursionError) as error:
        raise LabelledError(f"{archive}: no .tar.zst, or a damaged one ({error})") from error


class _Member(tarfile.TarInfo):
    """A member behind which only a block of zeros ends the archive.

    `tarfile` also takes a header that is cut off, damaged or not there for the end, and keeps names
    of any length.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf == bytes(tarfile.BLOCKSIZE):
                raise
            raise tarfile.ReadError(str(error)) from error
        if member.type in _NAMES and member.size > _MAX_NAME_BYTES:
            raise tarfile.ReadError(f"a name of {member.size} bytes")
        return member


def json_object(name: str, content: bytes) -> dict[str, Any]:
    """Return the object in a JSON file.

    Raises:
        LabelledError: there is something else in it; `name` says in what.
    """
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise LabelledError(f"{name}: no JSON ({error})") from error
    if not isinstance(value, dict):
        raise LabelledError(f"{name}: no JSON object")
    return value


def _facts(source: Path, meta_json: bytes) -> Mapping[str, PageFacts]:
    name = f"{source}: {_META_NAME}"
    return {
        page_id: _page_facts(f"{name}: page {page_id}", meta)
        for page_id, meta in json_object(name, meta_json).items()
    }


def _page_facts(name: str, meta: object) -> PageFacts:
    if not isinstance(meta, dict):
        raise LabelledError(f"{name}: no JSON object")
    return PageFacts(
        url=_text(name, meta, "url"),
        language=_text(name, meta, "language"),
        page_type=_text(name, meta, "type"),
        required=_passages(name, meta, "with"),
        forbidden=_passages(name, meta, "without"),
    )


def _text(name: str, meta: Mapping[str, object], key: str) -> str:
    value = meta.get(key) or ""
    if not isinstance(value, str):
        raise LabelledError(f"{name}: {key!r} is no text")
    return value


def _passages(name: str, meta: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = meta.get(key) or []
    if not isinstance(value, list) or not all(isinstance(passage, str) for passage in value):
        raise LabelledError(f"{name}: {key!r} is no list of texts")
    return tuple(value)


def _is_utf_8(name: str) -> bool:
    """Whether no byte of a file name stands in it as a surrogate."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    if len(path.parts) == 2 and path.name == _META_NAME:  # noqa: PLR2004 - SET/meta.json
        return _META
    is_page = (kind, path.suffix) in {("html", ".html"), ("gold", ".txt")}
    if not is_page or path.name.startswith("."):  # what file managers leave behind is no page
        return None
    # the folders above html/ and gold/ tell sets of the same archive apart (daniel/polish/...)
    above = "/".join(path.parts[1:-2])
    return kind, f"{above}/{path.stem}" if above else path.stem


def _archive_pages(archive: Path) -> Iterator[tuple[tuple[str, str], bytes]]:
    for path, content in archive_files(archive, lambda path: _entry(path) is not None):
        if entry := _entry(path):
            yield entry, content


def _folder_pages(folder: Path) -> Iterator[tuple[tuple[str, str], bytes]]:
    try:
        for path in folder.rglob("*"):
            entry = _entry(PurePosixPath("set", path.relative_to(folder).as_posix()))
            if entry and path.is_file():
                yield entry, path.read_bytes()
    except OSError as error:
        raise LabelledError(f"{error.filename}: {error.strerror}") from error
