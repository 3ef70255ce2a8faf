"""Records of a topic that are documents to choose from."""

from pathlib import Path

import orjson
import pytest

from winnow.models.filtering import CopyRule, DocumentFilter
from winnow.worker.batch.archives.exports import read_export
from winnow.worker.batch.archives.folders import LocalFolder
from winnow.worker.batch.archives.ledger import OtherRunError
from winnow.worker.batch.choice import ALL, Choice
from winnow.worker.cli.tail_shards import Chosen

CHOICE = Choice(DocumentFilter(frozenset({"en"})), CopyRule(3), memory_bytes=32 << 20)


def a_value(simhash: int, language: str = "en") -> bytes:
    fields = {"language": language, "simhash": f"{simhash:016x}", "text_digest": "0" * 64}
    return orjson.dumps({"url": "https://a.invalid/", **fields})


def test_documents_are_dropped_by_filter_and_as_copies(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = Chosen(CHOICE)

    values = [a_value(0), a_value(7), a_value(1 << 60, "de"), a_value(15)]
    dropped = [chosen.drops(value) for value in values]
    chosen.close()

    assert dropped == [False, True, True, False]
    assert capsys.readouterr().err == "winnow: 2 documents dropped: 1 copy, 1 language\n"


@pytest.mark.parametrize("value", [None, b"", b"no json", b"[]"])
def test_a_message_that_is_not_a_document_is_not_dropped(value: bytes | None) -> None:
    assert not Chosen(CHOICE).drops(value)


def test_by_default_nothing_is_dropped() -> None:
    chosen = Chosen(ALL)

    assert not chosen.drops(a_value(0))
    assert not chosen.drops(a_value(0))


def test_an_export_continues_with_the_copies_it_has_seen(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    ledger = read_export(folder, "docs", "jsonl", CHOICE.facts())
    chosen = Chosen(CHOICE, folder, ledger)
    assert not chosen.drops(a_value(0))
    ledger.fingerprints_bytes = chosen.sync()
    assert not chosen.drops(a_value(0xFFFF << 40))  # in no shard when the export is killed

    chosen.close()

    again = Chosen(CHOICE, folder, ledger)

    assert (again.drops(a_value(1)), again.drops(a_value(0xFFFF << 40))) == (True, False)
    again.close()


def test_an_export_of_another_choice_does_not_go_on(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    ledger = read_export(folder, "docs", "jsonl", CHOICE.facts())
    ledger.choice |= {"--min-words": "9"}
    content = {"kind": "winnow tail, version 1", "topic": "docs", "form": "jsonl"}
    folder.replace("ledger.json", orjson.dumps(content | {
        "next_offsets": {}, "shards": [], "choice": ledger.choice,
    }))  # fmt: skip

    with pytest.raises(OtherRunError, match=r"chosen by --language en .*--min-words 9"):
        read_export(folder, "docs", "jsonl", CHOICE.facts())
