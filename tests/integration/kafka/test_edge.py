"""What crawlers send and indexers get, on a real Kafka and seen from outside alone."""

import os
import signal
import time
from typing import Any, Final

import orjson
import pytest
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)

from tests.faults.account import account
from tests.integration.kafka.conftest import Deployment, StartWorker, Winnow, held, publish
from tests.integration.kafka.running import RunningWorker
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Headers, Incoming, Outgoing

PAGES: Final = 2000
BATCH_PAGES: Final = 16
KILL_AT: Final = (300, 900)
SESSION_S: Final = 6
COMPACTED_WITHIN_S: Final = 240.0
# what a cleaner of logs needs to come by within a test: it looks every 15 s, and never at the
# segment that is written to
COMPACTED_SOON: Final = {
    "segment.ms": "500",
    "min.cleanable.dirty.ratio": "0.001",
    "delete.retention.ms": "0",
    "min.compaction.lag.ms": "0",
}
PROSE: Final = (
    "<title>Bees %d</title><p>The committee met on Monday, and eleven people came to hear what "
    "it had decided about the bees that find more flowers in the city than in the fields."
)


def url_of(number: int) -> str:
    return f"https://example.org/{number}"


def a_page(topic: str, number: int) -> Outgoing:
    """Return the page of a number: of ten, one deletes an earlier one and one is a failed answer.

    The account tells them by the header `status`; in JSON the member says the same.
    """
    kind = number % 10
    meta = {"number": number, "seed": "ż", "path": [{"depth": number % 7}]}
    headers: Headers = (("crawl-id", b"%d" % number), ("tenant", b"caf\xe9"), ("null", None))
    html, url = PROSE % number, url_of(number)
    if kind in {8, 9}:
        status = {8: (404, 410)[number % 20 == 8], 9: 503}[kind]
        headers += (("status", b"%d" % status),)
        url = url_of(number - 8)
    if kind == 8 and number % 30 == 8:
        return Outgoing(topic, url.encode(), None, (*headers, ("meta", orjson.dumps(meta))))
    if (number // 10) % 2:
        raw = (("content-type", b"text/html"), ("url", url.encode()), ("meta", orjson.dumps(meta)))
        return Outgoing(topic, url.encode(), html.encode(), headers + raw)
    message: dict[str, Any] = {"url": url, "html": html, "meta": meta}
    if kind in {8, 9}:
        message["status"] = status
    return Outgoing(topic, url.encode(), orjson.dumps(message), headers)


def deleted_urls() -> set[bytes]:
    return {url_of(number - 8).encode() for number in range(8, PAGES, 10)}


def committed(topics: Deployment) -> int:
    with TopicReader(topics.connection, topics.group) as reader:
        return sum(reader.committed(topics.names.pages, list(range(4))).values())


def kill(worker: RunningWorker) -> None:
    """End the supervisor and its process as a power cut would."""
    started = [each["pid"] for each in worker.events() if each["event"] == "process_started"]
    worker.supervisor.kill()
    for pid in started:
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGKILL)
    worker.supervisor.wait()


def meta_of(record: Incoming) -> object:
    """Return the crawl's facts in a document, statistics or a tombstone."""
    if record.value is None:
        return orjson.loads(record.header("meta") or b"null")
    return orjson.loads(record.value)["meta"]


