"""`winnow worker` with two processes on the real Kafka."""

import os
import signal

import pytest
from confluent_kafka import Producer

from tests.integration.kafka.conftest import Deployment, StartWorker, held, publish
from tests.integration.kafka.running import RunningWorker
from winnow.streams.records import Outgoing

PAGES = 200
BODY = b"<title>Grain</title><p>The miller keeps the grain and lets the wind take the chaff."


@pytest.fixture
def worker(start_worker: StartWorker) -> RunningWorker:
    foreign = {"WEB_PORT": "tcp://10.0.0.1:80", "BROKER_CREDENTIALS": "user:hunter2"}
    return start_worker(2, **foreign)


def test_one_scrape_sums_both_processes_and_they_stop_together(
    topics: Deployment, worker: RunningWorker
) -> None:
    urls = [b"https://example.org/%d" % number for number in range(PAGES)]
    publish(topics, *(Outgoing(topics.names.pages, url, BODY, ()) for url in urls))

    worker.until(lambda: worker.done(0) + worker.done(1) == PAGES)

    parts = [worker.done(index) for index in range(2)]
    assert min(parts) > 0  # both had partitions with pages
    assert [worker.done(index, "/metrics/pod") for index in range(2)] == [PAGES, PAGES]
    worker.supervisor.send_signal(signal.SIGTERM)
    assert worker.supervisor.wait(60) == 0
    ended = [each for each in worker.events() if each["event"] == "process_ended"]
    assert sorted((each["process"], each["exit_code"]) for each in ended) == [(0, 0), (1, 0)]
    assert {each.key for each in held(topics, topics.names.documents)} == set(urls)
    assert "hunter2" not in worker.log.read_text()


def test_almost_empty_records_are_dead_letters_or_deletions(
    topics: Deployment, worker: RunningWorker
) -> None:
    nothing = [
        Outgoing(topics.names.pages, key, value, headers)
        for key, value, headers in (
            (None, None, ()),
            (None, b"", (("null", None),)),
            (b"https://example.org/", None, (("null", None), ("", b""))),
        )
    ]
    publish(topics, *nothing)

    worker.until(lambda: worker.done(0) + worker.done(1) == len(nothing))

    letters = held(topics, topics.names.dead)
    assert sorted((each.header("reason") or b"").decode() for each in letters) == [
        "empty",
        "tombstone",
    ]
    (empty,) = [each for each in letters if each.header("reason") == b"empty"]
    assert empty.headers[:1] == (("null", None),)
    (gone,) = held(topics, topics.names.documents)
    assert (gone.key, gone.value) == (b"https://example.org/", None)
    assert gone.headers[:2] == (("null", None), ("", b""))


def test_pages_of_an_aborted_transaction_are_skipped(
    topics: Deployment, worker: RunningWorker
) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap, "transactional.id": topics.group})
    producer.init_transactions(30)
    endings = (producer.commit_transaction, producer.abort_transaction) * 10
    for number, end in enumerate(endings):
        producer.begin_transaction()
        producer.produce(topics.names.pages, BODY, b"https://example.org/%d" % number)
        producer.flush()
        end(30)

    worker.until(lambda: worker.done(0) + worker.done(1) >= len(endings) // 2)

    documents = {each.key for each in held(topics, topics.names.documents)}
    assert documents == {b"https://example.org/%d" % number for number in range(0, 20, 2)}


def test_the_sum_is_absent_while_a_process_does_not_answer(worker: RunningWorker) -> None:
    started = [each for each in worker.events() if each["event"] == "process_started"]
    second = next(each["pid"] for each in started if each["process"] == 1)
    assert isinstance(second, int)

    os.kill(second, signal.SIGSTOP)
    status, body = worker.get(0, "/metrics/pod")
    os.kill(second, signal.SIGCONT)

    assert status == 503
    assert f":{worker.port + 1}/metrics does not answer" in body
