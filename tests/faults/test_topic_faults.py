"""The pages topic is deleted and made again: offsets begin anew, below those that are committed."""

from confluent_kafka.admin import AdminClient

from streams.topic_reader import NoSuchTopic, TopicReader
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
