"""Finding and reading the pages that a command was given."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.worker.batch.inputs import (
    ARCHIVE_SUFFIXES,
    PAGE_SUFFIXES,
    SAMPLES,
    InputError,
    PageFile,
    find_pages,
    read_page,
)


def a_page(*folders: str | Path, name: str = "index.html") -> Path:
    file = Path(*folders, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    return file


def names(*paths: Path) -> list[str]:
    return [item.name.as_posix() for item in find_pages(paths) if isinstance(item, PageFile)]


def errors(*paths: Path) -> list[str]:
    return [str(item) for item in find_pages(paths) if isinstance(item, InputError)]


def test_find_pages_takes_only_pages_of_a_folder_and_names_them_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.html", "a.HTM", "notes.txt", "deep/c.xhtml"):
        (tmp_path / name).write_text("x")

    found = list(find_pages([tmp_path]))

    names = [item.name.as_posix() for item in found if isinstance(item, PageFile)]
    assert names == ["a.HTM", "b.html", "deep/c.xhtml"]


def test_find_pages_takes_a_named_file_with_any_suffix(tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text("x")

    assert list(find_pages([file])) == [PageFile(file, Path("page.txt"))]


def test_find_pages_yields_an_error_in_place_of_a_missing_path_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("x")

    missing, found = find_pages([tmp_path / "none.html", file])

    assert isinstance(missing, InputError)
    assert "none.html: no such file or folder" in str(missing)
    assert found == PageFile(file, Path("page.html"))


def test_find_pages_says_so_when_a_folder_holds_no_page(tmp_path: Path) -> None:
    (error,) = find_pages([tmp_path])

    assert isinstance(error, InputError)
    assert "no pages" in str(error)


def test_find_pages_names_a_path_that_cannot_be_probed_and_goes_on(tmp_path: Path) -> None:
    file = a_page(tmp_path)

    too_long, found = find_pages([tmp_path / ("b" * 300), file])

    assert str(too_long).endswith("bbb: File name too long")
    assert found == PageFile(file, Path("index.html"))


def test_find_pages_escapes_the_names_in_its_errors(tmp_path: Path) -> None:
    (error,) = errors(tmp_path / os.fsdecode(b"\x1bcaf\xe9.html"))

    assert error.endswith("/\ufffdcaf\\xe9.html: no such file or folder")


def test_find_pages_says_that_urls_are_not_fetched() -> None:
    why = "URLs are not fetched: save the page, and give the file"

    assert errors(Path("https://example.org/a")) == [f"https://example.org/a: {why}"]


def test_find_pages_takes_pipes_that_are_named_outright(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert names(tmp_path / "pipe") == ["pipe"]


def test_find_pages_names_what_cannot_be_read_in_a_folder(tmp_path: Path) -> None:
    a_page(tmp_path, "b")
    os.mkfifo(tmp_path / "d.html")

    assert names(tmp_path) == ["b/index.html"]
    (error,) = errors(tmp_path)
    assert error.startswith(f"{tmp_path}/d.html: not a regular file: give its path")


def test_find_pages_names_a_folder_that_it_may_not_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_page(tmp_path, "closed")
    a_page(tmp_path, "open")
    scandir = os.scandir

    def refusing(path: Path) -> Iterator[os.DirEntry[str]]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)

    assert names(tmp_path) == ["open/index.html"]
    assert errors(tmp_path) == [f"{tmp_path}/closed: Permission denied"]


def test_find_pages_skips_links_in_a_folder_and_counts_them(tmp_path: Path) -> None:
    secret = a_page(tmp_path, "outside", name="secret.html")
    a_page(tmp_path, "crawl", "real")
    (tmp_path / "crawl" / "linked").symlink_to("real")
    (tmp_path / "crawl" / "linked.html").symlink_to(secret)
    (tmp_path / "crawl" / "real" / "linked.html").symlink_to("index.html")

    assert names(tmp_path / "crawl") == ["real/index.html"]
    assert errors(tmp_path / "crawl") == [
        f"{tmp_path}/crawl: 2 links to pages are not followed: name the pages themselves"
    ]


def test_find_pages_takes_a_link_that_is_named_outright(tmp_path: Path) -> None:
    (tmp_path / "linked.html").symlink_to(a_page(tmp_path, "real"))

    assert names(tmp_path / "linked.html") == ["linked.html"]


def test_find_pages_distinguishes_pages_of_several_paths_by_folder(tmp_path: Path) -> None:
    first, second = a_page(tmp_path, "a"), a_page(tmp_path, "b")

    assert names(first, second) == ["a/index.html", "b/index.html"]
    assert names(second, first) == ["b/index.html", "a/index.html"]
    assert names(tmp_path / "a", tmp_path / "b") == ["a/index.html", "b/index.html"]


def test_find_pages_puts_all_pages_of_a_path_below_the_same_folder(tmp_path: Path) -> None:
    a_page(tmp_path, "a", name="about.html")
    a_page(tmp_path, "c", name="other.html")
    for folder in "ab":
        a_page(tmp_path, folder)

    found = names(*(tmp_path / folder for folder in "abc"))

    assert found == ["a/about.html", "a/index.html", "b/index.html", "other.html"]


def test_find_pages_adds_folders_to_names_until_they_differ(tmp_path: Path) -> None:
    x, y = a_page(tmp_path, "x", "site"), a_page(tmp_path, "y", "site")

    assert names(x, y) == ["x/site/index.html", "y/site/index.html"]


def test_find_pages_gives_pages_of_different_paths_different_names(tmp_path: Path) -> None:
    file, other = a_page(tmp_path, "p", "a"), a_page(tmp_path, "q", "a")
    a_page(tmp_path, "r", "a")

    found = names(file, other, tmp_path / "r")

    assert found == ["p/a/index.html", "q/a/index.html", "r/a/index.html"]


def test_find_pages_gives_a_file_that_is_named_twice_one_name(tmp_path: Path) -> None:
    file = a_page(tmp_path, "a")

    assert names(file, tmp_path / "a" / ".." / "a") == ["index.html", "index.html"]


def test_find_pages_keeps_names_inside_the_output_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_page(tmp_path, "a")
    a_page(tmp_path)
    monkeypatch.chdir(tmp_path / "a")

    found = names(Path("..", "index.html"), Path("index.html"))

    assert found == [f"{tmp_path.name}/index.html", "a/index.html"]


def test_find_pages_leaves_standard_input_its_name(tmp_path: Path) -> None:
    assert names(Path("-"), a_page(tmp_path, "a", name="stdin")) == ["stdin", "a/stdin"]


def test_read_page_stops_one_byte_after_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"x" * 100)

    page = read_page(PageFile(file, Path("page.html")), max_bytes=10)

    assert page.body == b"x" * 11
    assert page.url == file.as_uri()


def test_read_page_raises_an_input_error_when_the_file_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.html: No such file"):
        read_page(PageFile(tmp_path / "gone.html", Path("gone.html")), max_bytes=10)


def test_read_page_refuses_a_warc_file(tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc"
    file.write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n")

    with pytest.raises(InputError, match=r"crawl\.warc: is a WARC file"):
        read_page(PageFile(file, Path("crawl.warc")), max_bytes=100)


def test_samples_are_a_dozen_pages_of_several_alphabets() -> None:
    samples = [item for item in find_pages([SAMPLES]) if isinstance(item, PageFile)]

    assert len(samples) >= 12


def test_folders_are_searched_for_the_suffixes_in_docs_archives() -> None:
    page = (Path(__file__).resolve().parents[4] / "docs/archives.md").read_text(encoding="utf-8")
    table = page.split("Folders and patterns", 1)[0]

    listed = {_unpacked(name) for name in re.findall(r"`(\.[a-z.]+)`", table)} - {""}

    searched = {_unpacked(suffix) for suffix in ARCHIVE_SUFFIXES}
    assert listed == searched - PAGE_SUFFIXES | {".html"}  # "and the like"


def _unpacked(suffix: str) -> str:
    return suffix.removesuffix(".gz").removesuffix(".zst")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("ships.csv", "ship,year\nAnna,1911\n", "is a table, not a page"),
        ("SHIPS.TSV", "ship\tyear\n", "is a table, not a page"),
        ("a.cdxj", "org,example)/ 2025 {}\n", "is an index, which has no pages"),
        ("a.cdx", "org,example)/ 2025 -\n", "is an index, which has no pages"),
        ("letter.eml", "From: ann@hive.invalid\n\nDear Bob,\n", "is mail, not a page"),
        ("inbox.mbox", "From: ann@hive.invalid\n\nDear Bob,\n", "is mail, not a page"),
    ],
)
def test_a_file_with_the_name_of_another_format_is_refused(
    tmp_path: Path, name: str, content: str, why: str
) -> None:
    file = tmp_path / name
    file.write_text(content)

    with pytest.raises(InputError, match=why):
        read_page(PageFile(file, Path(name)), 1000)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ships.csv", "<html><p>A page under another name."),
        ("ships.csv.html", "ship,year"),
        ("csv", "ship,year"),
        ("ships.txt", "ship,year\nAnna,1911\n"),
        ("a.csv.txt", "Dear Bob,"),
    ],
)
def test_markup_and_files_with_other_names_are_pages(
    tmp_path: Path, name: str, content: str
) -> None:
    file = tmp_path / name
    file.write_text(content)

    assert read_page(PageFile(file, Path(name)), 1000).body == content.encode()
