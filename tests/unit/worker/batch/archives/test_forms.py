"""Shards of Parquet and of WARC, read back by the programs of others."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
import zstandard
from click.testing import CliRunner, Result
from fastwarc.warc import ArchiveIterator
from pyarrow.parquet import read_table
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from tests.archives import DATE, PROSE, a_record, documents, gzipped, record_id
from winnow.models._kernel.lab import text_signals
from winnow.streams.arrow import MessageTable
from winnow.worker.batch.archives.shards import JsonLines
from winnow.worker.cli import main

SCHEMA = json.loads((Path(__file__).parents[5] / "streams/schemas/document.json").read_text())


def clean(folder: Path, text_format: str, *options: str) -> Result:
    archive = folder / "a.warc.gz"
    archive.write_bytes(gzipped(a_record(number) for number in range(40)))
    arguments = ["clean", str(archive), "-o", str(folder / text_format), "--format", text_format]
    return CliRunner().invoke(main, [*arguments, "--shard-size", "0.01", *options])


@pytest.fixture
def wanted(tmp_path: Path) -> list[dict[str, Any]]:
    clean(tmp_path, "jsonl", "--option", "spans=true")
    return documents(tmp_path / "jsonl")


def shards(folder: Path, text_format: str) -> list[Path]:
    found = sorted((folder / text_format).glob("part-*"))
    assert len(found) > 1
    return found


def present(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without what its document lacks."""
    return {
        name: present(value) if isinstance(value, dict) else value
        for name, value in row.items()
        if value is not None
    }


