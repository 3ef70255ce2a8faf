"""What a stream on Faust is known to trip over: pages, offsets, members, memory and codecs."""

import signal
import urllib.request
from collections.abc import Iterator
from typing import Final

import pytest
from confluent_kafka import Consumer, KafkaError, Message, Producer

from tests.faults.conftest import MakeScenario, Record, StartCluster
from tests.faults.harness import BATCH_PAGES, GRACE_S, PROCESS_BYTES, Scenario, exit_code
from tests.services.processes import ServerProcess, free_port
from winnow.streams.kafka.tuning import Compression
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.topics import MAX_PAGE_BYTES

LARGE_PAGE_BYTES: Final = 5 << 20
SECRET: Final = "hunter2"
OF_OTHER_PROGRAMS: Final = {
    "WEB_PORT": "tcp://10.0.0.1:80",
    "BROKER_CREDENTIALS": f"user:{SECRET}",
    "BROKER_URL": f"kafka://user:{SECRET}@elsewhere:9092",
    "STREAM_BUFFER_MAXSIZE": "1",
    "TIMEZONE": "Mars/Olympus",
    "APP_DATADIR": "/nowhere",
}


def assignments(worker: ServerProcess) -> int:
    """Return how often the worker was given partitions."""
    return worker.output().count('"partitions_assigned"')


def numbered(pages: int, words: bytes = b"page") -> Iterator[bytes]:
    return (b"%b %d" % (words, number) for number in range(pages))


def test_a_page_on_which_the_cleaner_raises(scenario: Scenario, record: Record) -> None:
    scenario.make_topics()
    scenario.fill(b"raise" if number % 50 == 9 else b"page" for number in range(1000))
    worker = scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert scenario.reasons() == {"bug": 20}
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert assignments(worker) == 1


def test_the_agent_fails_with_a_batch_in_hand(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=600)
    failed = scenario.start_worker(phase="half_published", signal="RAISE", batch=4)

    assert exit_code(failed) == 1  # never goes on in place, where the batch would count as done
    assert sum(scenario.committed().values()) == 3 * BATCH_PAGES
    scenario.workers.remove(failed)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= BATCH_PAGES


def test_hostile_records(scenario: Scenario, record: Record) -> None:
    hostile = (
        *(None, b"", b" \n", b"{", b'{"html": 5}', b"[" * 5000, b"\xff" * 100, b"\x00" * 100),
        b'{"html": "", "url": "https://example.org/"}',
        b"x" * (MAX_PAGE_BYTES + 1),
    )
    scenario.make_topics()
    for _ in range(10):
        scenario.fill(hostile)
        scenario.fill(numbered(50))
    worker = scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert scenario.reasons() == {"empty": 30, "undecodable": 20, "too_large": 10}
    assert outcome.deleted == 10
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert assignments(worker) == 1  # a crashed agent would have stalled the stream


def test_killed_while_a_slow_page_blocks_its_partition(scenario: Scenario, record: Record) -> None:
    scenario.partitions = 1
    scenario.make_topics()
    scenario.fill([*numbered(10), b"slow page", *numbered(600)])
    slow = scenario.start_worker(slow_s=3600)
    scenario.wait_until(lambda: "slow now" in slow.output())
    scenario.let_pass(3)  # for the records after it

    assert scenario.committed().get(0, 0) <= 10
    scenario.kill_worker(slow)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= BATCH_PAGES


def test_source_offsets_have_gaps(scenario: Scenario, record: Record) -> None:
    """Each transaction of a crawler leaves a marker that takes an offset."""
    scenario.make_topics()
    fill_in_transactions(scenario, transactions=60, pages_each=10)
    killed = scenario.start_worker(page_ms=2, phase="published", signal="SIGKILL", batch=4)
    assert exit_code(killed) == -signal.SIGKILL
    scenario.workers.remove(killed)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= BATCH_PAGES


def test_a_crawler_aborts_transactions(scenario: Scenario, record: Record) -> None:
    """The logs end with records that no reader gets, and one has only such: no lag may stay."""
    scenario.make_topics()
    fill_in_transactions(scenario, transactions=60, pages_each=10, aborted=2)
    killed, _ = (scenario.start_worker(page_ms=10) for _ in range(2))
    scenario.wait_for_share(1.2)  # of three: aborted pages and marks have offsets too
    scenario.kill_worker(killed)
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert scenario.committed() == log_ends(scenario)
    assert outcome.repeated <= BATCH_PAGES


def log_ends(scenario: Scenario) -> dict[int, int]:
    with TopicReader(scenario.connection, scenario.group) as reader:
        spans = reader.spans(scenario.names.pages)
    return {number: span.end for number, span in spans.items()}


