"""Figures of the latest documents in real topics, which may have any records."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

from tests.integration.kafka.conftest import Deployment, publish
from tests.services.processes import free_port
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Outgoing
from winnow.worker.inspector.lookups import SourceUnavailable
from winnow.worker.inspector.recent import open_recent
from winnow.worker.settings import Settings

OPENAPI = Path(__file__).resolve().parents[3] / "worker/inspector/openapi.json"


def put(topics: Deployment, url: str, document: object, stats: object = None) -> None:
    key = url.encode()
    publish(topics, Outgoing(topics.names.documents, key, orjson.dumps(document), ()))
    if stats is not None:
        publish(topics, Outgoing(topics.names.stats, key, orjson.dumps(stats), ()))


def read(topics: Deployment, last: int = 100) -> dict[str, Any]:
    fields = open_recent(Settings.from_env(topics.environment)).fields(last)
    found: dict[str, Any] = orjson.loads(orjson.dumps(fields))
    schemas = json.loads(OPENAPI.read_bytes())
    jsonschema.validate(found, {"$ref": "#/components/schemas/Recent", **schemas})
    return found


def test_doubtful_documents_come_first_and_shares_are_weighed(topics: Deployment) -> None:
    good = {"title": "Good", "page_type": "article", "confidence": 0.9}
    put(topics, "https://a.example/1", good, {"text_chars": 100, "text_chars_kept": 80})
    bad = {"title": "Bad", "page_type": "forum", "confidence": 0.2}
    put(topics, "https://a.example/2", bad, {"text_chars": 300, "text_chars_kept": 30})
    put(topics, "https://b.example/3", {"title": "None", "page_type": "forum"})

    found = read(topics)

    assert [each["title"] for each in found["documents"]] == ["Bad", "Good", "None"]
    assert [each["kept"] for each in found["documents"]] == [0.1, 0.8, None]
    assert found["hosts"][0] == {
        "name": "a.example",
        "documents": 2,
        "kept": pytest.approx(110 / 400),
        "confidence": pytest.approx(0.55),
    }
    assert [each["name"] for each in found["page_types"]] == ["forum", "article"]
    with TopicReader(topics.connection, f"{topics.group}.inspect") as reader:
        assert reader.committed(topics.names.documents, [0, 1, 2, 3]) == {}


def test_recent_documents_have_the_newest_of_a_url_and_no_deleted_ones(topics: Deployment) -> None:
    put(topics, "https://a.example/1", {"title": "Old", "confidence": 0.1})
    put(topics, "https://a.example/1", {"title": "New", "confidence": 0.9})
    put(topics, "https://a.example/2", {"title": "Gone"})
    publish(topics, Outgoing(topics.names.documents, b"https://a.example/2", None, ()))

    assert [each["title"] for each in read(topics)["documents"]] == ["New"]


def test_recent_documents_stop_at_the_requested_number(topics: Deployment) -> None:
    for number in range(20):
        put(topics, f"https://a.example/{number}", {"title": str(number)})

    assert len(read(topics, 5)["documents"]) == 5


@pytest.mark.parametrize(
    "document",
    [
        [],
        "text",
        {"title": {"a": 1}, "page_type": [1], "confidence": "high"},
        {"confidence": True},
        {"confidence": -1},
        {"title": "x" * 10_000},
    ],
)
def test_foreign_values_break_nothing(topics: Deployment, document: object) -> None:
    put(topics, "https://[", document, {"text_chars": "many", "text_chars_kept": 1e300})
    publish(topics, Outgoing(topics.names.documents, b"\xff", b"{", ()))

    for each in read(topics)["documents"]:
        assert each["confidence"] is None
        assert len(each["title"]) <= 300


def test_brokers_that_do_not_answer_are_named() -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    recent = open_recent(Settings.from_env({"WINNOW_KAFKA_BOOTSTRAP": nowhere}))

    with pytest.raises(SourceUnavailable, match=nowhere):
        recent.fields(1)
