"""Records of a topic in shards, stopped and gone on with."""

from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from tests.archives import documents, errors
from winnow.streams.operator.topic_reader import Span, Stored
from winnow.streams.records import Incoming
from winnow.worker.batch.archives.exports import Export, check_of, read_export
from winnow.worker.batch.archives.folders import LocalFolder
from winnow.worker.batch.archives.ledger import OtherRunError
from winnow.worker.batch.archives.run import Output
from winnow.worker.batch.archives.shards import form_of

TOPIC = "docs"
STATED: dict[str, Any] = {"url": "https://a.example/", "title": "A", "text": "One\ntwo"}


def a_record(offset: int, value: bytes | None = None, partition: int = 0) -> Stored:
    content = value or orjson.dumps(STATED | {"title": f"{partition}/{offset}"})
    return Stored(Incoming(TOPIC, partition, offset, b"key", content, ()), -1)


def an_export(folder: Path, form: str = "jsonl", shard_bytes: int = 1 << 20) -> Export:
    folder.mkdir(exist_ok=True)
    ledger = read_export(LocalFolder(folder), TOPIC, form)
    shards = form_of(form, "document")
    return Export(
        Output(LocalFolder(folder), shards, shard_bytes), ledger, check_of(form, "document")
    )


def add(export: Export, *records: Stored) -> None:
    for stored in records:
        export.add(stored, stored.record.value, is_repeat=False)


def test_an_export_continues_after_the_last_complete_shard(tmp_path: Path) -> None:
    export = an_export(tmp_path, shard_bytes=150)
    add(export, *(a_record(offset) for offset in range(7)))
    export.close()  # as a kill leaves it: the seventh is in no shard

    export = an_export(tmp_path, shard_bytes=150)
    spans, gone = export.ledger.spans({0: Span(0, 9), 1: Span(3, 4)})
    add(export, *(a_record(offset) for offset in range(spans[0].start, 9)))
    add(export, a_record(3, partition=1))
    export.commit()
    export.close()

    assert gone == 0
    assert spans == {0: Span(6, 9), 1: Span(3, 4)}
    titles = [each["title"] for each in documents(tmp_path)]
    assert titles == [f"0/{offset}" for offset in range(9)] + ["1/3"]
    assert read_export(LocalFolder(tmp_path), TOPIC, "jsonl").next_offsets == {0: 9, 1: 4}


def test_a_message_that_does_not_fit_a_shard_is_named_and_the_rest_written(tmp_path: Path) -> None:
    export = an_export(tmp_path, "parquet")
    add(export, a_record(1, b"no json"), a_record(2, b'{"url": {"a": 1}}'), a_record(3))
    export.add(a_record(4), None, is_repeat=False)
    export.add(a_record(4), b"{}", is_repeat=True)
    export.commit()
    export.close()

    ledger = export.ledger
    assert (ledger.records, ledger.deletions, ledger.repeats, ledger.errors) == (1, 1, 1, 2)
    assert [each["offset"] for each in errors(tmp_path)] == [1, 2]
    (row,) = pq.read_table(tmp_path / "part-00000.parquet").to_pylist()
    assert (row["title"], row["text"]) == ("0/3", "One\ntwo")


def test_a_message_that_is_not_a_document_gives_no_warc_record(tmp_path: Path) -> None:
    export = an_export(tmp_path, "warc")
    add(export, a_record(1))  # without digests and a time
    export.commit()
    export.close()

    assert (export.ledger.records, export.ledger.errors) == (0, 1)


def test_lines_of_a_message_are_joined(tmp_path: Path) -> None:
    export = an_export(tmp_path)
    add(export, a_record(1, orjson.dumps(STATED, option=orjson.OPT_INDENT_2)))
    export.commit()
    export.close()

    assert documents(tmp_path) == [STATED]


def test_offsets_that_were_deleted_unread_are_counted(tmp_path: Path) -> None:
    export = an_export(tmp_path)
    add(export, a_record(1))
    export.close()

    assert export.ledger.spans({0: Span(5, 9)}) == ({0: Span(5, 9)}, 3)


def test_a_run_does_not_continue_on_a_topic_that_was_made_again(tmp_path: Path) -> None:
    export = an_export(tmp_path)
    add(export, a_record(8))
    export.close()

    with pytest.raises(OtherRunError, match="the topic was created again"):
        export.ledger.spans({0: Span(0, 3)})


GONE = [{"name": "part-00000.jsonl.zst", "documents": 1, "file_bytes": 2}]


def a_ledger(**members: object) -> bytes:
    stated = {"kind": "winnow tail, version 1", "topic": TOPIC, "form": "jsonl"}
    return orjson.dumps(stated | {"next_offsets": {}, "shards": []} | members)


@pytest.mark.parametrize(
    ("ledger", "why"),
    [
        (b"{", "is damaged"),
        (a_ledger(kind="winnow clean, version 1"), "not a ledger of winnow tail"),
        (a_ledger(form="parquet"), "holds records of docs as parquet"),
        (a_ledger(topic="stats"), "holds records of stats as jsonl"),
        (a_ledger(shards=GONE), "part-00000.jsonl.zst is missing"),
    ],
)
def test_a_folder_with_foreign_files_is_not_changed(
    tmp_path: Path, ledger: bytes, why: str
) -> None:
    (tmp_path / "ledger.json").write_bytes(ledger)

    with pytest.raises(OtherRunError, match=why):
        an_export(tmp_path)
    assert (tmp_path / "ledger.json").read_bytes() == ledger


def test_shards_without_a_ledger_are_foreign(tmp_path: Path) -> None:
    (tmp_path / "part-00000.parquet").touch()

    with pytest.raises(OtherRunError, match="the output of another program"):
        an_export(tmp_path)
