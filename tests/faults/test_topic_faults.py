"""Topics are deleted and made again, get partitions, or are cut: offsets are not in their log."""

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions

from tests.faults.conftest import Record
from tests.faults.harness import BATCH_PAGES, PARTITIONS, Scenario
from tests.faults.settling import settle
from winnow.streams.errors import KafkaUnavailable, NoSuchTopic
from winnow.streams.operator.topic_reader import TopicReader

PAGES = 600
MANY_PAGES = 4000
FEW_PAGES = 40


def admin_of(scenario: Scenario) -> AdminClient:
    return AdminClient({"bootstrap.servers": ",".join(scenario.connection.bootstrap)})


def is_there(scenario: Scenario, topic: str) -> bool | None:
    """Return whether there is a topic, None while it is being made and has no leaders yet."""
    with TopicReader(scenario.connection, scenario.group) as reader:
        try:
            return bool(reader.spans(topic))
        except NoSuchTopic:
            return False
        except KafkaUnavailable:
            return None


def delete(scenario: Scenario, topic: str) -> None:
    admin = admin_of(scenario)  # which must live until it has answered
    admin.delete_topics([topic])[topic].result(30)
    scenario.wait_until(lambda: is_there(scenario, topic) is False)


def make_again(scenario: Scenario, topic: str, away_s: float = 0) -> None:
    """Delete a topic, and make it again after some time."""
    delete(scenario, topic)
    scenario.let_pass(away_s)
    scenario.make_topics()
    scenario.wait_until(lambda: is_there(scenario, topic) is True)


