"""With any fault of worker and broker, every page is answered and nothing is committed early."""

import asyncio
import signal
import time

import pytest
from aiokafka.producer import message_accumulator, producer
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy

from tests.integration.embedded.harness import NAMES, Bench
from tests.odd_names import RawName
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import TopicReader
from winnow.worker.demo.embedded import Request

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

LEADER_NOT_AVAILABLE = 5
NOT_LEADER = 6
REQUEST_TIMED_OUT = 7
MESSAGE_TOO_LARGE = 10
NOT_ENOUGH_REPLICAS = 19
TOPIC_AUTHORIZATION_FAILED = 29
GROUP_AUTHORIZATION_FAILED = 30


def pages(count: int, every_fifth: bytes = b"bad") -> list[bytes]:
    return [every_fifth if i % 5 == 4 else b"<p>page %d" % i for i in range(count)]


def test_every_page_is_answered_once_and_committed_when_nothing_fails(bench: Bench) -> None:
    bench.publish(pages(100))
    worker = bench.start()

    account = bench.until_answered()
    worker.send(signal.SIGTERM)

    assert worker.wait() == 0
    assert account.reasons == {"too_deep": 20}
    assert account.repeats == 0
    assert bench.committed() == 100


def test_a_page_that_breaks_the_cleaner_is_a_dead_letter_and_the_others_are_not(
    bench: Bench,
) -> None:
    bench.publish(pages(50, every_fifth=b"bug"))
    worker = bench.start()

    account = bench.until_answered()

    assert account.reasons == {"bug": 10}
    assert account.repeats == 0
    assert worker.log.count('"event":"bug"') == 10


@pytest.mark.alone
def test_hostile_records_are_dead_letters_at_once(bench: Bench) -> None:
    hostile = [None, b"", b" \n", b"{", b'{"html": 5}', b"\xff" * 100, b"[" * 5000, b'{"html":""}']
    bench.publish(hostile * 5)
    bench.publish([b"<p>fine"])
    worker = bench.start()
    worker.until_logged("partitions_assigned")
    started = time.monotonic()

    account = bench.until_answered()

    assert time.monotonic() - started < 5  # a crashed agent of Faust stalls that long each time
    assert account.reasons == {"empty": 15, "undecodable": 10}
    assert len(account.deleted) == 5
    assert account.repeats == 0


def test_deletions_and_failed_answers_are_accounted_for(bench: Bench) -> None:
    for _ in range(10):
        bench.publish([b"<p>page", b"bad", None])
        bench.publish_with_status(404, [b"<p>not found", b""])
        bench.publish_with_status(503, [b"<p>later", b""])
        bench.publish_with_status(200, [b"<p>page"])
    worker = bench.start(dead_ratio="0.4", dead_consecutive="2")

    account = bench.until_answered()
    worker.send(signal.SIGTERM)

    assert worker.wait() == 0
    outcomes = [account.documents, account.deleted, account.skipped, account.dead]
    assert [len(each) for each in outcomes] == [20, 30, 20, 10]
    assert account.repeats == 0
    assert bench.committed() == 80


def test_records_without_a_key_are_dead_letters_too(bench: Bench) -> None:
    bench.publish_without_keys([None, b"", b"<p>of no URL"] * 5)
    bench.start()

    account = bench.until_answered()

    assert account.reasons == {"tombstone": 5, "empty": 5, "no_url": 5}
    assert account.repeats == 0


def test_pages_with_odd_header_names_are_documents_and_hold_up_no_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (message_accumulator, producer):
        monkeypatch.setattr(module, "DefaultRecordBatchBuilder", _DefaultRecordBatchBuilderPy)
    bench.publish([b"<p>before"] * 4)
    asyncio.run(bench.publish_with_header(RawName("odd"), [b"<p>odd"] * 4))
    bench.publish([b"<p>after"] * 4)
    bench.start()

    account = bench.until_answered()

    assert len(account.documents) == 12
    with TopicReader(Connection(bench.broker.bootstrap), "test") as reader:
        pages = list(reader.read(NAMES.pages, reader.spans(NAMES.pages)))
    assert len(pages) == 12


def test_outputs_that_fail_to_be_stored_are_tried_again_before_anything_is_committed(
    bench: Bench,
) -> None:
    bench.publish(pages(60))
    for error in (LEADER_NOT_AVAILABLE, NOT_LEADER, REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS):
        bench.broker.fail_next(Request.PRODUCE, [error] * 3)

    worker = bench.start(batch_pages="10")
    account = bench.until_answered()
    worker.send(signal.SIGTERM)

    assert worker.wait() == 0
    assert account.repeats == 0
    assert bench.committed() == 60


def test_copies_of_doubtful_documents_are_stored_before_anything_is_committed(
    bench: Bench,
) -> None:
    bench.broker.create_topic("winnow.doubtful", 2)
    bench.publish([b"<p>doubt", b"<p>page", b"bad"] * 10)
    bench.broker.fail_next(Request.PRODUCE, [NOT_LEADER] * 3)

    worker = bench.start(topic_doubtful="winnow.doubtful", batch_pages="10")
    account = bench.until_answered()
    worker.send(signal.SIGTERM)

    assert worker.wait() == 0
    assert account.repeats == 0
    assert bench.committed() == 30
    with TopicReader(Connection(bench.broker.bootstrap), "test") as reader:
        documents, copies = (
            {each.record.key: each.record.value for each in reader.read(name, reader.spans(name))}
            for name in (NAMES.documents, "winnow.doubtful")
        )
    assert len(documents) == 20
    doubtful = {key: value for key, value in documents.items() if b"doubt" in (value or b"")}
    assert len(doubtful) == 10
    assert copies == doubtful


