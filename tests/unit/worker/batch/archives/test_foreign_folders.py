"""Output folders that somebody else has filled, and crawls with files that look like output."""

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from tests.archives import PROSE, documents
from winnow.worker.batch.archives.exports import read_export
from winnow.worker.batch.archives.folders import ForeignFileError, LocalFolder
from winnow.worker.batch.archives.ledger import OtherRunError, outputs_in
from winnow.worker.batch.inputs import InputError, Search, find_pages
from winnow.worker.cli import main

PAGE = f"<p>{PROSE}</p>".encode()
VICTIM = b"what somebody needs"


def shards(*paths: Path, to: Path, options: tuple[str, ...] = ()) -> Result:
    arguments = ["clean", *map(str, paths), "-o", str(to), "--format", "jsonl", *options]
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "a.html"
    path.parent.mkdir()
    path.write_bytes(PAGE)
    return path


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim.txt"
    path.write_bytes(VICTIM)
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    path = tmp_path / "out"
    path.mkdir()
    return path


def a_ledger_of(page: Path, folder: Path, **members: object) -> bytes:
    """Return the ledger that a run over a page has written, with other members."""
    assert shards(page, to=folder).exit_code == 0
    stored = orjson.loads((folder / "ledger.json").read_bytes())
    return orjson.dumps(stored | members)


def a_shard(name: str) -> dict[str, object]:
    return {"name": name, "documents": 1, "file_bytes": 1}


@pytest.mark.parametrize(
    "name",
    ["../victim.txt", "{victim}", "part-00001.jsonl.zst", "part-00000.parquet", ".lock", "notes"],
)
def test_a_ledger_names_only_files_of_its_run(
    page: Path, victim: Path, out: Path, tmp_path: Path, name: str
) -> None:
    there = out / name.format(victim=victim)
    there.write_bytes(VICTIM)
    listed = [a_shard(name.format(victim=victim))]
    (out / "ledger.json").write_bytes(a_ledger_of(page, tmp_path / "other", shards=listed))

    for options in ((), ("--restart",)):
        result = shards(page, to=out, options=options)

        assert there.read_bytes() == VICTIM
        assert result.exit_code == 2
        assert "which is not a name of a shard" in result.stderr


@pytest.mark.parametrize("name", ["../victim.txt", "part-00001.jsonl.zst"])
def test_the_ledger_of_an_export_names_only_its_files(victim: Path, out: Path, name: str) -> None:
    ledger = {"kind": "winnow tail, version 1", "topic": "docs", "form": "jsonl"}
    stored = ledger | {"next_offsets": {}, "shards": [a_shard(name)]}
    (out / "ledger.json").write_bytes(orjson.dumps(stored))

    with pytest.raises(OtherRunError, match="which is not a name of a shard"):
        read_export(LocalFolder(out), "docs", "jsonl")
    assert victim.read_bytes() == VICTIM


@pytest.mark.parametrize(
    "members",
    [
        {"errors_bytes": "x"}, {"file": [1]}, {"position": {"offset": "x"}}, {"plan": []},
        {"counts": {"skipped": 5, "errors": {}}}, {"shards": {"a": 1}}, {"shards": [5]},
        {"is_complete": 1}, {"more": 1},
    ],
)  # fmt: skip
def test_a_ledger_with_values_of_other_types_is_named(
    page: Path, out: Path, tmp_path: Path, members: dict[str, object]
) -> None:
    (out / "ledger.json").write_bytes(a_ledger_of(page, tmp_path / "other", **members))

    result = shards(page, to=out)

    assert (result.exit_code, type(result.exception)) == (2, SystemExit)
    assert "ledger.json is damaged" in result.stderr


@pytest.mark.parametrize("size", [10**15, 100])
def test_a_ledger_with_too_long_a_log_of_errors_is_refused(
    page: Path, out: Path, tmp_path: Path, size: int
) -> None:
    ledger = a_ledger_of(page, tmp_path / "other", errors_bytes=size, shards=[], is_complete=False)
    (out / "ledger.json").write_bytes(ledger)

    result = shards(page, to=out)

    assert result.exit_code == 2
    assert f"errors.jsonl has 0 bytes, and {size} were written" in result.stderr


def by_a_link(path: Path, victim: Path) -> None:
    path.symlink_to(victim)