@pytest.mark.timeout(600)
def test_pages_deletions_and_failed_answers_with_workers_killed_between(
    topics: Deployment, start_worker: StartWorker
) -> None:
    names = topics.names
    environment = {
        "WINNOW_BATCH_PAGES": str(BATCH_PAGES),
        "WINNOW_SESSION_SECONDS": str(SESSION_S),
    }
    worker = start_worker(1, **environment)
    publish(topics, *(a_page(names.pages, number) for number in range(PAGES)))
    for share in KILL_AT:
        worker.until(lambda share=share: committed(topics) >= share)  # type: ignore[misc]
        assert committed(topics) < PAGES
        kill(worker)
        worker = start_worker(1, **environment)
    worker.until(lambda: committed(topics) == PAGES)

    pages, documents, stats, dead = (held_in_order(topics, name) for name in topics.all_topics())
    settled = account(pages, documents, stats, dead)
    assert (settled.pages, settled.deleted, settled.skipped, settled.dead) == (2000, 200, 200, 0)
    assert settled.documents == 1600
    assert settled.lost == settled.mistaken == settled.unfounded == settled.without_stats == ()
    assert settled.out_of_order == ()
    assert settled.repeated <= len(KILL_AT) * 3 * BATCH_PAGES
    by_source = {page.source: page for page in pages}
    for record in (*documents, *stats):
        page = by_source[(record.header("source") or b"").decode()]
        passed = [each for each in record.headers if each[0] in {"crawl-id", "tenant", "null"}]
        assert passed == list(page.headers[:3])
        assert meta_of(record) == {
            "number": int(page.headers[0][1] or b""),
            "seed": "ż",
            "path": [{"depth": int(page.headers[0][1] or b"") % 7}],
        }

    configure(topics, names.documents, names.stats)  # not before all outcomes are read
    for topic in (names.documents, names.stats):
        keys = compacted_keys(topics, topic)
        assert not keys & deleted_urls()
        assert len(keys) == 1400


def configure(topics: Deployment, *names: str) -> None:
    """Have the brokers compact these topics soon."""
    admin = AdminClient({"bootstrap.servers": topics.bootstrap})
    entries = [
        ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
        for name, value in COMPACTED_SOON.items()
    ]
    resources = [
        ConfigResource(ResourceType.TOPIC, name, incremental_configs=entries) for name in names
    ]
    for done in admin.incremental_alter_configs(resources).values():
        done.result(30)


def held_in_order(topics: Deployment, topic: str) -> list[Incoming]:
    """Return all records of a topic, in the order of each partition's log."""
    return sorted(held(topics, topic), key=lambda each: (each.partition, each.offset))


def compacted_keys(topics: Deployment, topic: str) -> set[bytes]:
    """Return the keys of a compacted topic once its tombstones are gone, tombstones' included.

    The next record rolls a segment, so records with other keys keep coming.
    """
    deadline = time.monotonic() + COMPACTED_WITHIN_S
    for round_number in range(10_000):
        keys = {record.key or b"" for record in held(topics, topic)} - fillers()
        if not keys & deleted_urls():
            return keys
        assert time.monotonic() < deadline, f"{topic}: {len(keys & deleted_urls())} deleted URLs"
        publish(topics, *(Outgoing(topic, key, b"%d" % round_number, ()) for key in fillers()))
        time.sleep(1.0)
    raise AssertionError


def fillers() -> set[bytes]:
    return {b"filler %d" % number for number in range(40)}


@pytest.fixture
def hostile(topics: Deployment) -> dict[bytes, Outgoing]:
    """Records of crawlers gone wrong, by their key; the last one is well."""
    odd: dict[str, tuple[bytes | None, Headers]] = {
        "megabytes": (b"<p>Page.", (("big", b"x" * (3 << 20)), ("crawl-id", b"1"))),
        "thousands": (b"<p>Page.", tuple((f"h{number}", b"") for number in range(5000))),
        "bytes": (b"<p>Page.", (("crawl-id", b"\xff\xfe"), ("", b""), ("null", None))),
        "forged": (b"<p>Page.", (("source", b"a/0/0"), ("schema-version", b"9"), ("Meta", b"x"))),
        "deep": (b'{"html":"<p>Page.","meta":' + b'{"a":' * 90 + b"1" + b"}" * 91, ()),
        "list": (b'{"html":"<p>Page.","meta":[1]}', ()),
        "no utf-8": (b'{"html":"<p>Page.","meta":{"a":"\xff"}}', ()),
        "status": (b"<p>Page.", (("status", b"gone"),)),
        "status in json": (b'{"html":"<p>Page.","status":"404"}', ()),
        "status out of range": (b'{"html":"<p>Page.","status":999}', ()),
        "well": (b'{"html":"<p>Page.","meta":{"a":1}}', (("crawl-id", b"1"),)),
    }
    pages = topics.names.pages
    return {
        url.encode(): Outgoing(pages, url.encode(), value, headers)
        for name, (value, headers) in odd.items()
        for url in [f"https://example.org/{name.replace(' ', '-')}"]
    }


