"""Labelled pages from folders and archives."""

import io
import tarfile
from collections.abc import Callable, Mapping
from errno import EACCES
from pathlib import Path

import pytest
import zstandard

from winnow.lab.sets import labelled
from winnow.lab.sets.labelled import LabelledError, LabelledPage, PageFacts, labelled_pages
from winnow.lab.sets.splits import Split, read_splits

FILES = {
    "set/html/1.html": b"<p>One\xff</p>",
    "set/gold/1.txt": "One ÿ".encode("cp1252"),
    "set/html/2.html": b"no gold",
    "set/gold/4.txt": b"no page",
    "set/html/.DS_Store.html": b"\x00",
    "set/gold/.DS_Store.txt": b"\x00",
    "set/meta.json": b'{"1": {"type": "forum", "url": "http://a.example/", "with": ["One"]}}',
    "set/polish/html/3.html": b"<p>Trzy</p>",
    "set/polish/gold/3.txt": b"\xff\xfe" + "Trzy".encode("utf-16-le"),
    "set/splits.json": b"{}",
}
EXPECTED = [
    LabelledPage(
        "1",
        b"<p>One\xff</p>",
        "One ÿ",
        PageFacts(url="http://a.example/", page_type="forum", required=("One",)),
    ),
    LabelledPage("polish/3", b"<p>Trzy</p>", "Trzy"),
]


def a_folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "set"


def an_archive(tmp_path: Path, files: Mapping[str, bytes] = FILES) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    path = tmp_path / "set.tar.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(plain.getvalue()))
    return path


def cut_off(packed: bytes) -> bytes:
    return packed[: len(packed) // 2]


def overwritten(packed: bytes) -> bytes:
    return b"junk" + packed[4:]


def no_tar(_packed: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(b"no tar" * 500)


def repacked(packed: bytes, change: Callable[[bytes], bytes]) -> bytes:
    plain = zstandard.ZstdDecompressor().decompress(packed)
    return zstandard.ZstdCompressor().compress(change(plain))


def cut_between_members(packed: bytes) -> bytes:
    return repacked(packed, lambda tar: tar[: tar.index(b"set/splits.json")])


def cut_inside_a_header(packed: bytes) -> bytes:
    return repacked(packed, lambda tar: tar[: tar.index(b"set/splits.json") + 100])


def wrong_in_a_header(packed: bytes) -> bytes:
    return repacked(packed, lambda tar: tar.replace(b"set/splits.json", b"set/splats.json"))


def a_header(kind: bytes, size: int) -> bytes:
    member = tarfile.TarInfo("name")
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def with_a_name_of_gigabytes(packed: bytes) -> bytes:
    return repacked(packed, lambda tar: a_header(tarfile.GNUTYPE_LONGNAME, 3 << 30) + tar)


def with_facts_of_gigabytes(packed: bytes) -> bytes:
    return repacked(packed, lambda tar: a_header(tarfile.XHDTYPE, 3 << 30) + tar)


def with_names_of_names(packed: bytes) -> bytes:
    name = a_header(tarfile.GNUTYPE_LONGNAME, 4) + b"abc".ljust(512, b"\0")
    return repacked(packed, lambda tar: name * 3000 + tar)


DAMAGES = (
    *(cut_off, overwritten, no_tar),
    *(cut_between_members, cut_inside_a_header, wrong_in_a_header),
    *(with_a_name_of_gigabytes, with_facts_of_gigabytes, with_names_of_names),
)


def test_labelled_pages_are_the_same_from_a_folder_and_an_archive(tmp_path: Path) -> None:
    assert list(labelled_pages(a_folder(tmp_path))) == EXPECTED
    assert list(labelled_pages(an_archive(tmp_path))) == EXPECTED


def test_a_folder_without_labelled_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelledError, match="no labelled pages"):
        list(labelled_pages(tmp_path))


def test_a_page_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_bytes(path: Path) -> bytes:
        raise PermissionError(EACCES, "Permission denied", str(path))

    folder = a_folder(tmp_path)
    monkeypatch.setattr(Path, "read_bytes", read_bytes)

    with pytest.raises(LabelledError, match=r"set/.*: Permission denied"):
        list(labelled_pages(folder))


@pytest.mark.parametrize(
    ("meta", "why"),
    [
        (b"[1]", "meta.json: not a JSON object"),
        (b"{", "meta.json: not JSON"),
        (b'{"1": 5}', "meta.json: page 1: not a JSON object"),
        (b'{"1": {"with": 5}}', "meta.json: page 1: 'with' is not a list of strings"),
        (b'{"1": {"without": "Login"}}', "meta.json: page 1: 'without' is not a list of strings"),
        (b'{"1": {"with": ["One", 2]}}', "meta.json: page 1: 'with' is not a list of strings"),
        (b'{"1": {"language": 5}}', "meta.json: page 1: 'language' is not a string"),
        (b'{"1": {"type": ["forum"]}}', "meta.json: page 1: 'type' is not a string"),
        (b'{"1": {"url": 5}}', "meta.json: page 1: 'url' is not a string"),
    ],
)
def test_facts_of_another_form_are_refused(tmp_path: Path, meta: bytes, why: str) -> None:
    folder = a_folder(tmp_path)
    (folder / "meta.json").write_bytes(meta)

    with pytest.raises(LabelledError) as refused:
        list(labelled_pages(folder))

    assert str(refused.value).startswith(f"{folder}: {why}")


def test_null_facts_are_ignored(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "meta.json").write_bytes(b'{"1": {"url": null, "type": null, "with": null}}')

    assert next(labelled_pages(folder)).facts == PageFacts()


def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    for name in ("html/\udcfe.html", "gold/\udcfe.txt"):
        (folder / name).touch()

    with pytest.raises(LabelledError, match=r"set: page '\\udcfe': the name is not UTF-8"):
        list(labelled_pages(folder))


@pytest.mark.parametrize("read", [lambda source: list(labelled_pages(source)), read_splits])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_archives_are_refused(
    tmp_path: Path, damage: Callable[[bytes], bytes], read: Callable[[Path], object]
) -> None:
    archive = an_archive(tmp_path)
    archive.write_bytes(damage(archive.read_bytes()))

    with pytest.raises(LabelledError, match=r"set.tar.zst: not a .tar.zst, or damaged"):
        read(archive)


def test_a_file_that_unpacks_to_more_than_any_page_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled, "MAX_FILE_BYTES", 1 << 20)
    archive = an_archive(tmp_path, {**FILES, "set/html/1.html": bytes((1 << 20) + 1)})

    with pytest.raises(LabelledError, match=r"set.tar.zst: set/html/1.html: 1048577 bytes"):
        list(labelled_pages(archive))


