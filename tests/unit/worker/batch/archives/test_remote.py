"""Archives and shards in a store: fsspec's own in memory."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fsspec.implementations.memory import MemoryFileSystem

from tests.archives import a_record, documents, errors, gzipped
from winnow.worker.batch.archives import parts, remote
from winnow.worker.batch.archives.entries import BEGIN
from winnow.worker.batch.archives.folders import FolderInUseError
from winnow.worker.batch.archives.inputs import find_inputs
from winnow.worker.batch.archives.parts import Part
from winnow.worker.batch.archives.remote import RemoteFile, RemoteFolder
from winnow.worker.batch.archives.run import Source
from winnow.worker.batch.inputs import InputError, Url, argument_of
from winnow.worker.cli import main


@pytest.fixture
def store() -> Iterator[MemoryFileSystem]:
    """What `memory://` holds, for the length of a test."""
    store = MemoryFileSystem()
    yield store
    store.store.clear()
    store.pseudo_dirs[:] = [""]


def winnow(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["clean", *map(str, arguments)])


def put_archives(store: MemoryFileSystem) -> None:
    for name, numbers in (("crawl/a.warc.gz", range(40)), ("crawl/deep/b.warc.gz", range(40, 60))):
        store.pipe_file(f"/{name}", gzipped(a_record(number) for number in numbers))
    store.pipe_file("/crawl/notes.txt", b"no page")


def taken_out(store: MemoryFileSystem, folder: str, to: Path) -> Path:
    to.mkdir()
    for path in store.ls(folder, detail=False):
        store.get_file(path, str(to / path.rsplit("/", 1)[1]))
    return to


def test_archives_of_a_store_become_shards_in_a_store(
    store: MemoryFileSystem, tmp_path: Path
) -> None:
    put_archives(store)

    result = winnow("memory://crawl", "-o", "memory://out", "--format", "jsonl")

    assert result.exit_code == 0, result.stderr
    out = taken_out(store, "/out", tmp_path / "out")
    assert [each["url"] for each in documents(out)] == [
        f"https://a.invalid/{number}" for number in range(60)
    ]
    assert sorted(path.name for path in out.iterdir()) == [
        "errors.jsonl", "ledger.json", "part-00000.jsonl.zst",
    ]  # fmt: skip


def test_archives_of_a_store_are_read_in_parts_by_several_processes(
    store: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_archives(store)
    store.pipe_file("/crawl/page.html", b"<p>A page is read here, by the first process of all.")
    monkeypatch.setattr(parts, "PART_BYTES", 3000)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    source = Source(find_inputs([Url("memory://crawl")]), 1 << 20)

    tasks = list(source.tasks(0, BEGIN))

    assert [type(task) for task in tasks[-2:]] == [Part, list]
    assert all(task.path.exists() for task in tasks if isinstance(task, Part))
    assert len(list(tmp_path.glob("winnow-*"))) == 2
    tasks.clear()
    assert not list(tmp_path.glob("winnow-*"))


def test_two_processes_write_the_same_as_one_from_a_store(
    store: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_archives(store)
    monkeypatch.setattr(parts, "PART_BYTES", 3000)

    for jobs in ("1", "2"):
        to = ("-o", tmp_path / jobs, "--format", "jsonl", "--jobs", jobs)
        assert winnow("memory://crawl", *to).exit_code == 0

    assert len(documents(tmp_path / "1")) == 60
    assert documents(tmp_path / "1") == documents(tmp_path / "2")


@pytest.mark.parametrize("form", ["parquet", "warc"])
def test_every_form_of_shards_goes_to_a_store(store: MemoryFileSystem, form: str) -> None:
    put_archives(store)

    result = winnow("memory://crawl/a.warc.gz", "-o", "memory://out", "--format", form)

    assert result.exit_code == 0, result.stderr
    assert len(store.glob("/out/part-00000.*")) == 1


class Ended(BaseException):
    """What a kill is."""


@pytest.mark.parametrize("method", ["pipe_file", "put_file"])
def test_a_run_that_ends_anywhere_goes_on_without_a_loss_or_a_repeat(
    store: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    put_archives(store)
    store.pipe_file("/crawl/c.jsonl", b"no json\n" * 3)
    command = ("memory://crawl", "-o", "memory://out", "--format", "jsonl", "--shard-size", "0.004")
    original = getattr(MemoryFileSystem, method)

    for calls in (0, 1, 2, 3, 1):
        left = iter(range(calls))

        def ending(*arguments: object, **named: object) -> object:
            if next(left, None) is None:  # noqa: B023 - called before the next turn
                raise Ended
            return original(*arguments, **named)

        with monkeypatch.context() as patch:
            patch.setattr(MemoryFileSystem, method, ending)
            with pytest.raises(Ended):
                winnow(*command)
    last = winnow(*command)

    out = taken_out(store, "/out", tmp_path / "out")
    assert last.exit_code == 1
    urls = [each["url"] for each in documents(out)]
    assert sorted(urls) == sorted(f"https://a.invalid/{number}" for number in range(60))
    assert [each["line"] for each in errors(out)] == [1, 2, 3]
    assert errors(out)[0]["file"] == "memory:///crawl/c.jsonl"


def test_files_of_a_store_are_found_by_folder_pattern_and_name(store: MemoryFileSystem) -> None:
    put_archives(store)
    written = ("-o", "memory://crawl/done", "--format", "jsonl")
    assert winnow("memory://crawl/a.warc.gz", *written).exit_code == 0
    store.pipe_file("/crawl/site/ledger.json", b"{}")
    store.pipe_file("/crawl/site/part-00000.jsonl.zst", b"{}")

    def names(url: str) -> list[str]:
        return [str(found.path) for found in find_inputs([Url(url)])]

    assert names("memory://crawl") == [
        "memory:///crawl/a.warc.gz", "memory:///crawl/deep/b.warc.gz",
        "memory:///crawl/site/part-00000.jsonl.zst",
    ]  # fmt: skip
    assert names("memory://crawl/*.warc.gz") == ["memory:///crawl/a.warc.gz"]
    (found,) = find_inputs([Url("memory://crawl/a.warc.gz")])
    assert isinstance(found, RemoteFile)
    assert (found.name, found.size) == (Path("crawl/a.warc.gz"), store.size("/crawl/a.warc.gz"))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("memory://none.warc.gz", "no such file"),
        ("memory://none/*.warc.gz", "has no pages or archives"),
        ("nostore://a/b", "unsupported URL"),
    ],
)
def test_a_missing_remote_input_is_named(store: MemoryFileSystem, url: str, why: str) -> None:
    (found,) = find_inputs([Url(url)])

    assert isinstance(found, InputError)
    assert why in str(found)


def test_a_store_that_breaks_off_ends_the_run_and_damages_no_record(
    store: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_archives(store)
    waits: list[float] = []
    get_file = MemoryFileSystem.get_file

    def breaking(self: MemoryFileSystem, source: str, target: str) -> None:
        if "deep" in source:
            raise RuntimeError("connection reset")
        get_file(self, source, target)

    command = ("memory://crawl", "-o", tmp_path / "out", "--format", "jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFileSystem, "get_file", breaking)
        patch.setattr(remote.time, "sleep", waits.append)  # type: ignore[attr-defined]
        broken = winnow(*command)
    gone_on = winnow(*command)

    assert broken.exit_code == 1
    assert "RuntimeError: connection reset; run the same command to continue" in broken.stderr
    assert waits == [1.0, 5.0, 20.0]
    assert gone_on.exit_code == 0
    assert len(documents(tmp_path / "out")) == 60


def test_a_second_run_in_a_folder_is_found_by_its_ledger(store: MemoryFileSystem) -> None:
    first, second = RemoteFolder(Url("memory://out")), RemoteFolder(Url("memory://out"))
    assert first.read("ledger.json") is None
    first.replace("ledger.json", b"1")
    assert second.read("ledger.json") == b"1"
    second.replace("ledger.json", b"2")

    with pytest.raises(FolderInUseError):
        first.replace("ledger.json", b"1")
    assert second.read("ledger.json") == b"2"


@pytest.mark.parametrize(
    ("output", "form", "why"),
    [
        ("ftp://a.invalid/out", "jsonl", "shows incomplete files"),
        ("http://a.invalid/out", "jsonl", "shows incomplete files"),
        ("memory://out", "markdown", "accepts only shards"),
    ],
)
def test_output_that_cannot_be_whole_is_refused(
    store: MemoryFileSystem, tmp_path: Path, output: str, form: str, why: str
) -> None:
    (tmp_path / "a.html").write_text("<p>A page.")

    result = winnow(tmp_path / "a.html", "-o", output, "--format", form)

    assert result.exit_code == 2
    assert why in result.stderr


def test_a_store_without_its_package_says_what_to_install(tmp_path: Path) -> None:
    result = winnow("s3://bucket/a.warc.gz", "-o", tmp_path / "out", "--format", "jsonl")

    assert result.exit_code == 2
    assert "s3:// needs its package in addition to winnow-web[remote]" in result.stderr


def test_a_url_of_the_file_system_is_a_path() -> None:
    assert argument_of("file:///a/b%20c") == Path("/a/b c")
