"""The inspector looks up what a real worker has read and published, and changes nothing."""

import os
import signal
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Literal

import orjson
import pytest

from tests.integration.kafka.conftest import Deployment, StartWorker, held, publish
from tests.services.processes import free_port
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Outgoing
from winnow.worker.cleaning import build_cleaner
from winnow.worker.inspector.lookups import (
    Found,
    LookupAsked,
    Lookups,
    NotFound,
    SourceUnavailable,
    open_lookups,
)
from winnow.worker.settings import Settings

URL = "https://example.org/grain"
BODY = b"<title>Grain</title><p>The miller keeps the grain and lets the wind take the chaff."
BOTH = frozenset({"cache", "topics"})


@pytest.fixture
def settings(topics: Deployment, redis_url: str) -> Settings:
    return Settings.from_env(topics.environment | {"WINNOW_REDIS_URL": redis_url})


@pytest.fixture
def lookups(settings: Settings, topics: Deployment, start_worker: StartWorker) -> Lookups:
    """What a worker has made of a page and of a PDF."""
    worker = start_worker(1, WINNOW_REDIS_URL=settings.redis_url)
    publish(
        topics,
        Outgoing(topics.names.pages, URL.encode(), BODY, (("crawl-id", b"2026-11"),)),
        Outgoing(topics.names.pages, b"https://example.org/pdf", b"%PDF-1.7 ...", ()),
    )
    worker.until(lambda: worker.done(0) == 2)
    return open_lookups(settings, build_cleaner(settings).fingerprint, BOTH, ())


def find(
    lookups: Lookups, topics: Deployment, source: Literal["documents", "dead"], topic: str
) -> Found:
    (record,) = held(topics, topic)
    return lookups.find(LookupAsked(source, partition=record.partition, offset=record.offset))


def test_a_document_is_found_with_its_page_and_nothing_is_committed(
    lookups: Lookups, topics: Deployment
) -> None:
    found = find(lookups, topics, "documents", topics.names.documents)

    assert found.document["text"] == BODY.decode().rpartition(">")[2]
    assert found.page is not None
    assert (found.page.url, found.page.body) == (URL, BODY)
    assert found.facts["crawl-id"] == "2026-11"
    with TopicReader(topics.connection, f"{topics.group}.inspect") as reader:
        assert reader.committed(topics.names.documents, [0, 1, 2, 3]) == {}


def test_a_dead_letter_is_found_with_its_bytes_and_its_reason(
    lookups: Lookups, topics: Deployment
) -> None:
    found = find(lookups, topics, "dead", topics.names.dead)

    assert found.page is not None
    assert found.page.body == b"%PDF-1.7 ..."
    assert found.facts["reason"] == "not_html"


def test_a_result_is_found_in_the_cache_by_its_url(lookups: Lookups) -> None:
    found = lookups.find(LookupAsked("cache", url=URL))

    assert found.document["url"] == URL
    assert found.stats["blocks_kept"] == 1
    with pytest.raises(NotFound, match="no result for this URL"):
        lookups.find(LookupAsked("cache", url="https://example.org/other"))


def test_a_missing_record_is_not_found(lookups: Lookups) -> None:
    for asked in (LookupAsked("dead", offset=1000), LookupAsked("pages", partition=99)):
        with pytest.raises(NotFound, match="this partition"):
            lookups.find(asked)


def test_a_document_does_not_lead_to_another_topic(settings: Settings, topics: Deployment) -> None:
    secret = Outgoing(topics.names.stats, b"k", b"<p>Not a page of ours", ())
    publish(topics, secret)
    (record,) = held(topics, topics.names.stats)
    forged = (("source", record.source.encode()),)
    publish(topics, Outgoing(topics.names.documents, URL.encode(), b'{"text": "a"}', forged))

    found = find(open_lookups(settings, "", BOTH, ()), topics, "documents", topics.names.documents)

    assert found.page is None
    assert found.why == "the document does not say where its page is"


def test_brokers_and_a_redis_that_do_not_answer_are_named() -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    environment = {
        "WINNOW_KAFKA_BOOTSTRAP": nowhere,
        "WINNOW_REDIS_URL": f"redis://{nowhere}/0",
    }
    lookups = open_lookups(Settings.from_env(environment), "", BOTH, ())

    with pytest.raises(SourceUnavailable, match="cache: unreachable"):
        lookups.find(LookupAsked("cache", url=URL))
    with pytest.raises(SourceUnavailable, match=nowhere):
        lookups.find(LookupAsked("dead"))


def test_a_worker_serves_the_inspector_when_asked_to(
    topics: Deployment, start_worker: StartWorker
) -> None:
    port = free_port()
    worker = start_worker(1, WINNOW_INSPECT_PORT=str(port))
    address = f"http://127.0.0.1:{port}"

    def asked(path: str, host: str = "127.0.0.1") -> bytes:
        request = urllib.request.Request(f"{address}{path}", headers={"Host": host})
        with urllib.request.urlopen(request, timeout=10) as answer:
            body: bytes = answer.read()
            return body

    def is_up() -> bool:
        with suppress(OSError):
            return b"Winnow inspector" in asked("/")
        return False

    worker.until(is_up)
    assert orjson.loads(asked("/api/sources"))["sources"] == ["pages", "documents", "dead"]
    with pytest.raises(urllib.error.HTTPError, match="421"):
        asked("/", "evil.example")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        asked("/metrics")
    assert worker.get(0, "/api/sources")[0] == 404

    (started,) = (each for each in worker.events() if each["event"] == "inspector_started")
    os.kill(int(str(started["pid"])), signal.SIGKILL)
    worker.until(lambda: any(each["event"] == "inspector_ended" for each in worker.events()))
    publish(topics, Outgoing(topics.names.pages, URL.encode(), BODY, ()))
    worker.until(lambda: worker.done(0) == 1)
