"""`winnow clean` with archives in and shards out, as its users meet it."""

import gzip
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
import zstandard
from click.testing import CliRunner, Result

from tests.archives import (
    DATE,
    PROSE,
    a_record,
    a_response,
    documents,
    errors,
    gzipped,
    in_one_member,
    mixed_archive,
    plain,
    record_id,
)
from winnow.worker.batch.archives import folders, parts
from winnow.worker.batch.archives.cleaning import Outcome
from winnow.worker.batch.archives.entries import BEGIN, Response
from winnow.worker.batch.archives.inputs import find_inputs
from winnow.worker.batch.archives.parts import Part
from winnow.worker.batch.archives.record_search import record_starts
from winnow.worker.batch.archives.run import Source
from winnow.worker.cli import clean_shards, main

PAGE = f"<p>{PROSE}</p>".encode()


def winnow(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


def a_file(path: Path, content: bytes = PAGE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def shards(*paths: Path | str, to: Path, options: tuple[str, ...] = ()) -> Result:
    return winnow("clean", *paths, "-o", to, "--format", "jsonl", *options)


def message(number: int) -> bytes:
    return json.dumps({"url": f"https://a.invalid/{number}", "html": PAGE.decode()}).encode()


@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.html.gz", gzip.compress), ("a.html.zst", zstandard.compress), ("a", gzip.compress)],
)
def test_clean_reads_a_packed_page(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    result = winnow("clean", a_file(tmp_path / name, pack(PAGE)))

    assert (result.exit_code, result.stdout) == (0, PROSE + "\n")


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.jsonl", bytes), ("a.jsonl.gz", gzip.compress), ("a.jsonl.zst", zstandard.compress),
        ("crawl", bytes),
    ],
)  # fmt: skip
def test_clean_reads_lines_of_json(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    lines = b"\n".join([message(1), b"", b"no json", message(3)])
    file = a_file(tmp_path / "in" / name, pack(lines))

    result = shards(file, to=tmp_path / "out")

    assert result.exit_code == 1
    assert [each["url"][-1] for each in documents(tmp_path / "out")] == ["1", "3"]
    (error,) = errors(tmp_path / "out")
    assert (error["file"], error["line"], error["reason"]) == (str(file), 3, "undecodable")


def test_clean_reads_archives_in_folders_and_by_patterns(tmp_path: Path) -> None:
    a_file(tmp_path / "in" / "a.warc", plain([a_record(1)]))
    a_file(tmp_path / "in" / "deep" / "b.warc.gz", gzipped([a_record(2)]))
    a_file(tmp_path / "in" / "c.jsonl", message(3))
    a_file(tmp_path / "in" / "notes.txt")

    shards(tmp_path / "in", to=tmp_path / "folder")
    shards(tmp_path / "in" / "**" / "*.warc*", to=tmp_path / "pattern")

    assert [each["url"][-1] for each in documents(tmp_path / "folder")] == ["1", "3", "2"]
    assert [each["url"][-1] for each in documents(tmp_path / "pattern")] == ["1", "2"]


def test_a_document_keeps_the_facts_of_its_archive_record(tmp_path: Path) -> None:
    record = a_record(7, PAGE, fields=[("WARC-Truncated", "time")])
    shards(a_file(tmp_path / "a.warc", plain([record])), to=tmp_path / "out")

    (document,) = documents(tmp_path / "out")

    assert (document["text"], document["fetched_at"]) == (PROSE, DATE)
    digest = document["warc"].pop("payload_digest")
    assert digest.startswith("sha1:")
    assert document["warc"] == {
        "record_id": record_id(7), "date": DATE, "target_uri": "https://a.invalid/7",
        "ip_address": "192.0.2.1", "truncated": "time",
    }  # fmt: skip


def test_clean_prints_the_texts_of_an_archive_under_their_places(tmp_path: Path) -> None:
    records = [a_record(1), a_record(2, kind="request"), a_record(3, b"%PDF", [("A", "b")])]
    records += [a_response(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xff\xff")]
    file = a_file(tmp_path / "a.warc", plain(records))

    result = winnow("clean", file)

    assert result.exit_code == 1
    assert result.stdout == f"==> {file}: record at byte 0 <==\n{PROSE}\n"
    at = len(plain(records[:3]))
    assert result.stderr == (
        f"winnow: {file}: record at byte {at}: undecodable: a body in br: damaged: "
        "brotli: decoder failed\n"
    )


def test_clean_writes_the_texts_of_an_archive_to_separate_files(tmp_path: Path) -> None:
    file = a_file(tmp_path / "a.jsonl", message(1) + b"\n" + message(2))

    result = winnow("clean", file, "-o", tmp_path / "out")

    assert result.exit_code == 0
    names = [path.name for path in sorted((tmp_path / "out" / "a.jsonl").iterdir())]
    assert names == ["line-000000001.txt", "line-000000002.txt"]


def test_clean_refuses_to_write_several_texts_to_one_file(tmp_path: Path) -> None:
    result = winnow("clean", a_file(tmp_path / "a.jsonl", message(1)), "-o", tmp_path / "a.txt")

    assert result.exit_code == 1
    assert "one of several pages: give a folder with -o" in result.stderr
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.warc", b"<html><p>a", "is not a WARC file, despite its name"),
        ("a.warc.gz", gzip.compress(b"<html><p>a"), "is not a WARC file, despite its name"),
        ("a.json", b'[{"url": "https://a.invalid", "html": "<p>a"}]', "is a JSON array"),
        ("a.jsonl.gz", gzip.compress(b'[\n  {"url": "x"}]'), "is a JSON array"),
        (
            "a.arc.gz",
            gzip.compress(b"filedesc://a.arc 0.0.0.0 2005 text/plain 9"),
            "not_html: ARC archive",
        ),
        ("a.csv", b"ship,year\nAnna,1911\n", "is a table, not a page"),
        ("a.csv.gz", gzip.compress(b"ship,year\nAnna,1911\n"), "is a table, not a page"),
        ("a.eml", b"From: ann@hive.invalid\n\nDear Bob,", "is mail, not a page"),
        ("a.jsonl.gz", gzip.compress(message(1) * 9)[:-20], "compressed bytes: cut short"),
        ("a.html.gz", gzip.compress(PAGE)[:-20], "compressed bytes: cut short"),
        ("a.html.zst", zstandard.compress(PAGE)[:-9], "compressed bytes: cut short"),
    ],
)
def test_clean_names_an_input_that_cannot_be_read_and_goes_on(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    bad, good = a_file(tmp_path / name, content), a_file(tmp_path / "z.html")

    result = shards(bad, tmp_path / "none.html", good, to=tmp_path / "out")

    assert result.exit_code == 1
    assert f"winnow: {bad}: {why}" in result.stderr
    assert f"winnow: {tmp_path}/none.html: no such file or folder" in result.stderr
    assert [each["file"] for each in errors(tmp_path / "out")][-2:] == [
        str(bad), str(tmp_path / "none.html"),
    ]  # fmt: skip
    assert documents(tmp_path / "out")[-1]["text"] == PROSE


def test_clean_refuses_an_archive_from_standard_input() -> None:
    result = winnow("clean", "-", given=plain([a_record()]))

    assert result.exit_code == 1
    assert "-: is an archive, which cannot be read from a pipe: give a file" in result.stderr


def test_clean_does_not_read_the_output_of_a_run_as_pages(tmp_path: Path) -> None:
    page = a_file(tmp_path / "in" / "a.html")
    shards(page, to=tmp_path / "in" / "out")

    again = shards(tmp_path / "in", to=tmp_path / "in" / "out2")
    named = winnow("clean", tmp_path / "in" / "out")

    assert (again.exit_code, len(documents(tmp_path / "in" / "out2"))) == (0, 1)
    assert "is the output folder of winnow clean: name the files to read in it" in named.stderr


def test_the_summary_counts_the_outcomes_of_all_records(tmp_path: Path) -> None:
    archive, ids = mixed_archive([PAGE] * 60)

    result = shards(
        a_file(tmp_path / "a.warc.gz", archive), to=tmp_path / "out", options=("--json",)
    )

    summary = json.loads(result.stdout)
    assert summary["documents"] == len(ids) == len(documents(tmp_path / "out"))
    assert summary["skipped"] == {
        "content_type": 6, "revisit": 6, "status": 6, "warc_type": 120,
    }  # fmt: skip
    assert summary["errors"] == {"undecodable": 3}
    assert summary["page_bytes"] == len(PAGE) * len(ids)
    assert summary["shards"] == 1
    assert len(errors(tmp_path / "out")) == 3


def test_the_summary_is_readable(tmp_path: Path) -> None:
    result = shards(
        a_file(tmp_path / "a.html"), a_file(tmp_path / "b", b"%PDF-1.7"), to=tmp_path / "o"
    )

    first, pages, *_, last = result.stdout.splitlines()
    assert first.startswith("1 document in 1 shard, ")
    assert pages == "pages      0.0 MB"
    assert last == "errors     1: 1 not_html"
    assert f"winnow: errors are listed in {tmp_path}/o/errors.jsonl" in result.stderr


class Ended(BaseException):
    """The end of a process, as kill -9 is: nothing is tidied up."""


@pytest.fixture
def archive(tmp_path: Path) -> tuple[Path, list[str]]:
    bodies = [f"<h1>Page {number}</h1><p>{PROSE}</p>".encode() for number in range(120)]
    content, ids = mixed_archive(bodies)
    return a_file(tmp_path / "in" / "a.warc.gz", content), ids


@pytest.fixture
def ended_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], None]]:
    """Return what makes a method of the output end the run at its nth call."""
    with monkeypatch.context() as patch:

        def end(method: str, calls: int) -> None:
            patch.undo()
            owner, _, name = method.partition(".")
            target = getattr(folders, owner)
            original = getattr(target, name)
            left = iter(range(calls))

            def ending(*arguments: object) -> object:
                if next(left, None) is None:
                    raise Ended
                return original(*arguments)

            patch.setattr(target, name, ending)

        yield end


