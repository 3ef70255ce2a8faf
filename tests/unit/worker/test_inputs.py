"""Finding and reading the pages that a command was given."""

from pathlib import Path

import pytest

from worker.inputs import SAMPLES, InputError, PageFile, find_pages, read_page


def test_find_pages_takes_only_pages_of_a_folder_and_names_them_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.html", "a.HTM", "notes.txt", "deep/c.xhtml"):
        (tmp_path / name).write_text("x")

    found = list(find_pages([tmp_path]))

    names = [item.name.as_posix() for item in found if isinstance(item, PageFile)]
    assert names == ["a.HTM", "b.html", "deep/c.xhtml"]


def test_find_pages_takes_a_named_file_whatever_its_suffix(tmp_path: Path) -> None:
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


def test_read_page_stops_one_byte_after_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"x" * 100)

    page = read_page(PageFile(file, Path("page.html")), max_bytes=10)

    assert page.body == b"x" * 11
    assert page.url == file.as_uri()


def test_read_page_raises_an_input_error_when_the_file_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.html: No such file"):
        read_page(PageFile(tmp_path / "gone.html", Path("gone.html")), max_bytes=10)


def test_samples_are_a_dozen_pages_of_several_alphabets() -> None:
    samples = [item for item in find_pages([SAMPLES]) if isinstance(item, PageFile)]

    assert len(samples) >= 12
