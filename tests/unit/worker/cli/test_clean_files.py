"""`winnow clean` with a file of text for each page, stopped and gone on with."""

import os
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.archives import PROSE, mixed_archive
from winnow.worker.batch.archives.cleaning import Outcome
from winnow.worker.cli import clean, clean_files, main
from winnow.worker.cli.sinks import FolderSink, Sink, Written


def texts(file: Path, to: Path, *options: str) -> Result:
    arguments = ["clean", str(file), "-o", str(to), "--format", "markdown", *options]
    return CliRunner().invoke(main, arguments)


def written(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.md")}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    bodies = [f"<h1>Page {number}</h1><p>{PROSE}</p>".encode() for number in range(120)]
    file = tmp_path / "a.warc.gz"
    file.write_bytes(mixed_archive(bodies)[0])
    return file


def stop_at(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the process asked to stop when it writes its nth outcome."""
    write = clean._written
    calls = iter(range(call))

    def stopping(*arguments: object) -> object:
        if next(calls, None) is None:
            os.kill(os.getpid(), signal.SIGTERM)
        return write(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(clean, "_written", stopping)


def counted_writes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    write = FolderSink.write

    def counting(sink: FolderSink, page: Written, content: bytes) -> None:
        names.append(str(page.name))
        write(sink, page, content)

    monkeypatch.setattr(FolderSink, "write", counting)
    return names


def test_a_run_that_was_stopped_goes_on_with_the_next_page(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = counted_writes(monkeypatch)
    with monkeypatch.context() as patch:
        stop_at(70, patch)
        stopped = texts(archive, tmp_path / "out")
    first = list(names)
    gone_on = texts(archive, tmp_path / "out")
    once = texts(archive, tmp_path / "once")

    assert stopped.exit_code == gone_on.exit_code == once.exit_code == 1  # damaged records
    assert "out: stopped; run the same command to continue" in stopped.stderr
    assert f"winnow: continuing after {len(first)} documents" in gone_on.stderr
    assert written(tmp_path / "out") == written(tmp_path / "once")
    assert 0 < len(first) < len(written(tmp_path / "once"))
    assert len(names) == 2 * len(written(tmp_path / "once"))  # no file was written again
    assert not (tmp_path / "out" / "ledger.json").exists()


def test_a_run_that_is_killed_loses_no_page(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ended(BaseException):
        pass

    monkeypatch.setattr(clean_files, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(os, "sync", lambda: None)
    write = clean._written

    for calls in (0, 7, 30, 50):
        left = iter(range(calls))

        def ending(source: object, outcome: Outcome, sink: Sink) -> object:
            if next(left, None) is None:  # noqa: B023 - called before the next turn
                raise Ended
            return write(source, outcome, sink)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(clean, "_written", ending)
            with pytest.raises(Ended):
                texts(archive, tmp_path / "out")
    last = texts(archive, tmp_path / "out")
    once = texts(archive, tmp_path / "once")

    assert last.exit_code == once.exit_code == 1
    assert written(tmp_path / "out") == written(tmp_path / "once")


def test_a_run_that_is_not_finished_is_not_mixed_with_another(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        stop_at(70, patch)
        texts(archive, tmp_path / "out")

    other = texts(archive, tmp_path / "out", "--engine", "perplexity")
    restarted = texts(archive, tmp_path / "out", "--engine", "perplexity", "--restart")
    again = texts(
        archive, tmp_path / "out"
    )  # the last run is finished, and does not block this one

    assert other.exit_code == 2
    assert "option engine was hybrid, now perplexity" in other.stderr
    assert "--restart" in other.stderr
    assert (restarted.exit_code, again.exit_code) == (1, 1)


def test_a_full_disk_ends_the_run_before_the_page_counts_as_done(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace
    room = iter(range(40))

    def full(path: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        if next(room, None) is None:
            raise OSError(28, "No space left on device")
        replace(path, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        result = texts(archive, tmp_path / "out")
    texts(archive, tmp_path / "out")
    texts(archive, tmp_path / "once")

    assert result.exit_code == 1
    assert "out: No space left on device; run the same command to continue" in result.stderr
    assert written(tmp_path / "out") == written(tmp_path / "once")
