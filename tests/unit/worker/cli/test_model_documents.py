"""`winnow model train --documents`: a model of documents that Winnow has cleaned."""

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import orjson
import pytest
from click.testing import CliRunner, Result

from tests.unit.small_models import made_up_text
from winnow.streams.operator.topic_reader import Span, Stored
from winnow.streams.records import Incoming
from winnow.worker.cli import main, model_topics


def winnow(*arguments: str | Path) -> Result:
    env = {"WINNOW_KAFKA_BOOTSTRAP": "kafka:9092"}
    return CliRunner().invoke(main, ["model", "train", *map(str, arguments)], env=env)


def a_document(number: int, **others: object) -> dict[str, Any]:
    """Return a message of English, surer and longer than is asked for."""
    return {
        "url": f"https://a.invalid/{number}",
        "text": made_up_text(40, seed=number).replace("\n", "\n\n"),
        "language": "en",
        "confidence": 0.9,
        "words": 400,
        "text_digest": f"blake3:{number:064x}",
        "simhash": f"{(number * 0x9E3779B97F4A7C15) % (1 << 64):016x}",
    } | others


WANTED = [a_document(number) for number in range(1, 11)]
MESSAGES = [
    *WANTED[:5],
    a_document(20, language="de"),
    a_document(21, confidence=0.7),
    a_document(22, confidence=None),
    a_document(23, words=99),
    a_document(24, simhash=f"{int(WANTED[0]['simhash'], 16) ^ 0b111:016x}"),
    *WANTED[5:],
]
DROPPED = "winnow: 5 documents dropped: 2 confidence, 1 copy, 1 language, 1 words\n"


@pytest.fixture
def wanted_model(tmp_path: Path) -> bytes:
    """Train on the text of the wanted documents."""
    (tmp_path / "text").mkdir()
    corpus, target = tmp_path / "text" / "documents.txt", tmp_path / "text" / "wanted.winnow"
    corpus.write_text("".join(each["text"].replace("\n\n", "\n") for each in WANTED))
    assert winnow(corpus, "-o", target, "--language", "en").exit_code == 0
    return target.read_bytes()


def test_a_model_is_made_of_the_chosen_documents(tmp_path: Path, wanted_model: bytes) -> None:
    shards = tmp_path / "run"
    shards.mkdir()
    lines = [orjson.dumps(message) + b"\n" for message in MESSAGES]
    (shards / "part-00000.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[:8])))
    (shards / "part-00001.jsonl").write_bytes(b"".join(lines[8:]))
    target = tmp_path / "a.winnow"

    result = winnow("--documents", shards, "--language", "en", "-o", target)

    assert result.exit_code == 0, result.stderr
    assert target.read_bytes() == wanted_model
    assert DROPPED in result.stderr
    assert "winnow: 10 documents taken\n" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.winnow", "run", "text"]


class FakeReader:
    """Holds the messages in a topic of one partition, the first of them twice."""

    def __init__(self, *_: object) -> None:
        values = [orjson.dumps(message) for message in (MESSAGES[0], *MESSAGES)]
        sources = [b"0/0", *(f"0/{number}".encode() for number in range(len(MESSAGES)))]
        self._values = [*zip(values, sources, strict=True), (None, b"0/99")]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def spans(self, _topic: str) -> dict[int, Span]:
        return {0: Span(0, len(self._values))}

    def read(self, topic: str, _spans: Mapping[int, Span]) -> Iterator[Stored]:
        assert topic == "winnow.documents"
        for offset, (value, source) in enumerate(self._values):
            yield Stored(Incoming(topic, 0, offset, b"", value, (("source", source),)), 0)


def test_a_model_is_made_of_the_documents_of_a_topic(
    tmp_path: Path, wanted_model: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_topics, "TopicReader", FakeReader)
    target = tmp_path / "a.winnow"

    result = winnow("--documents", "documents", "--language", "en", "-o", target)

    assert result.exit_code == 0, result.stderr
    assert target.read_bytes() == wanted_model
    assert DROPPED in result.stderr


def test_the_bounds_are_options(tmp_path: Path) -> None:
    shard = tmp_path / "a.jsonl"
    shard.write_bytes(b"".join(orjson.dumps(message) + b"\n" for message in MESSAGES))
    options = ("--min-confidence", "0", "--min-words", "0")

    result = winnow("--documents", shard, "--language", "en", "-o", tmp_path / "a.winnow", *options)

    assert "winnow: 2 documents dropped: 1 copy, 1 language\n" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "give files of text, or --documents"),
        ((__file__, "--documents", "a.jsonl"), "give files of text, or --documents"),
        (("--documents", "a.jsonl"), "--documents are of one language: give --language"),
        (("--documents", "no/such.jsonl", "--language", "en"), "no/such.jsonl"),
        (("--documents", __file__, "--language", "en"), "is not JSON"),
    ],
)
def test_unusable_training_text_is_refused_with_a_reason(
    arguments: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    result = winnow(*arguments, "-o", tmp_path / "a.winnow")

    assert result.exit_code == 2
    assert why in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_without_documents_is_refused(tmp_path: Path) -> None:
    shard = tmp_path / "a.jsonl"
    shard.write_bytes(orjson.dumps(MESSAGES[0]) + b"\n")

    result = winnow("--documents", shard, "--language", "fr", "-o", tmp_path / "a.winnow")

    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [shard])
    assert "winnow: no document to learn from\n" in result.stderr