SMALL = ("--shard-size", "0.004")


@pytest.mark.parametrize("method", ["LocalFresh.publish", "LocalFolder.replace", "LocalLog.sync"])
def test_a_run_that_ends_anywhere_goes_on_without_a_loss_or_a_repeat(
    tmp_path: Path,
    archive: tuple[Path, list[str]],
    ended_at: Callable[[str, int], None],
    method: str,
) -> None:
    file, ids = archive
    out = tmp_path / "out"

    for calls in (0, 1, 2, 1, 3):
        ended_at(method, calls)
        with pytest.raises(Ended):
            shards(file, to=out, options=SMALL)
    ended_at(method, 10_000)
    last = shards(file, to=out, options=SMALL)
    once = shards(file, to=tmp_path / "once", options=SMALL)

    assert [each["warc"]["record_id"] for each in documents(out)] == ids
    assert (out / "errors.jsonl").read_bytes() == (tmp_path / "once" / "errors.jsonl").read_bytes()
    assert last.exit_code == once.exit_code == 1
    assert len(list(out.glob("part-*"))) > 5
    assert not list(out.glob(".*.fresh"))


def test_a_run_that_was_asked_to_stop_keeps_what_is_done(
    tmp_path: Path, archive: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, ids = archive
    seen = iter(range(70))

    class Stopping(clean_shards.Watch):
        def __call__(self, outcome: Outcome) -> None:
            super().__call__(outcome)
            if next(seen, None) == 69:
                os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(clean_shards, "Watch", Stopping)

    stopped = shards(file, to=tmp_path / "out")
    kept = len(documents(tmp_path / "out"))
    gone_on = shards(file, to=tmp_path / "out")

    assert stopped.exit_code == 1
    assert "out: stopped; run the same command to continue" in stopped.stderr
    assert 0 < kept < len(ids)
    assert f"winnow: continuing after {kept} documents in 1 shard" in gone_on.stderr
    assert [each["warc"]["record_id"] for each in documents(tmp_path / "out")] == ids


def test_a_run_on_a_full_disk_says_so_and_goes_on_when_there_is_room(
    tmp_path: Path, archive: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, ids = archive
    fsync = os.fsync
    room = iter(range(9))

    def full(descriptor: int) -> None:
        if next(room, None) is None:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        result = shards(file, to=tmp_path / "out", options=SMALL)
    shards(file, to=tmp_path / "out", options=SMALL)

    assert result.exit_code == 1
    assert "out: No space left on device; run the same command to continue" in result.stderr
    assert [each["warc"]["record_id"] for each in documents(tmp_path / "out")] == ids


def test_a_document_has_the_meta_of_its_message(tmp_path: Path) -> None:
    said = {"crawl": "2026-11", "depth": [1, {}]}
    line = json.loads(message(1)) | {"meta": said}
    file = a_file(tmp_path / "a.jsonl", json.dumps(line).encode() + b"\n" + message(2))

    shards(file, to=tmp_path / "out")

    assert [each.get("meta") for each in documents(tmp_path / "out")] == [said, None]


def test_a_run_that_is_complete_is_not_done_again(tmp_path: Path) -> None:
    file = a_file(tmp_path / "a.html")
    first = shards(file, to=tmp_path / "out")
    shard = tmp_path / "out" / "part-00000.jsonl.zst"
    before = shard.stat()

    again = shards(file, to=tmp_path / "out")

    speed = re.compile(r"[\d.,]+ s, [\d,]+ per second")
    assert again.exit_code == 0
    assert speed.sub("", again.stdout) == speed.sub("", first.stdout)
    assert shard.stat() == before


def change_options(tmp_path: Path) -> tuple[str, ...]:
    return ("--engine", "perplexity")


def change_inputs(tmp_path: Path) -> tuple[str, ...]:
    return (str(a_file(tmp_path / "new.html")),)


def change_sizes(tmp_path: Path) -> tuple[str, ...]:
    a_file(tmp_path / "a.html", PAGE * 2)
    return ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (change_options, "option engine was hybrid, now perplexity"),
        (change_inputs, "there were 1 input files, now 2"),
        (change_sizes, "names, sizes or order of the input files have changed"),
    ],
)
def test_another_run_does_not_continue_without_restart(
    tmp_path: Path, change: Callable[[Path], tuple[str, ...]], why: str
) -> None:
    file = a_file(tmp_path / "a.html")
    shards(file, to=tmp_path / "out")
    changes = change(tmp_path)

    refused = shards(file, to=tmp_path / "out", options=changes)
    restarted = shards(file, to=tmp_path / "out", options=(*changes, "--restart"))

    assert refused.exit_code == 2
    assert f"out: holds the output of another run: {why}" in refused.stderr
    assert "--restart" in refused.stderr
    assert restarted.exit_code == 0


