"""Labelled pages from folders and archives."""

import io
import tarfile
from pathlib import Path

import pytest
import zstandard

from worker.labelled import LabelledPage, PageFacts, labelled_pages

FILES = {
    "set/html/1.html": b"<p>One\xff</p>",
    "set/gold/1.txt": "One ÿ".encode("cp1252"),
    "set/html/2.html": b"no gold",
    "set/meta.json": b'{"1": {"type": "forum", "url": "http://a.example/", "with": ["One"]}}',
    "set/polish/html/3.html": b"<p>Trzy</p>",
    "set/polish/gold/3.txt": b"\xff\xfe" + "Trzy".encode("utf-16-le"),
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


def an_archive(tmp_path: Path) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for name, content in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    path = tmp_path / "set.tar.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(plain.getvalue()))
    return path


def test_labelled_pages_are_the_same_from_a_folder_and_an_archive(tmp_path: Path) -> None:
    assert list(labelled_pages(a_folder(tmp_path))) == EXPECTED
    assert list(labelled_pages(an_archive(tmp_path))) == EXPECTED


def test_a_folder_without_labelled_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no labelled pages"):
        list(labelled_pages(tmp_path))
