"""The pages topic is deleted and made again, or cut: committed offsets are not in its log."""

from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from streams.errors import NoSuchTopic
from streams.topic_reader import TopicReader
from tests.faults.conftest import Record
from tests.faults.harness import Scenario

PAGES = 600


def pages_topic_is_there(scenario: Scenario) -> bool:
    with TopicReader(scenario.connection, scenario.group) as reader:
        try:
            return bool(reader.spans(scenario.names.pages))
        except NoSuchTopic:
            return False


def make_again(scenario: Scenario) -> None:
    """Delete the pages topic, make it again, and publish half as many pages as it had."""
    admin = AdminClient({"bootstrap.servers": ",".join(scenario.connection.bootstrap)})
    admin.delete_topics([scenario.names.pages])[scenario.names.pages].result(30)
    scenario.wait_until(lambda: not pages_topic_is_there(scenario))
    scenario.make_topics()
    scenario.wait_until(lambda: pages_topic_is_there(scenario))
    scenario.fill(b"page %d" % number for number in range(PAGES // 2))


def wait_for_all(scenario: Scenario) -> None:
    scenario.wait_until(lambda: sum(scenario.committed().values()) == len(scenario.expected))


def test_the_pages_topic_is_made_again_under_a_worker(scenario: Scenario, record: Record) -> None:
    scenario.prepare(PAGES)
    worker = scenario.start_worker()
    wait_for_all(scenario)

    make_again(scenario)

    outcome = scenario.finish()
    record(outcome)
    assert "begins again at" in worker.output()


def test_the_pages_topic_is_made_again_while_no_worker_runs(
    scenario: Scenario, record: Record
) -> None:
    scenario.prepare(PAGES)
    worker = scenario.start_worker()
    wait_for_all(scenario)
    scenario.end_worker(worker)

    make_again(scenario)
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
    """Delete all pages that there are."""
    admin = AdminClient({"bootstrap.servers": ",".join(scenario.connection.bootstrap)})
    ends = [
        TopicPartition(scenario.names.pages, number, end) for number, end in scenario.ends.items()
    ]
    for deletion in admin.delete_records(ends).values():
        deletion.result(30)
