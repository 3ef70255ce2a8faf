"""A worker starts during each fault, or ends with a clear reason; and it can be stopped."""

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from tests.faults.conftest import MakeScenario, Record
from tests.faults.harness import Scenario, exit_code
from tests.faults.test_broker_faults import elect_preferred_leaders
from tests.services.brokers import KafkaCluster
from tests.services.certificates import Secrets
from tests.services.processes import Lifetime, ServerProcess
from tests.services.proxy import ProxyThread
from tests.services.redis_servers import RedisServer
from winnow.streams.kafka.connection import Connection, Mechanism, Secret, Security

PAGES: Final = 600
SLOW_S: Final = 0.15
BROKERS: Final = 3
START_WITHIN_S: Final = 240.0
# what a broker answers of a group whose log it does not have yet, or has no more
COORDINATOR_MOVES: Final = {
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.NOT_COORDINATOR,
}


def prepared(scenario: Scenario, replication: int = 1) -> None:
    """Fill the topics; workers are whole commands, whose cleaner may take every page for bad."""
    scenario.program = ("tests.faults.command",)
    scenario.environment |= {"WINNOW_DEAD_RATIO": "1", "WINNOW_DEAD_CONSECUTIVE": str(10**9)}
    scenario.prepare(PAGES, replication)


def wait_for_start(scenario: Scenario, *workers: ServerProcess) -> None:
    scenario.recovery_s = scenario.wait_until(
        lambda: all('"partitions_assigned"' in each.output() for each in workers), START_WITHIN_S
    )


def has_begun(worker: ServerProcess) -> bool:
    return '"worker_started"' in worker.output()


def settle(scenario: Scenario, record: Record) -> None:
    workers = list(scenario.workers)
    outcome = scenario.finish()
    record(outcome)
    assert outcome.restarts == 0
    assert [each.output() for each in workers if "Traceback" in each.output()] == []


class SlowNetwork:
    """A proxy between the workers and a broker of the test that delays both directions.

    `mend` ends it: the account of the pages has less patience than a worker.
    """

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._folder = folder
        self._running = running
        self._proxies: list[ProxyThread] = []

    def start_broker(self, secrets: Secrets | None = None) -> KafkaCluster:
        cluster = KafkaCluster.start(self._folder, 1, Lifetime.CALLER, secrets, self._relay)
        self._running.callback(cluster.stop)
        return cluster

    def begin(self) -> None:
        for proxy in self._proxies:
            proxy.stall(SLOW_S)

    def mend(self) -> None:
        for proxy in self._proxies:
            proxy.stall(0)

    def _relay(self, port: int) -> int:
        self._proxies.append(self._running.enter_context(ProxyThread(port)))
        return self._proxies[-1].port


@pytest.fixture
def network(server_folder: Path, unique_name: str) -> Iterator[SlowNetwork]:
    with ExitStack() as running:
        yield SlowNetwork(server_folder / unique_name / "kafka", running)


def test_a_worker_starts_while_the_network_is_slow(
    scenarios: MakeScenario, network: SlowNetwork, record: Record
) -> None:
    scenario = scenarios("start: slow network", network.start_broker().bootstrap)
    prepared(scenario)

    network.begin()
    wait_for_start(scenario, scenario.start_worker())
    network.mend()

    settle(scenario, record)


def test_a_worker_starts_while_sasl_and_tls_are_slow(
    scenarios: MakeScenario, network: SlowNetwork, secret_files: Secrets, record: Record
) -> None:
    cluster = network.start_broker(secret_files)
    scenario = scenarios("start: slow SASL_SSL", cluster.bootstrap)
    scenario.connection = Connection(
        (cluster.bootstrap,),
        Security.SASL_SSL,
        Mechanism.SCRAM_SHA_512,
        secret_files.username,
        Secret(secret_files.password),
        secret_files.ca_file,
    )
    scenario.environment |= {
        "WINNOW_KAFKA_SECURITY": "sasl_ssl",
        "WINNOW_KAFKA_USERNAME_FILE": str(secret_files.username_file),
        "WINNOW_KAFKA_PASSWORD_FILE": str(secret_files.password_file),
        "WINNOW_KAFKA_CA_FILE": str(secret_files.ca_file),
    }
    prepared(scenario)

    network.begin()
    wait_for_start(scenario, scenario.start_worker())
    network.mend()

    settle(scenario, record)


@pytest.mark.parametrize("broker", range(BROKERS))
def test_a_worker_starts_while_a_broker_is_frozen(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record, broker: int
) -> None:
    prepared(replicated, replication=3)
    frozen = three_brokers.brokers[broker]
    frozen.process.freeze()

    worker = replicated.start_worker()
    wait_for_start(replicated, worker)
    frozen.process.thaw()

    settle(replicated, record)
    silent = [line for line in worker.output().splitlines() if '"broker_silent"' in line]
    assert [frozen.address in line for line in silent] == [True]