def make_pages_again(scenario: Scenario) -> None:
    """Delete the pages topic, make it again, and publish half as many pages as it had."""
    make_again(scenario, scenario.names.pages)
    scenario.fill(b"page %d" % number for number in range(PAGES // 2))


def wait_for_all(scenario: Scenario) -> None:
    scenario.wait_until(lambda: sum(scenario.committed().values()) == len(scenario.expected))


def test_the_pages_topic_is_made_again_under_a_worker(scenario: Scenario, record: Record) -> None:
    scenario.prepare(PAGES)
    worker = scenario.start_worker()
    wait_for_all(scenario)

    make_pages_again(scenario)

    outcome = scenario.finish()
    record(outcome)
    words = worker.output()  # depends on what it notices first: the deletion or the new topic
    assert "begins again at" in words or words.count('"partitions_assigned"') > 1


def test_the_pages_topic_is_made_again_while_no_worker_runs(
    scenario: Scenario, record: Record
) -> None:
    scenario.prepare(PAGES)
    worker = scenario.start_worker()
    wait_for_all(scenario)
    scenario.end_worker(worker)

    make_pages_again(scenario)
    scenario.start_worker()

    record(scenario.finish())


def test_pages_are_gone_before_they_were_read(scenario: Scenario, record: Record) -> None:
    """What retention does to a topic whose workers were away for too long."""
    scenario.prepare(PAGES)
    worker = scenario.start_worker()
    wait_for_all(scenario)
    scenario.end_worker(worker)
    read = set(scenario.expected)
    scenario.fill(b"page %d" % number for number in range(PAGES))
    gone = scenario.expected - read

    cut(scenario)
    scenario.fill(b"page %d" % number for number in range(PAGES))
    scenario.expected -= gone
    worker = scenario.start_worker()

    record(scenario.finish())
    assert "is out of range" in worker.output()


def cut(scenario: Scenario) -> None:
    """Delete all pages."""
    admin = AdminClient({"bootstrap.servers": ",".join(scenario.connection.bootstrap)})
    ends = [
        TopicPartition(scenario.names.pages, number, end) for number, end in scenario.ends.items()
    ]
    for deletion in admin.delete_records(ends).values():
        deletion.result(30)


def fill_new_topic(scenario: Scenario, partitions: int, away_s: float = 0) -> set[bytes]:
    """Create the pages topic again with a number of partitions and a few pages; return their URLs.

    They are fewer than what was committed of any partition: a log that has grown past a committed
    offset looks as if it had been read.
    """
    before = set(scenario.expected)
    scenario.partitions = partitions
    make_again(scenario, scenario.names.pages, away_s)
    scenario.fill(b"page %d" % number for number in range(FEW_PAGES))
    return scenario.expected - before


@pytest.mark.parametrize("away_s", [0, 7], ids=["at_once", "after_seven_seconds"])
@pytest.mark.parametrize("run", range(7))
@pytest.mark.parametrize("partitions", [PARTITIONS // 2, PARTITIONS * 2], ids=["fewer", "more"])
def test_the_pages_topic_is_made_again_with_other_partitions_under_workers(
    scenario: Scenario, partitions: int, run: int, away_s: float
) -> None:
    """Pages in flight have no partition left to be committed to."""
    workers = 1 + run % 2
    scenario.make_topics()
    scenario.fill(b"page %d" % number for number in range(MANY_PAGES))
    for _ in range(workers):
        scenario.start_worker(page_ms=3)
    scenario.wait_for_share(0.1 + run / 20)

    pages = fill_new_topic(scenario, partitions, away_s)

    scenario.wait_until(scenario.is_done, 60)
    _, outcome = settle(scenario)
    documents = {each.key for each in scenario.records(scenario.names.documents)}
    assert pages - documents == set()
    assert (outcome.restarts, set(outcome.exit_codes)) == (0, {0})


@pytest.mark.parametrize("kind", ["documents", "stats", "dead"])
@pytest.mark.parametrize("partitions", [PARTITIONS // 2, PARTITIONS, PARTITIONS * 2])
def test_a_topic_that_is_published_to_is_made_again_under_a_worker(
    scenario: Scenario, kind: str, partitions: int
) -> None:
    """Old pages are deleted; all pages published later are there."""
    topic = getattr(scenario.names, kind)
    scenario.prepare(MANY_PAGES)
    scenario.start_worker(page_ms=2)
    scenario.wait_for_share(0.2)
    pages = scenario.partitions

    scenario.partitions = partitions
    make_again(scenario, topic, away_s=7)
    scenario.partitions = pages
    before = sum(scenario.committed().values())

    scenario.wait_until(scenario.is_done)
    settled, outcome = settle(scenario)
    assert (outcome.restarts, set(outcome.exit_codes)) == (0, {0})
    assert settled.unfounded == settled.mistaken == ()
    # of the topic that was deleted the pages before are gone, of the others nothing is
    least = (MANY_PAGES - before) // 2 if kind != "dead" else 1
    assert len(scenario.records(topic)) >= least
    if kind == "stats":
        assert settled.lost == ()


def test_partitions_are_added_under_workers(scenario: Scenario, record: Record) -> None:
    scenario.prepare(MANY_PAGES)
    for _ in range(2):
        scenario.start_worker(page_ms=2)
    scenario.wait_for_share(0.2)

    scenario.partitions = 3 * PARTITIONS
    wanted = [NewPartitions(scenario.names.pages, scenario.partitions)]
    admin = admin_of(scenario)
    for done in admin.create_partitions(wanted).values():
        done.result(30)
    scenario.fill(b"page %d" % number for number in range(MANY_PAGES // 4))
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.restarts == 0
    assert outcome.repeated <= 2 * BATCH_PAGES


def test_committed_offsets_are_beyond_the_end(scenario: Scenario, record: Record) -> None:
    scenario.prepare(PAGES)
    member = Consumer(
        {
            "bootstrap.servers": ",".join(scenario.connection.bootstrap),
            "group.id": scenario.group,
            "enable.auto.commit": False,
        }
    )
    places = [
        TopicPartition(scenario.names.pages, number, end + 1000)
        for number, end in scenario.ends.items()
    ]
    member.commit(offsets=places, asynchronous=False)
    member.close()
    worker = scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert "is out of range" in worker.output()
