"""docs/indexing.md on a real OpenSearch: template, documents, deletions, an alias."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from tests.messages.pages import recorded_examples
from tests.services.opensearch_server import OpenSearchServer
from tests.services.processes import Lifetime
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.index_template import ANALYZERS, IndexEngine, index_template
from winnow.streams.operator.publisher import Publisher
from winnow.streams.records import Outgoing
from winnow.worker.demo.embedded import EmbeddedBroker

ROOT = Path(__file__).resolve().parents[2]
JOB = ROOT / "docs" / "jobs" / "index_job.py"
PAGE = ROOT / "docs" / "indexing.md"
SHELL: Final = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TOPIC: Final = "winnow.documents"
AT: Final = "https://example.org/"
LONG: Final = AT + "x" * 2000


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSearchServer]:
    server = OpenSearchServer(tmp_path_factory.mktemp("opensearch"), Lifetime.CALLER)
    template = index_template(IndexEngine.OPENSEARCH, ANALYZERS)
    server.ask("PUT", "/_index_template/winnow-documents", template)
    yield server
    server.process.stop()


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker() as started:
        started.create_topic(TOPIC, 2)
        yield started


def publish(
    broker: EmbeddedBroker,
    documents: Mapping[str, Mapping[str, Any] | None],
    topic: str = TOPIC,
) -> None:
    """Publish documents as a worker does: keyed by URL, and a null value for a deletion."""
    example = recorded_examples()["document"]["payload"]
    problems: list[str] = []
    publisher = Publisher(Connection(tuple(broker.bootstrap)))
    for url, members in documents.items():
        value = None if members is None else orjson.dumps(example | {"url": url} | members)
        publisher.send(Outgoing(topic, url.encode(), value, ()), problems.append)
    publisher.confirm()
    assert problems == []


def index(broker: EmbeddedBroker, engine: OpenSearchServer, name: str, group: str = "index") -> str:
    """Run the job of the page until nothing is left; return what it says."""
    target = f"{engine.url}/{name}"
    done = subprocess.run(
        [sys.executable, JOB, ",".join(broker.bootstrap), TOPIC, group, target, "--once"],
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_documents_are_found_by_their_fields_until_they_are_deleted(
    broker: EmbeddedBroker, engine: OpenSearchServer
) -> None:
    german = {"text": "Alte Häuser am Fluss.", "language": "de", "published_at": "2026-03-01"}
    chinese = {"text": "蜜蜂在城市里找到更多的花。", "language": "zh"}
    publish(broker, {f"{AT}de": german, f"{AT}zh": chinese, LONG: {"text": "Long address."}})

    said = index(broker, engine, "winnow-documents-1")

    assert said == ""
    found = {
        query: engine.urls("winnow-documents-1", query)
        for query in (
            "text.de:Haus",
            "text.en:Haus",
            "text.zh:蜜蜂",
            "published_at:[2026-02 TO 2026-03]",
        )
    }
    assert found == {
        "text.de:Haus": [f"{AT}de"],
        "text.en:Haus": [],
        "text.zh:蜜蜂": [f"{AT}zh"],
        "published_at:[2026-02 TO 2026-03]": [f"{AT}de"],
    }

    publish(broker, {f"{AT}de": None, f"{AT}never": None, f"{AT}zh": chinese | {"title": "新"}})
    said = index(broker, engine, "winnow-documents-1")

    assert said == ""
    assert engine.urls("winnow-documents-1", "*:*") == sorted([f"{AT}zh", LONG])
    assert engine.urls("winnow-documents-1", "title.zh:新") == [f"{AT}zh"]


def test_a_repeat_of_what_was_read_replaces_nothing_newer(
    broker: EmbeddedBroker, engine: OpenSearchServer
) -> None:
    publish(broker, {f"{AT}a": {"title": "Old"}, f"{AT}b": {"title": "B"}})
    publish(broker, {f"{AT}a": {"title": "New"}, f"{AT}b": None})
    index(broker, engine, "winnow-documents-2", "first")
    publish(broker, {f"{AT}c": {}})

    said = index(broker, engine, "winnow-documents-2", "from the start again")

    assert said == ""
    assert engine.urls("winnow-documents-2", "title:New") == [f"{AT}a"]
    assert engine.urls("winnow-documents-2", "*:*") == [f"{AT}a", f"{AT}c"]


def test_any_document_is_indexed(broker: EmbeddedBroker, engine: OpenSearchServer) -> None:
    deep: dict[str, Any] = {"leaf": "x"}
    for _ in range(31):
        deep = {"a.b": deep}
    odd = {
        "fetched_at": "", "published_at": "2024-02-31", "section": "s" * 40_000,
        "text": "w" * 100_000, "canonical_url": "https://a.invalid/" + "ä" * 20_000,
        "wishes": {"directives": [], "agents": {"a.b": ["noindex"], "": []}, "tdm_policy": "",
                   "links": 3, "nofollow_links": 0, "nosnippet_parts": 0},
    }  # fmt: skip
    metas: tuple[dict[str, Any], ...] = (
        {"v": "y" * 16_000},
        deep,
        {"list": [1, "a", None, {"b": {}}]},
        {"": {}},
    )
    publish(
        broker, {f"{AT}odd/{number}": odd | {"meta": each} for number, each in enumerate(metas)}
    )

    said = index(broker, engine, "winnow-documents-3")

    assert said == ""
    assert len(engine.urls("winnow-documents-3", "*:*")) == len(metas)
    assert engine.urls("winnow-documents-3", "meta.list:a") == [f"{AT}odd/2"]


def test_the_commands_of_the_page_switch_readers_to_a_new_index(
    broker: EmbeddedBroker, engine: OpenSearchServer, tmp_path: Path
) -> None:
    engine.ask("DELETE", "/winnow-documents-*")
    engine.ask("DELETE", "/_index_template/winnow-documents")
    broker.create_topic("winnow.documents.2", 2)
    addresses = {
        "http://127.0.0.1:9200": engine.url,
        "127.0.0.1:9092": ",".join(broker.bootstrap),
        "winnow index-template": f"{sys.executable} -m winnow index-template",
        "python index_job.py": f"{sys.executable} {JOB}",
    }
    template, follow, switch = SHELL.findall(PAGE.read_text(encoding="utf-8"))

    def run(block: str) -> None:
        for theirs, ours in addresses.items():
            block = block.replace(theirs, ours)
        done = subprocess.run(
            ["bash", "-e", "-c", block], check=False, cwd=tmp_path, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    run(template)
    publish(broker, {f"{AT}a": {"title": "Before"}, f"{AT}gone": {}})
    run(f"{follow.strip()} --once")
    assert engine.urls("winnow-documents", "title.en:before") == [f"{AT}a"]

    publish(broker, {f"{AT}a": {"title": "After"}}, "winnow.documents.2")
    run(switch)
    assert engine.urls("winnow-documents", "*:*") == [f"{AT}a"]
    assert engine.urls("winnow-documents", "title.de:after") == [f"{AT}a"]