def test_a_worker_starts_while_a_broker_is_dead(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    prepared(replicated, replication=3)
    three_brokers.brokers[0].process.kill()

    worker = replicated.start_worker()
    wait_for_start(replicated, worker)

    settle(replicated, record)
    assert '"broker_silent"' in worker.output()


def test_a_worker_starts_while_all_brokers_are_down_for_a_while(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    """They were there when the command asked, and are gone when its processes start."""
    prepared(replicated, replication=3)
    replicated.program = ("tests.faults.child",)
    for broker in three_brokers.brokers:
        broker.process.kill()

    worker = replicated.start_worker()
    stopping = replicated.start_worker()
    for each in (worker, stopping):
        replicated.wait_until(partial(has_begun, each))
    replicated.let_pass(10)
    assert replicated.end_worker(stopping) == 0
    for broker in three_brokers.brokers:
        broker.restart()
    wait_for_start(replicated, worker)

    settle(replicated, record)


def test_a_worker_starts_while_its_coordinator_moves(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    prepared(replicated, replication=3)
    (coordinator,) = [
        broker
        for broker in three_brokers.brokers
        if broker.node_id == coordinator_of(replicated, three_brokers)
    ]

    worker = replicated.start_worker()
    replicated.wait_until(lambda: '"worker_started"' in worker.output())
    coordinator.process.kill()
    wait_for_start(replicated, worker)

    settle(replicated, record)


def coordinator_of(scenario: Scenario, cluster: KafkaCluster) -> int:
    """Return the node that coordinates the group, as soon as it has loaded the group's log."""
    admin = AdminClient(cluster.client_config())
    nodes: list[int] = []

    def is_known() -> bool:
        try:
            group = admin.describe_consumer_groups([scenario.group])[scenario.group].result(30)
        except KafkaException as error:
            if error.args[0].code() not in COORDINATOR_MOVES:
                raise
            return False
        nodes.append(group.coordinator.id)
        return True

    scenario.wait_until(is_known)
    return nodes[0]


def test_a_worker_starts_while_leaders_are_elected(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    prepared(replicated, replication=3)
    restarted = three_brokers.brokers[0]
    restarted.process.stop()  # its partitions get other leaders
    restarted.restart()
    three_brokers.wait_ready()

    worker = replicated.start_worker()
    replicated.wait_until(lambda: '"worker_started"' in worker.output())
    replicated.wait_until(lambda: elect_preferred_leaders(three_brokers))
    wait_for_start(replicated, worker)

    settle(replicated, record)


def test_a_worker_starts_while_redis_is_frozen(
    scenario: Scenario, start_redis: Callable[..., RedisServer], record: Record
) -> None:
    redis = start_redis()
    scenario.environment["WINNOW_REDIS_URL"] = redis.url
    prepared(scenario)

    redis.process.freeze()
    wait_for_start(scenario, scenario.start_worker())

    settle(scenario, record)
    redis.process.thaw()


def test_a_worker_starts_while_others_join_and_leave(scenario: Scenario, record: Record) -> None:
    prepared(scenario)
    leaving = scenario.start_worker()
    wait_for_start(scenario, leaving)

    starting = scenario.start_worker()
    joining = scenario.start_worker()
    scenario.wait_until(lambda: '"worker_started"' in starting.output())
    assert scenario.end_worker(leaving) == 0
    wait_for_start(scenario, starting, joining)

    settle(scenario, record)
    assert "Traceback" not in leaving.output()


@pytest.mark.parametrize("fault", ["frozen", "dead"])
def test_a_worker_ends_with_the_names_of_its_brokers_when_all_are(
    replicated: Scenario, three_brokers: KafkaCluster, fault: str
) -> None:
    replicated.program = ("tests.faults.command",)
    for broker in three_brokers.brokers:
        (broker.process.freeze if fault == "frozen" else broker.process.kill)()

    worker = replicated.start_worker()

    assert exit_code(worker) == 2
    (line,) = worker.output().splitlines()
    assert "cannot connect to any broker at " in line
    assert [b.address for b in three_brokers.brokers if b.address not in line] == []


@pytest.mark.parametrize(("seed", "stops"), [(0, 4), (1, 40)], ids=["briefly", "often"])
@pytest.mark.parametrize("program", ["child", "command"])
def test_stopped_at_any_moment_of_the_start(
    scenario: Scenario, record: Record, program: str, seed: int, stops: int
) -> None:
    prepared(scenario)
    scenario.program = (f"tests.faults.{program}",)
    moments = random.Random(seed)
    ended: list[tuple[int, str]] = []

    for _ in range(stops):
        worker = scenario.start_worker()
        scenario.let_pass(moments.uniform(0.0, 5.0))
        code = scenario.end_worker(worker)
        unclean = code not in {0, -signal.SIGTERM} or "Traceback" in worker.output()
        ended.append((code, worker.output() if unclean else ""))
    # all may be done already: do not stop it before its handler is set
    scenario.wait_ready(scenario.start_worker())

    settle(scenario, record)
    # one that is stopped before its handler is set did no work
    assert [each for each in ended if each not in {(0, ""), (-signal.SIGTERM, "")}] == []