def test_worker_ends_with_nothing_committed_when_the_brokers_refuse_for_good(
    bench: Bench,
) -> None:
    bench.publish(pages(20))
    bench.broker.fail_next(Request.PRODUCE, [TOPIC_AUTHORIZATION_FAILED])
    worker = bench.start()

    assert worker.wait() == 1
    assert "DeliveryError" in worker.log
    assert bench.committed() == 0
    bench.start()
    bench.until_answered()


def test_sigterm_in_the_middle_of_a_batch_finishes_it_first(bench: Bench) -> None:
    bench.publish(pages(60))
    worker = bench.start(page_s=0.1, batch_pages="10")
    worker.until_logged("page_cleaned")

    worker.send(signal.SIGTERM)

    assert worker.wait() == 0
    done = bench.committed()
    assert 10 <= done < 60
    assert len(bench.account().answered) == done
    bench.start()
    account = bench.until_answered()
    assert account.repeats == 0


def test_sigkill_in_the_middle_of_a_batch_repeats_at_most_that_batch(bench: Bench) -> None:
    bench.publish(pages(60))
    worker = bench.start(page_s=0.05, batch_pages="10")
    worker.until_logged("page_cleaned")

    worker.send(signal.SIGKILL)
    worker.wait()

    bench.start()
    account = bench.until_answered()
    assert account.repeats <= 30  # three batches are in flight at most


@pytest.mark.alone
def test_worker_ends_when_the_group_refuses_it(bench: Bench) -> None:
    bench.publish(pages(10))
    bench.broker.fail_next(Request.JOIN_GROUP, [GROUP_AUTHORIZATION_FAILED])
    started = time.monotonic()
    worker = bench.start()

    assert worker.wait() == 1
    assert time.monotonic() - started < 15
    assert "CoordinationLostError" in worker.log


@pytest.mark.alone
def test_stop_ends_by_the_deadline_when_a_native_call_hangs(bench: Bench) -> None:
    bench.publish([b"<p>fine", b"<p>fine"])
    worker = bench.start(drain_seconds="1", batch_pages="1", stuck_seconds="5")
    worker.until_logged("page_cleaned", times=2)
    bench.publish([b"hang"])
    worker.until(lambda: worker.probe("/livez")[0] == 503)
    assert "stuck" in worker.probe("/livez")[1]
    started = time.monotonic()

    worker.send(signal.SIGTERM)

    assert worker.wait() in {0, 3}
    assert time.monotonic() - started < 8
    assert bench.committed() == 2


@pytest.mark.alone
def test_stop_ends_by_the_deadline_when_no_broker_answers(bench: Bench) -> None:
    bench.publish(pages(40))
    worker = bench.start(page_s=0.02, drain_seconds="2", batch_pages="5")
    worker.until_logged("page_cleaned")
    bench.broker.set_down()
    started = time.monotonic()

    worker.send(signal.SIGTERM)

    assert worker.wait() in {0, 1, 3}
    assert time.monotonic() - started < 12
    bench.broker.set_up()
    assert bench.committed() <= len(bench.account().answered)
    bench.start()
    bench.until_answered()


def test_broker_that_comes_back_finds_the_worker_at_its_place(bench: Bench) -> None:
    bench.publish(pages(20))
    worker = bench.start()
    bench.until_answered()
    bench.broker.set_down()
    worker.until_logged("aiokafka")
    assert worker.probe("/livez")[0] == 200

    bench.broker.set_up()
    bench.publish(pages(20))

    bench.until_answered()
    assert worker.process.poll() is None


def test_too_many_dead_letters_stop_the_worker_before_the_topic_is_emptied(bench: Bench) -> None:
    bench.publish([b"bad"] * 100)
    worker = bench.start(dead_consecutive="30", batch_pages="10")

    assert worker.wait() == 1
    assert "30 dead letters in a row, the last for too_deep" in worker.log
    account = bench.account()  # a batch may be cut short, so only the limit itself is sure
    assert len(account.dead) < 30
    assert bench.committed() < 30


def test_two_workers_share_the_pages_and_one_takes_over_when_the_other_goes(bench: Bench) -> None:
    first = bench.start(page_s=0.02, batch_pages="5")
    first.until_logged('"partitions":2')
    second = bench.start(page_s=0.02, batch_pages="5")
    second.until_logged('"partitions":1')
    bench.publish(pages(100))
    second.until_logged("page_cleaned")

    second.send(signal.SIGTERM)

    assert second.wait() == 0
    account = bench.until_answered()
    assert first.log.count("page_cleaned") > 0
    assert account.repeats <= 30


def test_variables_of_other_programs_do_no_harm(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "WEB_PORT": "tcp://10.0.0.1:80",
        "FAUST_WEB_PORT": "tcp://10.0.0.1:80",
        "BROKER_CREDENTIALS": "user:hunter2",
        "BROKER_URL": "kafka://elsewhere:9092",
        "STREAM_BUFFER_MAXSIZE": "1",
        "TIMEZONE": "Mars/Olympus",
        "APP_DATADIR": "/nowhere",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("FAUST_WEB_PORT")  # the command line drops it before Faust is imported
    bench.publish(pages(10))

    worker = bench.start()

    bench.until_answered()
    assert "hunter2" not in worker.log
