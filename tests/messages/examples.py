"""One message of each kind: those in are written here, those out are what a real worker makes.

A worker process runs on the embedded broker. Examples travel as `{"headers", "payload"}`, as an
AsyncAPI document has them; the payload is JSON, the text of a page, or None for a deletion.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import orjson
from confluent_kafka import Consumer, Message, Producer

from tests.messages.schemas import Json
from tests.services.processes import free_port
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import Stage, stub
from winnow.streams.records import Incoming
from winnow.streams.topics import MAX_PAGE_BYTES, TopicNames
from winnow.worker.demo.embedded import EmbeddedBroker

Examples = dict[str, Json]

URL: Final = "https://example.org/bees"
HTML: Final = """\
<html lang="en"><head><title>Bees in the city – City Garden</title>
<link rel="canonical" href="https://example.org/bees">
<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
<meta name="author" content="Ada Lang"><meta property="og:site_name" content="City Garden">
<meta name="description" content="Why bees do well between houses.">
<meta property="og:image" content="https://example.org/bees.jpg">
<meta property="article:published_time" content="2026-03-18T07:30:00Z">
<meta property="article:modified_time" content="2026-03-19T10:00:00Z">
<meta property="article:section" content="Garden"><meta property="article:tag" content="bees">
</head><body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<h1>Bees in the city</h1>
<p>The bees find more flowers in the city than in the fields around it.
From March to September something is always in bloom.</p>
<footer>© City Garden. All rights reserved.</footer></body></html>"""
_TRACE: Final = {
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "tracestate": "crawler=7",
}
_RAW_HEADERS: Final = {
    "url": URL,
    "content-type": "text/html; charset=utf-8",
    "status": "200",
    "fetched-at": "2026-11-24T09:30:00Z",
    "x-robots-tag": "noarchive",
    "meta": '{"depth":2}',
    **_TRACE,
    "crawl-id": "2026-11",
}
_PAGE: Final = {
    "url": URL,
    "html": HTML,
    "content_type": "text/html",
    "status": 200,
    "fetched_at": "2026-11-24T09:30:00Z",
    "x_robots_tag": "noarchive",
    "meta": {"crawl": "2026-11", "depth": 2},
}
_PDF: Final = "%PDF-1.7"
_WITHIN_S: Final = 60.0

IN: Final[Examples] = {
    "rawPage": {"headers": _RAW_HEADERS, "payload": HTML},
    "jsonPage": {
        "headers": {"content-type": "application/json", **_TRACE, "crawl-id": "2026-11"},
        "payload": _PAGE,
    },
    "deletion": {"headers": {"crawl-id": "2026-11"}, "payload": None},
}


def made() -> Examples:
    """Return examples of all messages: publish a page and a PDF, read what comes back."""
    names = TopicNames()
    with EmbeddedBroker() as broker, tempfile.TemporaryDirectory() as folder:
        for name in (names.pages, names.documents, names.stats, names.dead):
            broker.create_topic(name, 1)
        bootstrap = ",".join(broker.bootstrap)
        producer = Producer({"bootstrap.servers": bootstrap, "log_level": 0})
        page, pdf = IN["jsonPage"], IN["rawPage"] | {"payload": _PDF}
        producer.produce(names.pages, orjson.dumps(page["payload"]), URL, headers=page["headers"])
        producer.produce(names.pages, pdf["payload"], URL, headers=pdf["headers"])
        producer.flush()
        worker = start_worker(bootstrap, Path(folder))
        try:
            found = _read(bootstrap, worker, (names.documents, names.stats, names.dead))
        finally:
            worker.kill()
            worker.wait()
    document, stats, dead = (found[name] for name in (names.documents, names.stats, names.dead))
    document["payload"] |= {
        name: document["payload"][name][1:2] for name in ("blocks", "sentences")
    }
    return {**IN, "document": document, "stats": stats, "deadLetter": dead, "stub": _stub(dead)}


def start_worker(bootstrap: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Start a worker that gives blocks and sentences too; `folder` is for its files."""
    options = folder / "options.json"
    options.write_text('{"spans": true, "sources": true, "quality": true, "chunks": 40}')
    environment = os.environ | {
        "WINNOW_KAFKA_BOOTSTRAP": bootstrap,
        "WINNOW_WEB_PORT": str(free_port()),
        "WINNOW_OPTIONS": str(options),
        "TMPDIR": str(folder),
    }
    program = str(Path(sys.executable).with_name("winnow"))
    return subprocess.Popen([program, "worker"], env=environment, stdout=subprocess.DEVNULL)


def _read(
    bootstrap: str, worker: "subprocess.Popen[bytes]", topics: tuple[str, ...]
) -> dict[str, Json]:
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "log_level": 0,
            "group.id": "examples",
            "auto.offset.reset": "earliest",
        }
    )
    consumer.subscribe(list(topics))
    found: dict[str, Json] = {}
    deadline = time.monotonic() + _WITHIN_S
    while found.keys() != set(topics):
        if worker.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the worker gave records of {sorted(found)} alone")
        record = consumer.poll(0.2)
        if record is not None and not record.error():
            found[str(record.topic())] = _example(record)
    consumer.close()
    return found


def _example(record: Message) -> Json:
    value = record.value()
    assert isinstance(value, bytes)
    is_dead = record.topic() == TopicNames().dead
    headers = dict(record.headers() or ())
    return {
        "headers": {
            name: each.decode() for name, each in headers.items() if isinstance(each, bytes)
        },
        "payload": value.decode() if is_dead else orjson.loads(value),
    }


def _stub(dead: Json) -> Json:
    record = Incoming("winnow.pages", 3, 4711, URL.encode(), b" " * (MAX_PAGE_BYTES + 1))
    error = InvalidPage(Reason.TOO_LARGE, f"{MAX_PAGE_BYTES + 1} bytes, limit {MAX_PAGE_BYTES}")
    letter = stub(record, error, Stage.DECODE, "winnow.dead")
    headers = {name: value.decode() for name, value in letter.headers if value is not None}
    assert headers.keys() >= {"reason", "stub"}
    assert dead["headers"]["version"] == headers["version"]
    return {"headers": headers, "payload": orjson.loads(letter.value or b"")}