@pytest.mark.parametrize("options", [(), ("--restart",)])
def test_a_shard_that_no_ledger_lists_is_forgotten(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    a_file(tmp_path / "in" / "a.html")
    shards(tmp_path / "in", to=tmp_path / "out")
    left_over = a_file(tmp_path / "out" / "part-00001.jsonl.zst")

    result = shards(tmp_path / "in", to=tmp_path / "out", options=options)

    assert result.exit_code == 0
    assert not left_over.exists()


def test_a_folder_with_foreign_shards_is_not_changed(tmp_path: Path) -> None:
    foreign = a_file(tmp_path / "out" / "part-00000.parquet", b"PAR1")

    for options in ((), ("--restart",)):
        result = shards(a_file(tmp_path / "a.html"), to=tmp_path / "out", options=options)
        assert result.exit_code == 2
        assert "holds part-00000.parquet, but no ledger.json" in result.stderr
    assert foreign.read_bytes() == b"PAR1"


@pytest.mark.parametrize("ledger", [b"{", b"[]", b'{"kind": "winnow clean, version 1"}', b"\xff"])
def test_a_damaged_ledger_is_named(tmp_path: Path, ledger: bytes) -> None:
    a_file(tmp_path / "out" / "ledger.json", ledger)

    result = shards(a_file(tmp_path / "a.html"), to=tmp_path / "out")

    assert result.exit_code == 2
    assert "ledger.json is" in result.stderr


def test_a_run_whose_shard_is_gone_does_not_go_on(tmp_path: Path) -> None:
    file = a_file(tmp_path / "a.html")
    shards(file, to=tmp_path / "out")
    (tmp_path / "out" / "part-00000.jsonl.zst").unlink()

    result = shards(file, to=tmp_path / "out")

    assert result.exit_code == 2
    assert "out: part-00000.jsonl.zst is missing" in result.stderr


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    with folders.LocalFolder(tmp_path / "out").held():
        result = shards(a_file(tmp_path / "a.html"), to=tmp_path / "out")

    assert result.exit_code == 2
    assert "out: another winnow writes to this folder" in result.stderr


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--restart",), "--restart needs -o FOLDER"),
        (("--json",), "--json needs shards"),
    ],
)
def test_options_of_shards_need_shards(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    result = winnow("clean", a_file(tmp_path / "a.html"), *options)

    assert result.exit_code == 2
    assert why in result.stderr


def test_a_file_whose_name_is_not_utf_8_is_read_and_named_in_errors(tmp_path: Path) -> None:
    file = a_file(tmp_path / os.fsdecode(b"caf\xe9.jsonl"), message(1) + b"\nno json\n")

    result = shards(file, to=tmp_path / "out")

    assert result.exit_code == 1
    assert [each["url"] for each in documents(tmp_path / "out")] == ["https://a.invalid/1"]
    (error,) = errors(tmp_path / "out")
    assert error["file"] == f"{tmp_path}/caf\\xe9.jsonl"


def test_a_record_in_the_log_of_errors_has_its_place(tmp_path: Path) -> None:
    bad = a_response(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b"
    )
    file = a_file(tmp_path / "a.warc", plain([a_record(1), bad]))

    result = shards(file, to=tmp_path / "out")

    assert errors(tmp_path / "out") == [
        {
            "file": str(file),
            "offset": len(a_record(1).stored),
            "record_id": record_id(0),
            "url": "https://a.invalid/",
            "reason": "undecodable",
            "detail": "a body in gzip: cut short",
        }
    ]
    assert str(file) not in result.stderr


def test_two_processes_give_the_same_outcomes_as_one(
    tmp_path: Path, archive: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, ids = archive
    monkeypatch.setattr(parts, "PART_BYTES", 3000)
    others = [
        a_file(tmp_path / "in" / "a.html"),
        a_file(tmp_path / "in" / "one.warc.gz", in_one_member(map(a_record, range(100)))),
        a_file(tmp_path / "in" / "small.warc.gz", gzipped([a_record(1)])),
        a_file(tmp_path / "in" / "lines.jsonl", message(1) + b"\n" + message(2)),
    ]

    shards(others[0], file, *others[1:], to=tmp_path / "one", options=SMALL)
    shards(others[0], file, *others[1:], to=tmp_path / "two", options=(*SMALL, "--jobs", "2"))

    assert documents(tmp_path / "one") == documents(tmp_path / "two")
    found = [each["warc"]["record_id"] for each in documents(tmp_path / "two") if "warc" in each]
    assert found == [*ids, *map(record_id, range(100)), record_id(1)]
    names = [sorted(path.name for path in (tmp_path / each).glob("*")) for each in ("one", "two")]
    assert names[0] == names[1]
    logs = [(tmp_path / each / "errors.jsonl").read_bytes() for each in ("one", "two")]
    assert logs[0] == logs[1]


def test_an_archive_is_read_in_parts_by_several_processes_unless_it_is_packed_as_a_whole(
    tmp_path: Path, archive: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 3000)
    whole = a_file(tmp_path / "whole.warc.gz", in_one_member(map(a_record, range(1000))))
    source = Source(find_inputs([archive[0], whole]), 1 << 20)

    tasks = list(source.tasks(0, BEGIN))

    assert sum(isinstance(task, Part) for task in tasks) > 10
    assert [type(task) for task in tasks[-2:]] == [list, list]


def test_an_archive_with_unsplittable_parts_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = a_file(tmp_path / "a.warc.gz", gzipped(map(a_record, range(100))))
    monkeypatch.setattr(parts, "PART_BYTES", 3000)

    def broken_off(open_file: Callable[[], BinaryIO], start: int, distance: int) -> Iterator[int]:
        yield next(record_starts(open_file, start, distance))
        raise OSError("Input/output error")

    monkeypatch.setattr(parts, "record_starts", broken_off)
    (first, last) = Source(find_inputs([file]), 1 << 20).tasks(0, BEGIN)
    assert isinstance(first, Part)
    assert isinstance(last, Part)

    found = [entry.entry.content for part in (first, last) for entry in part.things()]

    assert [each.record.record_id for each in found if isinstance(each, Response)] == [
        record_id(number) for number in range(100)
    ]