def fill_in_transactions(
    scenario: Scenario, transactions: int, pages_each: int, aborted: int = 0
) -> None:
    """Publish pages, and after each transaction a number of aborted ones.

    The last partition gets pages of these only.
    """
    producer = Producer(
        {
            "bootstrap.servers": ",".join(scenario.connection.bootstrap),
            "transactional.id": scenario.group,
        }
    )

    def stored(error: KafkaError | None, message: Message) -> None:
        assert error is None
        partition, offset = message.partition(), message.offset()
        assert partition is not None
        assert offset is not None
        scenario.ends[partition] = offset + 2  # the mark of its transaction follows the last page

    def send(partition: int, url: bytes) -> None:
        producer.produce(
            scenario.names.pages, b"page", key=url, partition=partition, on_delivery=stored
        )

    producer.init_transactions()
    for _ in range(transactions):
        producer.begin_transaction()
        for number in range(pages_each):
            send(number % (scenario.partitions - 1), scenario.new_url())
        producer.commit_transaction()
        for _ in range(aborted):
            producer.begin_transaction()
            for number in range(scenario.partitions):
                send(number, b"https://example.org/aborted")
            producer.flush()
            producer.abort_transaction()


def test_an_idle_member_takes_over(scenario: Scenario, record: Record) -> None:
    scenario.partitions = 1
    scenario.prepare(pages=3000)
    active = scenario.start_worker(page_ms=4)
    scenario.wait_for_share(0.05)
    idle = scenario.start_worker(page_ms=4)
    scenario.wait_until(lambda: assignments(active) == 2 and assignments(idle) == 1)
    scenario.let_pass(8)  # longer than a session

    scenario.kill_worker(next(w for w in (active, idle) if '"partitions":1' in last_share(w)))
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.restarts == 0  # the one that was idle did the rest
    assert outcome.repeated <= 2 * BATCH_PAGES


def last_share(worker: ServerProcess) -> str:
    return [line for line in worker.output().splitlines() if '"partitions_assigned"' in line][-1]


def test_the_group_refuses_the_member(scenario: Scenario, record: Record) -> None:
    """Another program uses the group, with another way of sharing partitions."""
    scenario.prepare(pages=300)
    foreign = Consumer(
        {
            "bootstrap.servers": ",".join(scenario.connection.bootstrap),
            "group.id": scenario.group,
            "partition.assignment.strategy": "range",
            "enable.auto.commit": False,
        }
    )
    foreign.subscribe([scenario.names.pages])
    scenario.wait_until(lambda: foreign.poll(0.1) is not None or bool(foreign.assignment()))

    refused = scenario.start_worker()
    assert exit_code(refused) == 1  # instead of staying alive without pages
    scenario.workers.remove(refused)
    foreign.close()
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated == 0


def test_the_group_is_full(
    scenarios: MakeScenario, start_cluster: StartCluster, record: Record
) -> None:
    scenario = scenarios("the group is full", start_cluster(group_max_size="1").bootstrap)
    scenario.prepare(pages=300)
    scenario.wait_ready(scenario.start_worker())

    refused = scenario.start_worker()
    code = exit_code(refused)
    scenario.workers.remove(refused)

    outcome = scenario.finish()
    record(outcome)
    assert (code, outcome.repeated, outcome.restarts) == (1, 0, 0)
    assert "the group is full: raise group.max.size" in refused.output()


@pytest.mark.parametrize(
    ("session_s", "joins"), [(60, 1), (6, 2)], ids=["within_its_session", "past_its_session"]
)
def test_a_native_call_blocks_the_interpreter(
    scenario: Scenario, record: Record, session_s: int, joins: int
) -> None:
    port = free_port()
    scenario.environment |= {
        "WINNOW_SESSION_SECONDS": str(session_s),
        "WINNOW_WEB_PORT": str(port),
    }
    scenario.make_topics()
    scenario.fill([*numbered(300), b"block for a while", *numbered(300)])
    worker = scenario.start_worker(slow_s=20)
    scenario.wait_until(lambda: "blocks now" in worker.output())
    assert not is_live(port)  # to a kubelet: no answer is a failed probe
    scenario.wait_for_recovery()
    assert is_live(port)

    outcome = scenario.finish()  # it still hears SIGTERM
    record(outcome)
    assert assignments(worker) == joins
    assert outcome.repeated <= BATCH_PAGES
    assert outcome.exit_s <= GRACE_S


def is_live(port: int) -> bool:
    """Ask as a kubelet does, which gives up after a few seconds."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def test_sixty_four_partitions_of_five_megabyte_pages(scenario: Scenario, record: Record) -> None:
    scenario.partitions = 64
    scenario.make_topics()
    body = b"page " + bytes(range(65, 91)) * (LARGE_PAGE_BYTES // 26)
    scenario.fill(body for _ in range(256))
    scenario.start_worker(page_ms=50)

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert outcome.peak_bytes <= PROCESS_BYTES


@pytest.mark.parametrize("codec", list(Compression))
def test_pages_and_documents_in_the_codec(
    scenario: Scenario, record: Record, codec: Compression
) -> None:
    scenario.environment["WINNOW_KAFKA_COMPRESSION"] = codec
    scenario.make_topics()
    scenario.fill([*numbered(200), b"page " * (LARGE_PAGE_BYTES // 5), *numbered(200)], codec)
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)


def test_variables_of_other_programs(scenario: Scenario, record: Record) -> None:
    scenario.environment |= OF_OTHER_PROGRAMS
    scenario.prepare(pages=1000)
    workers = [scenario.start_worker() for _ in range(2)]
    scenario.wait_ready(*workers)

    outcome = scenario.finish()
    record(outcome)
    assert outcome.restarts == 0
    assert not [worker for worker in workers if SECRET in worker.output()]
