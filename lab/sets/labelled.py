"""Read labelled pages from a folder or .tar.zst with html/ID.html and gold/ID.txt."""

import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

import orjson
import zstandard

from winnow.models.errors import WinnowError

# Decompressed size of one file in an archive: a page has at most 8 MiB, and the metadata of a set
# are smaller.
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
    """A labelled set cannot be used; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The facts about one page in a set's `meta.json`; missing ones are empty.

    Attributes:
        language: BCP 47 primary subtag.
        page_type: article, forum, product, ...
        required: passages that the cleaned text must have.
        forbidden: passages that it must not have.
    """

    url: str = ""
    language: str = ""
    page_type: str = ""
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """One page and its gold file.

    Attributes:
        page_id: name without suffix, unique in its set.
        html: raw bytes, charset unknown.
        gold: the gold file, unchanged; the meaning of its marks depends on the set.
    """

    page_id: str
    html: bytes
    gold: str
    facts: PageFacts = PageFacts()


def labelled_pages(source: Path) -> Iterator[LabelledPage]:
    """Yield the pages of a set in the order of their ids.

    Raises:
        LabelledError: `source` cannot be read, or has no labelled page.
    """
    files = dict(_archive_pages(source) if source.suffix == ".zst" else _folder_pages(source))
    ids = sorted(name for kind, name in files if kind == "html" and ("gold", name) in files)
    if not ids:
        raise LabelledError(f"{source}: no labelled pages (html/ID.html with gold/ID.txt)")
    facts = _facts(source, files.get(_META, b"{}"))
    for page_id in ids:
        if not _is_utf_8(page_id):
            raise LabelledError(f"{source}: page {page_id!r}: the name is not UTF-8")
        gold = _decoded(files["gold", page_id])
        yield LabelledPage(page_id, files["html", page_id], gold, facts.get(page_id, PageFacts()))


def archive_files(
    archive: Path, is_wanted: Callable[[PurePosixPath], bool]
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the wanted files of a .tar.zst in the order of the archive.

    Raises:
        LabelledError: it cannot be read, or is not a .tar.zst.
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
        raise LabelledError(f"{archive}: not a .tar.zst, or damaged ({error})") from error


class _Member(tarfile.TarInfo):
    """A tar member that only a block of zeros can follow as the end of the archive.

    `tarfile` also treats a truncated, damaged or missing header as the end, and accepts names of
    any length.
    """

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # a block of zeros
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _NAMES and self.size > _MAX_NAME_BYTES:
            raise tarfile.ReadError(f"a name of {self.size} bytes")
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]


def json_object(name: str, content: bytes) -> dict[str, Any]:
    """Return the object in a JSON file.

    Raises:
        LabelledError: it is not a JSON object; `name` is for the message.
    """
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise LabelledError(f"{name}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise LabelledError(f"{name}: not a JSON object")
    return value


def _facts(source: Path, meta_json: bytes) -> Mapping[str, PageFacts]:
    name = f"{source}: {_META_NAME}"
    return {
        page_id: _page_facts(f"{name}: page {page_id}", meta)
        for page_id, meta in json_object(name, meta_json).items()
    }


def _page_facts(name: str, meta: object) -> PageFacts:
    if not isinstance(meta, dict):
        raise LabelledError(f"{name}: not a JSON object")
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
        raise LabelledError(f"{name}: {key!r} is not a string")
    return value


def _passages(name: str, meta: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = meta.get(key) or []
    if not isinstance(value, list) or not all(isinstance(passage, str) for passage in value):
        raise LabelledError(f"{name}: {key!r} is not a list of strings")
    return tuple(value)


def _is_utf_8(name: str) -> bool:
    """Whether a file name has no surrogate, so that its bytes are UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _decoded(gold: bytes) -> str:
    """Decode UTF-16 with a BOM, else UTF-8, else Windows-1252: annotators used all three."""
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
    if not is_page or path.name.startswith("."):  # hidden files of file managers are not pages
        return None
    # the folders above html/ and gold/ separate sets in one archive (daniel/polish/...)
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
