"""Three brokers, replication 3, two copies in sync: killed, frozen, restarted, without a quorum."""

import contextlib
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from confluent_kafka import ElectionType
from confluent_kafka.admin import AdminClient

from tests.faults.conftest import MakeScenario, Record, StartCluster
from tests.faults.disruptions import fill, small_disk
from tests.faults.harness import BATCH_PAGES, GRACE_S, SESSION_S, Scenario
from tests.faults.settling import settle as settled_account
from tests.services.brokers import Broker, KafkaCluster
from tests.services.processes import ServerProcess
from tests.services.proxy import ProxyThread
from winnow.streams.errors import KafkaUnavailable
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Outgoing

PAGES = 6000
VERSIONS = 120
LOST_LOGS = 30
LIES = 30
PATIENCE_S = 60.0
SETTLED_S = 6.0  # metadata is five seconds old at most
QUORUM_LOG = "__cluster_metadata-0"


def at_work(scenario: Scenario, replication: int = 3, page_ms: int = 4) -> None:
    """Fill the topics and let two workers do the first tenth."""
    scenario.prepare(pages=PAGES, replication=replication)
    for _ in range(2):
        scenario.start_worker(page_ms=page_ms)
    scenario.wait_for_share(0.1)


def settle(scenario: Scenario, record: Record, faults: int = 1) -> None:
    """Wait for recovery, then account for all pages.

    Each fault may cost each of two members the batch that is stored and not committed.
    """
    scenario.wait_for_recovery()
    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= 2 * BATCH_PAGES * (faults + outcome.restarts)


def test_a_broker_is_killed(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)

    three_brokers.brokers[0].process.kill()

    settle(replicated, record)


def test_a_broker_is_killed_and_restarted(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)

    three_brokers.brokers[1].process.kill()
    replicated.wait_for_share(0.3)
    three_brokers.brokers[1].restart()

    settle(replicated, record)


def test_a_broker_is_frozen_for_twenty_seconds(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)
    broker = three_brokers.brokers[0].process

    broker.freeze()
    replicated.let_pass(20)
    broker.thaw()

    settle(replicated, record)


def test_all_brokers_are_restarted_one_by_one(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated, page_ms=20)  # a minute: the last broker, too, goes under load

    for broker in three_brokers.brokers:
        broker.process.stop()
        broker.restart()
        three_brokers.wait_ready()

    settle(replicated, record, faults=3)


def test_the_quorum_is_lost_and_returns(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)
    lost = three_brokers.brokers[1:]

    for broker in lost:
        broker.process.kill()
    replicated.let_pass(20)
    for broker in lost:
        broker.restart()

    settle(replicated, record)