def by_a_second_name(path: Path, victim: Path) -> None:
    path.hardlink_to(victim)


def by_a_pipe(path: Path, victim: Path) -> None:
    del victim
    os.mkfifo(path)


@pytest.mark.parametrize("name", ["errors.jsonl", ".lock", "ledger.json"])
@pytest.mark.parametrize("put", [by_a_link, by_a_second_name, by_a_pipe])
def test_a_file_with_our_name_is_opened_only_if_it_can_be_ours(
    page: Path, victim: Path, out: Path, name: str, put: Callable[[Path, Path], None]
) -> None:
    put(out / name, victim)

    result = shards(page, to=out)

    assert victim.read_bytes() == VICTIM
    assert result.exit_code == 2
    assert f"out: {name} is " in result.stderr


def test_a_file_being_written_is_always_a_new_one(page: Path, victim: Path, out: Path) -> None:
    for name in (".part-00000.jsonl.zst.fresh", ".ledger.json.fresh"):
        (out / name).symlink_to(victim)

    result = shards(page, to=out)

    assert result.exit_code == 0
    assert victim.read_bytes() == VICTIM
    assert len(documents(out)) == 1


def test_a_link_made_after_the_folder_was_locked_is_not_followed(victim: Path, out: Path) -> None:
    folder = LocalFolder(out)
    with folder.held():
        for name in (".ledger.json.fresh", "ledger.json", "errors.jsonl"):
            (out / name).symlink_to(victim)

        folder.replace("ledger.json", b"{}")
        with pytest.raises(ForeignFileError):
            folder.log("errors.jsonl", 0)

    assert victim.read_bytes() == VICTIM
    assert (out / "ledger.json").read_bytes() == b"{}"


def test_only_what_a_run_did_not_finish_is_forgotten(page: Path, out: Path) -> None:
    (out / ".part-00007.jsonl.zst.fresh").write_bytes(b"half")
    (out / ".notes.fresh").write_bytes(VICTIM)

    assert shards(page, to=out).exit_code == 0

    assert not (out / ".part-00007.jsonl.zst.fresh").exists()
    assert (out / ".notes.fresh").read_bytes() == VICTIM


@pytest.fixture
def small_memory() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.usefixtures("small_memory")
def test_a_ledger_of_any_size_is_read_in_bounded_memory(page: Path, out: Path) -> None:
    with (out / "ledger.json").open("wb") as file:
        file.truncate(1 << 40)

    result = shards(page, to=out)

    assert result.exit_code == 2
    assert "out: ledger.json has more than" in result.stderr


@pytest.mark.parametrize(
    "ledger",
    [b"{}", b'{"kind": "winnow clean, version 1"}', b'"winnow clean, version 1"'],
)
def test_a_ledger_in_a_crawl_does_not_hide_pages(page: Path, tmp_path: Path, ledger: bytes) -> None:
    deep = page.parent / "site" / "deep"
    deep.mkdir(parents=True)
    (deep.parent / "ledger.json").write_bytes(ledger)
    for path in (deep / "b.html", deep.parent / "c.html", deep.parent / "errors.jsonl"):
        path.write_bytes(PAGE)

    shards(page.parent, to=tmp_path / "out")

    names = [each["url"].rsplit("/", 1)[-1] for each in documents(tmp_path / "out")]
    assert sorted(names) == ["a.html", "b.html", "c.html", "errors.jsonl"]


def test_pages_next_to_the_output_of_a_run_are_read(page: Path, tmp_path: Path) -> None:
    inner = page.parent / "out"
    assert shards(page, to=inner).exit_code == 0
    (inner / "site").mkdir()
    for path in (inner / "b.html", inner / "site" / "c.html"):
        path.write_bytes(PAGE)

    result = shards(page.parent, to=tmp_path / "out")

    names = {each["url"].rsplit("/", 1)[-1] for each in documents(tmp_path / "out")}
    assert (result.exit_code, names) == (0, {"a.html", "b.html", "c.html"})


def test_a_ledger_that_is_a_pipe_does_not_block_the_search(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ledger.json")
    (tmp_path / "a.html").write_bytes(PAGE)

    (found,) = find_pages([tmp_path], Search(outputs=outputs_in))

    assert not isinstance(found, InputError)
