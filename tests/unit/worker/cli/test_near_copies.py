"""`winnow near-copies` as its users meet it."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest
import zstandard
from click.testing import CliRunner, Result
from pyarrow.parquet import write_table

from winnow.worker.cli import main


def winnow(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["near-copies", *map(str, arguments)])


def a_document(name: str, simhash: int, digest: str = "") -> dict[str, str]:
    digest = (digest or name).encode().hex().ljust(64, "0")
    return {"url": f"https://{name}.invalid/", "text_digest": digest, "simhash": f"{simhash:016x}"}


DOCUMENTS = [
    a_document("a", 0b0000),
    a_document("b", 0b0111),
    a_document("c", 0xFFFF << 40),
    a_document("d", 0b1111, "a"),
    {"url": "https://e.invalid/", "text_digest": "0" * 64, "simhash": ""},
    {"url": "https://f.invalid/", "text_digest": "0" * 64, "simhash": ""},
]
LINES = b"".join(json.dumps(each).encode() + b"\n" for each in DOCUMENTS)
PACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    "jsonl.gz": gzip.compress,
    "jsonl.zst": zstandard.compress,
}
NEAR = (
    "https://b.invalid/\thttps://a.invalid/\t3\n"
)  # fmt: skip


@pytest.fixture(params=["jsonl", "jsonl.gz", "jsonl.zst", "parquet"])
def shard(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"part-00000.{request.param}"
    if request.param == "parquet":
        write_table(pa.Table.from_pylist(DOCUMENTS), path)
    else:
        path.write_bytes(PACK.get(request.param, bytes)(LINES))
    return path


def test_each_copy_is_named_with_its_original(shard: Path) -> None:
    result = winnow(shard)

    assert (result.exit_code, result.stdout) == (0, NEAR)
    assert result.stderr == "1 copy among 6 documents (simhash:3)\n"


def test_equal_texts_are_copies_too(shard: Path) -> None:
    result = winnow(shard.parent, "--dedup", "exact", "--json")

    copy = {"url": "https://d.invalid/", "copy_of": "https://a.invalid/", "bits": 0}
    assert [json.loads(line) for line in result.stdout.splitlines()] == [copy]


def test_a_copy_is_a_copy_of_the_nearest(shard: Path) -> None:
    assert winnow(shard, "--dedup", "simhash:4").stdout == (
        "https://b.invalid/\thttps://a.invalid/\t3\nhttps://d.invalid/\thttps://a.invalid/\t4\n"
    )


def test_the_errors_of_a_run_are_not_documents(tmp_path: Path) -> None:
    (tmp_path / "part-00000.jsonl").write_bytes(LINES)
    (tmp_path / "errors.jsonl").write_bytes(b'{"url": "https://a.invalid/", "reason": "empty"}')
    (tmp_path / "ledger.json").write_bytes(b"{}")

    assert winnow(tmp_path).stderr == "1 copy among 6 documents (simhash:3)\n"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.jsonl", b"no json\n", "line 1 is not JSON"),
        ("a.jsonl", b'{"text": "One"}\n', "line 1 is not a document of winnow"),
        ("a.jsonl.gz", gzip.compress(LINES)[:-9], "a.jsonl.gz: "),
        ("a.parquet", b"PAR1 and junk", "a.parquet: "),
        ("a.txt", b"", "has no pages (files named .jsonl"),
    ],
)
def test_a_file_that_holds_no_documents_is_named_and_the_others_are_read(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad"
    bad.mkdir()
    good.write_bytes(LINES)
    (bad / name).write_bytes(content)

    result = winnow(bad, good)

    assert result.exit_code == 1
    assert why in result.stderr
    assert NEAR in result.stdout
