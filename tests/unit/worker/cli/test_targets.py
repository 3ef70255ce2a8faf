"""Files that commands write."""

import os
from pathlib import Path

import click
import pytest

from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.targets import check_target, replace_below, write_target


def test_a_check_leaves_the_folder_and_the_file_as_they_are(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_text("old")

    check_target(target, [])
    check_target(tmp_path / "new", [tmp_path / "none"])

    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert target.read_text() == "old"


def test_a_leftover_file_of_an_earlier_run_does_not_block(tmp_path: Path) -> None:
    (tmp_path / f".winnow-{os.getpid()}").touch()

    check_target(tmp_path / "new", [])
    write_target(tmp_path / "new", b"new")

    assert (tmp_path / "new").read_text() == "new"


@pytest.mark.parametrize("name", ["none/x", "file/x", "y" * 300 + "/x", "z" * 300])
def test_an_impossible_file_name_ends_the_command_before_the_work(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(CannotStart) as refused:
        check_target(tmp_path / name, [])

    assert str(tmp_path / name) in refused.value.message


def test_a_written_file_replaces_the_target_of_a_link_and_keeps_its_mode(
    tmp_path: Path,
) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)

    write_target(link, b"new")

    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    check_target(pipe, [])
    write_target(pipe, b"through")

    assert os.read(reader, 100) == b"through"
    os.close(reader)


def test_a_file_that_can_no_longer_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="No such file"):
        write_target(tmp_path / "gone" / "x", b"")


def test_replace_below_follows_no_link_that_comes_while_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    folder.mkdir()
    make = os.mkdir

    def made_and_swapped(name: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        make(name, mode, dir_fd=dir_fd)
        if name == "b":
            (folder / "a" / "b").rmdir()
            (folder / "a" / "b").symlink_to(elsewhere)

    monkeypatch.setattr(os, "mkdir", made_and_swapped)

    with pytest.raises(NotADirectoryError):
        replace_below(folder, Path("a/b/c.txt"), b"text")

    assert list(elsewhere.iterdir()) == []


def test_replace_below_keeps_the_mode_of_what_it_replaces_and_leaves_nothing_else(
    tmp_path: Path,
) -> None:
    target = tmp_path / "a" / "b.txt"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o640)

    replace_below(tmp_path, Path("a/b.txt"), b"new")
    with pytest.raises(IsADirectoryError):
        replace_below(tmp_path, Path("a"), b"new")

    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", 0o640)
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "b.txt"]