@pytest.mark.parametrize("read", [lambda source: list(labelled_pages(source)), read_splits])
def test_a_missing_archive_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(LabelledError, match=r"none.tar.zst: No such file"):
        read(tmp_path / "none.tar.zst")


PARTS = '"train": ["1"], "validation": [2], "test": []'


def test_splits_are_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "splits.json").write_text(f'{{"mine": {{{PARTS}}}}}')

    (split,) = read_splits(tmp_path).items()

    assert split == ("mine", Split(frozenset("1"), frozenset("2"), frozenset()))


@pytest.mark.parametrize(
    ("splits", "why"),
    [
        ("[]", "splits.json: not a JSON object"),
        ("5", "splits.json: not a JSON object"),
        ("", "splits.json: not JSON"),
        ('{"mine": 5}', "splits.json: split mine: must have the parts train, validation, test"),
        (
            '{"mine": {"train": [], "test": []}}',
            "splits.json: split mine: must have the parts train, validation, test",
        ),
        (
            f'{{"mine": {{"more": [], {PARTS}}}}}',
            "splits.json: split mine: must have the parts train, validation, test",
        ),
        (
            '{"mine": {"train": "12", "validation": [], "test": []}}',
            "splits.json: split mine: 'train' is not a list of page ids",
        ),
    ],
)
def test_splits_of_another_form_are_refused(tmp_path: Path, splits: str, why: str) -> None:
    (tmp_path / "splits.json").write_text(splits)

    with pytest.raises(LabelledError) as refused:
        read_splits(tmp_path)

    assert str(refused.value).startswith(f"{tmp_path}: {why}")


def test_splits_next_to_a_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "pages"
    file.touch()

    with pytest.raises(LabelledError, match=r"pages/splits.json: Not a directory"):
        read_splits(file)


def test_an_archive_without_splits_is_refused(tmp_path: Path) -> None:
    archive = an_archive(tmp_path, {"set/html/1.html": b"<p>One"})

    with pytest.raises(LabelledError, match=r"set.tar.zst: has no splits.json"):
        read_splits(archive)