@pytest.mark.parametrize("packed_bytes", [1, 60, 100, 10_000])
def test_json_lines_are_written_whole_and_in_order(
    packed_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winnow.worker.batch.archives.shards.PACKED_BYTES", packed_bytes)
    values = [b'{"page":%d}\n' % number for number in range(100)]
    file = io.BytesIO()

    writer = JsonLines(file)
    for value in values:
        writer.write(value)
    writer.finish()

    assert zstandard.decompress(file.getvalue(), max_output_size=10_000) == b"".join(values)


def test_parquet_holds_what_json_lines_hold(tmp_path: Path, wanted: list[dict[str, Any]]) -> None:
    clean(tmp_path, "parquet", "--option", "spans=true")

    rows = [row for path in shards(tmp_path, "parquet") for row in read_table(path).to_pylist()]

    found = [present(row) for row in rows]
    for row in found:  # an object of any members is a column of JSON
        row["wishes"]["agents"] = json.loads(row["wishes"]["agents"])
    assert found == wanted
    assert all("blocks" in document for document in wanted)


def test_parquet_is_read_by_duckdb_and_polars(tmp_path: Path, wanted: list[dict[str, Any]]) -> None:
    clean(tmp_path, "parquet", "--option", "spans=true")
    pattern = str(tmp_path / "parquet" / "part-*.parquet")

    query = f"select url, text, warc.record_id, sentences[1].text from '{pattern}' order by url"
    by_duckdb = duckdb.execute(query).fetchall()
    by_polars = pl.read_parquet(pattern).sort("url")

    expected = sorted(
        (each["url"], each["text"], each["warc"]["record_id"], each["sentences"][0]["text"])
        for each in wanted
    )
    assert by_duckdb == expected
    assert by_polars["text"].to_list() == [text for _, text, _, _ in expected]


def test_the_table_has_a_column_for_each_member_of_the_schema() -> None:
    schema = MessageTable("document").schema

    assert schema.names == list(SCHEMA["properties"])
    assert schema.field("threshold").type == pa.float64()
    assert schema.field("schema_version").type == pa.int64()
    assert MessageTable("stats").schema.field("tokens").type == pa.int64()


def test_shards_with_different_documents_have_equal_schemas(tmp_path: Path) -> None:
    pages = [
        '<meta name="gptbot" content="noindex"><p>The bees.</p>',
        f"<title>Bees</title><p>{PROSE}</p>",
        "<p>Two hives.</p>",
    ]
    metas: list[Any] = [{"crawl": 7}, {"crawl": {"at": [1, "x"]}}, {}]
    lines = [
        json.dumps({"url": f"https://a.invalid/{number}", "html": page, "meta": meta})
        for number, (page, meta) in enumerate(zip(pages, metas, strict=True))
    ]
    crawl = tmp_path / "crawl.jsonl"
    crawl.write_text("\n".join(lines))
    arguments = ["clean", str(crawl), "-o", str(tmp_path / "parquet"), "--format", "parquet"]
    for option in ("sources=yes", "quality=yes", "chunks=40"):
        arguments += ["--option", option]
    CliRunner().invoke(main, [*arguments, "--shard-size", "0.000001"])

    first, *others = [read_table(path) for path in shards(tmp_path, "parquet")]

    assert len(others) == 2
    for other in others:
        assert other.schema.equals(first.schema, check_metadata=True)
    assert pa.concat_tables([first, *others]).column("meta").to_pylist() == [
        '{"crawl":7}', '{"crawl":{"at":[1,"x"]}}', "{}",
    ]  # fmt: skip


def test_signals_of_quality_are_columns(tmp_path: Path) -> None:
    clean(tmp_path, "parquet", "--option", "quality=yes")
    clean(tmp_path, "jsonl", "--option", "quality=yes")
    pattern = str(tmp_path / "parquet" / "part-*.parquet")

    words = duckdb.execute(f"select quality.gopher_words from '{pattern}'").fetchall()

    found = [each["quality"] for each in documents(tmp_path / "jsonl")]
    assert words == [(each["gopher_words"],) for each in found]
    assert words[0] == (16.0,)


@pytest.mark.parametrize("name", ["document", "stats"])
def test_every_signal_of_the_kernel_has_a_column(name: str) -> None:
    names = [signal for signal, _ in text_signals(PROSE)[1]]

    assert [each.name for each in MessageTable(name).schema.field("quality").type] == names


def test_the_table_leaves_out_members_without_a_schema() -> None:
    batch = MessageTable("document").batch([b'{"url": "https://a.invalid/", "mine": {"x": 1}}'])

    (row,) = batch.to_pylist()
    assert present(row) == {"url": "https://a.invalid/"}


def test_objects_of_any_members_are_json_in_their_column() -> None:
    batch = MessageTable("stats").batch([b'{"cpu_ms": {"parse": 1.5}, "url": "a"}', b"{}"])

    assert batch.column("cpu_ms").to_pylist() == ['{"parse":1.5}', None]


def test_parquet_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "winnow.worker.batch.archives.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    result = clean(tmp_path, "parquet")

    assert result.exit_code == 2
    assert "pip install 'winnow-web[parquet]'" in result.stderr
    assert not (tmp_path / "parquet").exists()


def test_conversions_are_read_by_fastwarc(tmp_path: Path) -> None:
    clean(tmp_path, "warc")

    records = [
        (record.headers.to_dict(), record.reader.read(), record.verify_block_digest())
        for path in shards(tmp_path, "warc")
        for record in ArchiveIterator(str(path), parse_http=False)
    ]

    texts = [(head, text) for head, text, _ in records if head["WARC-Type"] == "conversion"]
    assert [head["WARC-Refers-To"] for head, _ in texts] == [record_id(n) for n in range(40)]
    assert {text for _, text in texts} == {PROSE.encode()}
    assert {head["WARC-Date"] for head, _ in texts} == {DATE}
    assert len({head["WARC-Record-ID"] for head, _ in texts}) == 40


def test_conversions_are_read_by_warcio(tmp_path: Path) -> None:
    clean(tmp_path, "warc")
    kinds, uris = [], []

    for path in shards(tmp_path, "warc"):
        with path.open("rb") as file:
            for record in WarcioIterator(file, check_digests="raise"):
                kinds.append(record.rec_type)
                uris.append(record.rec_headers.get_header("WARC-Target-URI"))
                record.content_stream().read()

    assert kinds[0] == "warcinfo"
    assert [uri for uri in uris if uri] == [f"https://a.invalid/{number}" for number in range(40)]


def test_a_restarted_run_gives_the_same_conversions(tmp_path: Path) -> None:
    clean(tmp_path, "warc")
    first = conversions(tmp_path)

    clean(tmp_path, "warc", "--restart")

    assert conversions(tmp_path) == first
    assert len(first) == 40


def conversions(folder: Path) -> list[bytes]:
    """Return the records after the warcinfo records."""
    whole = b"".join(gzip.decompress(path.read_bytes()) for path in shards(folder, "warc"))
    records = whole.split(b"WARC/1.1\r\n")[1:]
    return [record for record in records if not record.startswith(b"WARC-Type: warcinfo")]