def test_mistakes_of_crawlers_are_harmless_or_dead_letters(
    topics: Deployment, start_worker: StartWorker, winnow: Winnow, hostile: dict[bytes, Outgoing]
) -> None:
    names = topics.names
    worker = start_worker()
    keyless = Outgoing(names.pages, None, None, (("url", b"https://example.org/"),))
    publish(topics, *hostile.values(), keyless)
    worker.until(lambda: committed(topics) == len(hostile) + 1)

    documents = {
        (record.key or b"").decode().rpartition("/")[2]: record
        for record in held(topics, names.documents)
    }
    ours = {"content-type", "schema-version", "source"}
    passed = {
        name: tuple(each for each in record.headers if each[0] not in ours)
        for name, record in documents.items()
    }
    assert passed == {
        "megabytes": (),
        "thousands": (),
        "bytes": (("crawl-id", b"\xff\xfe"), ("", b""), ("null", None)),
        "forged": (),
        "deep": (),
        "list": (),
        "no-utf-8": (),
        "well": (("crawl-id", b"1"),),
    }
    for name, record in documents.items():
        assert [header for header, _ in record.headers if header in ours] == [
            "content-type",
            "schema-version",
            "source",
        ]
        meta = orjson.loads(record.value or b"").get("meta")
        assert meta == ({"a": 1} if name == "well" else None)
    letters = held(topics, names.dead)
    assert sorted((each.header("reason") or b"").decode() for each in letters) == [
        *["tombstone"],
        *["undecodable"] * 3,
    ]
    left_out = [each for each in worker.events() if each["event"] == "left_out"]
    assert sorted(str(each["reason"]) for each in left_out) == [
        *["headers"] * 2,
        *["meta"] * 3,
    ]
    replayed = winnow("dead", "replay", "--json")
    assert replayed.exit_code == 0, replayed.output
    again = {
        record.key: record for record in held(topics, names.pages) if record.header("attempts")
    }
    assert again[b"https://example.org/status"].header("status") == b"gone"


def test_only_named_headers_travel_on(topics: Deployment, start_worker: StartWorker) -> None:
    headers = (("crawl-id", b"7"), ("x-one", b"1"), ("tenant", b"a"))
    worker = start_worker(WINNOW_PASS_HEADERS="crawl-id,x-*")
    publish(topics, Outgoing(topics.names.pages, b"https://a.example/", b"<p>Page.", headers))
    worker.until(lambda: committed(topics) == 1)

    for topic in (topics.names.documents, topics.names.stats):
        (record,) = held(topics, topic)
        assert record.headers[:2] == (("crawl-id", b"7"), ("x-one", b"1"))
        assert record.header("tenant") is None


@pytest.mark.parametrize("unchanged", ["republish", "stats-only"])
def test_a_page_that_returns_unchanged_has_its_document_again(
    topics: Deployment, start_worker: StartWorker, unchanged: str
) -> None:
    names, key = topics.names, b"https://a.example/"
    worker = start_worker(WINNOW_UNCHANGED=unchanged)
    page = Outgoing(names.pages, key, (PROSE % 1).encode(), (("crawl-id", b"1"),))
    gone = Outgoing(names.pages, key, None, (("crawl-id", b"2"),))
    back = Outgoing(names.pages, key, page.value, (("crawl-id", b"3"),))
    publish(topics, page, gone, back)
    worker.until(lambda: committed(topics) == 3)

    for topic in (names.documents, names.stats):
        records = held_in_order(topics, topic)
        assert [record.header("crawl-id") for record in records] == [b"1", b"2", b"3"]
        assert [record.value is None for record in records] == [False, True, False]
