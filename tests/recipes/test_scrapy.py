"""A real spider over a site on loopback, whose pages reach the topic as a worker takes them."""

import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from confluent_kafka import Consumer

from winnow.streams.pages import Fetched, arrival_from
from winnow.streams.records import Incoming
from winnow.worker.demo.embedded import EmbeddedBroker

ROOT = Path(__file__).resolve().parents[2]
SCRAPY = ROOT / "build" / "recipes" / "bin" / "scrapy"
SITE = {
    "/": (200, "<title>Bees</title><a href=/hives>Hives</a><a href=/old>Old</a><a href=/x>X</a>"),
    "/hives": (200, "<title>Hives</title><p>Twelve hives are on the roof. é"),
    "/old": (410, "gone"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, text = SITE.get(self.path, (404, "not found"))
        body = text.encode("latin-1")
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=latin-1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


def crawl(folder: Path, recipes: dict[str, str], bootstrap: str, start: str) -> str:
    """Run the spider of the page; return its log."""
    for name in ("winnow_pipeline.py", "spider.py"):
        (folder / name).write_text(recipes[name])
    settings = ("-s", f"WINNOW_KAFKA_BOOTSTRAP={bootstrap}", "-s", "ROBOTSTXT_OBEY=False")
    done = subprocess.run(
        [str(SCRAPY), "runspider", "spider.py", *settings, "-a", f"start={start}"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


def published(bootstrap: str, count: int) -> list[Incoming]:
    settings = {"group.id": "test", "auto.offset.reset": "earliest", "log_level": 0}
    consumer = Consumer({"bootstrap.servers": bootstrap, **settings})
    consumer.subscribe(["winnow.pages"])
    found = []
    for record in consumer.consume(count, 60):
        assert not record.error()
        key, value, headers = record.key(), record.value(), record.headers() or []
        assert isinstance(key, bytes)
        assert isinstance(headers, list)
        assert isinstance(value, bytes | None)
        pairs = tuple((name, each) for name, each in headers if isinstance(each, bytes))
        found.append(Incoming("winnow.pages", 0, record.offset() or 0, key, value, pairs))
    consumer.close()
    return found


def test_a_spider_publishes_its_pages_and_those_that_are_gone(
    recipes: dict[str, str], site: str, tmp_path: Path
) -> None:
    with EmbeddedBroker() as broker:
        broker.create_topic("winnow.pages", 1)
        bootstrap = ",".join(broker.bootstrap)

        log = crawl(tmp_path, recipes, bootstrap, f"{site}/")
        records = published(bootstrap, 4)

    arrivals = [arrival_from(record) for record in records if record.value is not None]
    pages = [each.page for each in arrivals if isinstance(each, Fetched)]
    assert len(pages) == len(arrivals)
    gone = {record.key for record in records if record.value is None}
    assert {page.url: page.body.decode("latin-1") for page in pages} == {
        f"{site}{path}": text for path, (status, text) in SITE.items() if status == 200
    }
    assert {page.content_type for page in pages} == {"text/html; charset=latin-1"}
    assert all(page.fetched_at for page in pages)
    assert gone == {f"{site}/old".encode(), f"{site}/x".encode()}
    assert "Deprecat" not in log


def test_a_page_that_no_broker_takes_is_counted_and_named(
    recipes: dict[str, str], site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SITE, "/", (200, "x" * (11 << 20)))
    with EmbeddedBroker() as broker:
        broker.create_topic("winnow.pages", 1)

        log = crawl(tmp_path, recipes, ",".join(broker.bootstrap), f"{site}/")

    assert f"not published: {site}/" in log
    assert "'winnow/failed': 1" in log
