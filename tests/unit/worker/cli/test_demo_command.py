"""`winnow demo` up to the pages that it hands to the stream."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from winnow.worker.cli import demo, main
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.run import MAX_PAGE_BYTES, DemoPage, Summary


class Stream:
    """Replaces broker and worker, and never answers."""

    def __init__(self) -> None:
        self.given: list[DemoPage] = []

    def demo(self, *_: object) -> "Stream":
        return self

    async def run(self, pages: Iterable[DemoPage], _: Callable[[Answer], None]) -> Summary:
        self.given = list(pages)
        count = len(self.given)
        return Summary(count, count, 0, 0.0, 0, 0, 0, 0)


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Stream:
    stream = Stream()
    monkeypatch.setattr(demo, "Demo", stream.demo)
    return stream


def winnow(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["demo", *map(str, arguments)])


def a_page(path: Path, body: bytes = b"<p>A page.") -> Path:
    path.write_bytes(body)
    return path


def test_demo_knows_the_size_of_a_file_of_which_it_reads_only_the_beginning(
    stream: Stream, tmp_path: Path
) -> None:
    page = a_page(tmp_path / "large.html", bytes(9_000_000))

    winnow(page)

    (given,) = stream.given
    assert given.file_bytes == 9_000_000
    assert len(given.page.body) == MAX_PAGE_BYTES + 1


def test_demo_says_in_its_help_what_the_limit_is() -> None:
    assert f"{MAX_PAGE_BYTES >> 20} MiB" in winnow("--help").output


def test_demo_says_of_a_page_that_was_named_before_that_it_was(
    stream: Stream, tmp_path: Path
) -> None:
    page = a_page(tmp_path / "page.html")
    (tmp_path / "link.html").symlink_to(page)

    result = winnow(page, tmp_path / "link.html")

    assert len(stream.given) == 1
    assert result.stderr == f"winnow: {tmp_path}/link.html: the same page as {page}, shown once\n"
    assert result.exit_code == 0


def test_demo_names_a_path_without_control_characters(stream: Stream, tmp_path: Path) -> None:
    result = winnow(tmp_path / "a\x1b[2J\n.html")

    name = f"{tmp_path}/a\ufffd[2J\ufffd.html"
    assert result.stderr == f"winnow: {name}: no such file or folder\n"
    assert result.exit_code == 1


def test_demo_ends_with_one_line_when_its_model_is_missing(
    stream: Stream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_MODEL", f"{tmp_path}/missing.winnow")

    result = winnow()

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"winnow: WINNOW_MODEL: {tmp_path}/missing.winnow: No such file or directory\n"
    )
