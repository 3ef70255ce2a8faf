"""Kafka Connect as the page sets it up: documents and deletions pass it in their order."""

import time
from pathlib import Path

import orjson
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    NewTopic,
)

from tests.messages.examples import URL
from tests.messages.pages import recorded_examples
from tests.services.processes import Lifetime, ServerProcess, free_port
from tests.services.programs import CONNECT, RECIPE, kafka_classpath, require
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.publisher import Publisher
from winnow.streams.records import Outgoing

WITHIN_S = 120.0


def start_connect(folder: Path, recipes: dict[str, str], changes: dict[str, str]) -> ServerProcess:
    """Start Kafka Connect with the files of the page, with a topic and ports of the test.

    A second file sink uses the converter of the worker, as indexers do.
    """
    require("java", "setpriv")
    files = {name: properties(recipes[name]) for name in ("worker.properties", "file.properties")}
    decoded = {"name": "decoded", "file": "decoded.txt"}
    files["decoded.properties"] = files["file.properties"] | decoded
    del files["decoded.properties"]["value.converter"]
    for name, lines in files.items():
        ours = lines | {key: value for key, value in changes.items() if key in lines}
        (folder / name).write_text("".join(f"{key}={value}\n" for key, value in ours.items()))
    jvm = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    log = f"-Dlog4j2.configurationFile={RECIPE / 'log4j2.properties'}"
    program = "org.apache.kafka.connect.cli.ConnectStandalone"
    command = ["java", *jvm, log, "-cp", kafka_classpath(CONNECT), program, *files]
    return ServerProcess(command, folder, Lifetime.CALLER)


def properties(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines())


def lines_of(file: Path, count: int, connect: ServerProcess) -> list[str]:
    deadline = time.monotonic() + WITHIN_S
    while True:
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) >= count:
            return lines
        assert connect.is_running(), connect.output()[-3000:]
        assert time.monotonic() < deadline, connect.output()[-3000:]
        time.sleep(0.1)


def test_documents_and_deletions_pass_the_converters_in_their_order(
    kafka_bootstrap: str, unique_name: str, recipes: dict[str, str], tmp_path: Path
) -> None:
    admin = AdminClient({"bootstrap.servers": kafka_bootstrap})
    for made in admin.create_topics([NewTopic(unique_name, 1, 1)]).values():
        made.result(30)
    document = recorded_examples()["document"]["payload"]
    other = document | {"url": f"{URL}/2", "title": "After the deletion"}
    text_lines = 1 + document["text"].count("\n")
    values = (orjson.dumps(document), None, orjson.dumps(other))
    problems: list[str] = []
    publisher = Publisher(Connection((kafka_bootstrap,)))
    for value in values:
        publisher.send(Outgoing(unique_name, URL.encode(), value, ()), problems.append)
    publisher.confirm()
    changes = {
        "bootstrap.servers": kafka_bootstrap,
        "topics": unique_name,
        "listeners": f"http://127.0.0.1:{free_port()}",
    }

    connect = start_connect(tmp_path, recipes, changes)
    try:
        lines = lines_of(tmp_path / "documents.jsonl", 3, connect)
        decoded = lines_of(tmp_path / "decoded.txt", 2 * text_lines + 1, connect)
    finally:
        connect.kill()
        for deleted in admin.delete_topics([unique_name]).values():
            deleted.result(30)

    assert problems == []
    assert lines == [(value or b"null").decode() for value in values]
    assert decoded.index("null") > 0
    before, after = "\n".join(decoded).split("\nnull\n")
    assert f"title={document['title']}" in before
    assert f"url_hash={document['url_hash']}" in before
    assert "title=After the deletion" in after