def test_the_leaders_change(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    replicated.prepare(pages=PAGES, replication=3)
    restarted = three_brokers.brokers[0]
    restarted.process.stop()  # its partitions get other leaders
    restarted.restart()
    three_brokers.wait_ready()
    for _ in range(2):
        replicated.start_worker(page_ms=4)
    replicated.wait_for_share(0.1)
    before = leaders(three_brokers, replicated)

    # refused until the broker has caught up with the others
    replicated.wait_until(lambda: elect_preferred_leaders(three_brokers))
    replicated.wait_until(lambda: leaders(three_brokers, replicated) != before)

    settle(replicated, record)


def test_the_leaders_change_while_a_member_is_frozen(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    replicated.make_topics(replication=3)
    restarted = three_brokers.brokers[0]
    restarted.process.stop()
    restarted.restart()
    three_brokers.wait_ready()
    worker = replicated.start_worker()
    replicated.wait_ready(worker)
    before = leaders(three_brokers, replicated)

    worker.freeze()
    replicated.wait_until(lambda: elect_preferred_leaders(three_brokers))
    replicated.wait_until(lambda: leaders(three_brokers, replicated) != before)
    replicated.fill(b"page %d" % number for number in range(PAGES))
    replicated.let_pass(2 * SESSION_S)
    worker.thaw()

    settle(replicated, record)  # nothing is committed: it must ask the new leaders where to begin


def leaders(cluster: KafkaCluster, scenario: Scenario) -> list[int]:
    """Return the leader of each partition of the pages topic."""
    topics = AdminClient(cluster.client_config()).list_topics(timeout=10).topics
    return [each.leader for each in topics[scenario.names.pages].partitions.values()]


def elect_preferred_leaders(cluster: KafkaCluster) -> bool:
    """Ask for it in all topics; return whether any partition has got another leader."""
    admin = AdminClient(cluster.client_config())
    outcomes = admin.elect_leaders(ElectionType.PREFERRED).result(10)
    return any(error is None for error in outcomes.values())


def test_a_broker_comes_back_with_an_empty_log(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)
    lose_log(three_brokers.brokers[2])

    settle(replicated, record)


def lose_log(broker: Broker) -> None:
    """Have a broker come back at once, with an empty log.

    The log of its controller stays: a voter that forgets its vote can end the whole quorum.
    """
    broker.process.kill()
    for partition in broker.log_folder.glob("*-[0-9]*"):
        if partition.name != QUORUM_LOG:
            shutil.rmtree(partition)
    broker.restart()


def test_a_broker_reports_positions_out_of_range(scenario: Scenario, record: Record) -> None:
    """A former leader reports all positions out of range, thirty times, idle and under load."""
    scenario.make_topics()
    fill_versions(scenario, PAGES)
    liar = scenario.start_worker(lies=5)
    scenario.wait_until(scenario.is_done)

    for number in range(1, LIES + 1):
        scenario.wait_until(partial(has_lied, liar, number))
        fill_versions(scenario, BATCH_PAGES)
    scenario.wait_until(scenario.is_done)

    words = liar.output()
    settled, outcome = settled_account(scenario)
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert settled.out_of_order == ()
    assert "is in the log of its leader" in words  # said once in ten seconds
    assert "begins again" not in words


def has_lied(worker: ServerProcess, times: int) -> bool:
    return worker.output().count("a broker lies now") >= times


@pytest.mark.timeout(3600)
def test_brokers_come_back_with_empty_logs_thirty_times(
    scenarios: MakeScenario, start_cluster: StartCluster, record: Record
) -> None:
    """Each returns before it is missed, and waits, because it is refused during its old session."""
    cluster = start_cluster(3, broker_session_timeout_ms="15000")
    scenario = scenarios("brokers come back with empty logs", cluster.bootstrap)
    scenario.make_topics(replication=3)
    fill_versions(scenario, PAGES)
    for _ in range(2):
        scenario.start_worker()
    scenario.wait_until(scenario.is_done)
    counted = count(scenario)
    repeated: list[int] = []

    for number in range(LOST_LOGS):
        broker = cluster.brokers[number % 3]
        scenario.wait_until(partial(leads_some, cluster, scenario, broker))
        lose_log(broker)
        cluster.wait_ready()
        fill_versions(scenario, VERSIONS)
        scenario.wait_until(scenario.is_done)
        scenario.let_pass(SETTLED_S)
        before, counted = counted, count(scenario)
        repeated.append(counted - before - VERSIONS)
        sys.stdout.write(f"round {number + 1}: {repeated[-1]} repeated\n")

    settled, outcome = settled_account(scenario)
    record(outcome)
    assert max(repeated) <= BATCH_PAGES
    assert settled.documents == PAGES + LOST_LOGS * VERSIONS
    assert settled.out_of_order == settled.unfounded == ()
    assert outcome.restarts == 0


def fill_versions(scenario: Scenario, pages: int) -> None:
    """Publish pages of a few URLs, each URL again and again."""
    while len(scenario.expected) < VERSIONS // 2:
        scenario.new_url()
    urls = sorted(scenario.expected)
    scenario.fill_records(
        Outgoing(scenario.names.pages, urls[number % len(urls)], b"page %d" % number, ())
        for number in range(pages)
    )


def count(scenario: Scenario) -> int:
    """Return how many documents and dead letters there have ever been, once all leaders tell."""
    counted: list[int] = []

    def is_counted() -> bool:
        with (
            contextlib.suppress(KafkaUnavailable),
            TopicReader(scenario.connection, scenario.group) as reader,
        ):
            topics = (scenario.names.documents, scenario.names.dead)
            counted.append(
                sum(span.end for topic in topics for span in reader.spans(topic).values())
            )
        return bool(counted)

    scenario.wait_until(is_counted)
    return counted[0]


def leads_some(cluster: KafkaCluster, scenario: Scenario, broker: Broker) -> bool:
    """Elect the preferred leaders if all copies are in sync; return whether the broker leads."""
    topics = AdminClient(cluster.client_config()).list_topics(timeout=PATIENCE_S).topics
    partitions = topics[scenario.names.pages].partitions.values()
    if any(len(each.isrs) < len(each.replicas) for each in partitions):
        return False
    elect_preferred_leaders(cluster)
    return broker.node_id in leaders(cluster, scenario)


def test_the_only_broker_is_restarted(
    scenarios: MakeScenario, start_cluster: StartCluster, record: Record
) -> None:
    cluster = start_cluster()
    scenario = scenarios("the only broker is restarted", cluster.bootstrap)
    at_work(scenario, replication=1)

    cluster.brokers[0].process.kill()
    scenario.let_pass(5)
    cluster.brokers[0].restart()

    settle(scenario, record)


def test_stopped_while_no_broker_answers(
    scenarios: MakeScenario, start_cluster: StartCluster, record: Record
) -> None:
    cluster = start_cluster()
    scenario = scenarios("stopped while no broker answers", cluster.bootstrap)
    at_work(scenario, replication=1)

    cluster.brokers[0].process.kill()
    codes = {scenario.end_worker(worker) for worker in list(scenario.workers)}
    cluster.brokers[0].restart()
    cluster.wait_ready()
    scenario.start_worker()

    settle(scenario, record)
    assert codes <= {0, 1, 3}  # what was in flight may be unfinished, and is not committed then
    assert scenario.exit_s <= GRACE_S


@pytest.mark.parametrize("seconds", [3, 20], ids=["briefly", "past_the_session"])
def test_the_network_is_cut(
    scenarios: MakeScenario, start_cluster: StartCluster, record: Record, seconds: int
) -> None:
    with contextlib.ExitStack() as relays:
        proxies: list[ProxyThread] = []

        def advertise(port: int) -> int:
            proxies.append(relays.enter_context(ProxyThread(port)))
            return proxies[-1].port

        cluster = start_cluster(advertise=advertise)
        scenario = scenarios(f"the network is cut for {seconds} s", cluster.bootstrap)
        at_work(scenario, replication=1)

        proxies[0].cut()
        scenario.let_pass(seconds)
        proxies[0].mend()

        settle(scenario, record)


@pytest.fixture
def broker_disk(server_folder: Path, unique_name: str) -> Iterator[Path]:
    """A file system of 150 MB, where the first broker of a cluster of the test's own lives."""
    with small_disk(server_folder / unique_name / "kafka" / "broker-1", megabytes=150) as disk:
        if disk is None:
            pytest.skip("needs the right to mount a tmpfs")
        yield disk


@pytest.mark.parametrize("brokers", [1, 3], ids=["the_only_broker", "one_of_three"])
def test_the_disk_is_full_of(
    scenarios: MakeScenario,
    start_cluster: StartCluster,
    broker_disk: Path,
    record: Record,
    brokers: int,
) -> None:
    cluster = start_cluster(brokers)
    scenario = scenarios(f"the disk is full of one broker of {brokers}", cluster.bootstrap)
    at_work(scenario, replication=brokers)

    filler = fill(broker_disk)
    broker = cluster.brokers[0]
    scenario.wait_until(lambda: not broker.process.is_running())
    filler.unlink()
    broker.restart()

    settle(scenario, record)
