"""Three brokers, replication 3, two copies in sync: killed, frozen, restarted, without a quorum."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import MakeScenario, Record
from tests.faults.harness import BATCH_PAGES, Scenario
from tests.services.brokers import KafkaCluster
from tests.services.processes import Lifetime
from tests.services.proxy import ProxyThread

PAGES = 6000


def at_work(scenario: Scenario, replication: int = 3) -> None:
    """Fill the topics and let two workers do the first tenth."""
    scenario.prepare(pages=PAGES, replication=replication)
    for _ in range(2):
        scenario.start_worker(page_ms=4)
    scenario.wait_for_share(0.1)


def settle(scenario: Scenario, record: Record, faults: int = 1) -> None:
    """Wait for recovery, then account for all pages."""
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
    at_work(replicated)

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


def test_a_broker_comes_back_with_an_empty_log(
    replicated: Scenario, three_brokers: KafkaCluster, record: Record
) -> None:
    at_work(replicated)
    broker = three_brokers.brokers[2]

    broker.process.kill()
    for partition in broker.log_folder.glob("*-[0-9]*"):
        shutil.rmtree(partition)
    broker.restart()

    settle(replicated, record)


def test_the_only_broker_is_restarted(
    scenarios: MakeScenario, server_folder: Path, unique_name: str, record: Record
) -> None:
    cluster = KafkaCluster.start(server_folder / unique_name / "kafka", 1, Lifetime.CALLER)
    scenario = scenarios("the only broker is restarted", cluster.bootstrap)
    at_work(scenario, replication=1)

    cluster.brokers[0].process.kill()
    scenario.let_pass(5)
    cluster.brokers[0].restart()

    settle(scenario, record)
    scenario.kill_all()
    cluster.stop()


@pytest.mark.parametrize("seconds", [3, 20], ids=["briefly", "past_the_session"])
def test_the_network_is_cut(
    scenarios: MakeScenario,
    server_folder: Path,
    unique_name: str,
    record: Record,
    seconds: int,
) -> None:
    proxies: list[ProxyThread] = []

    def advertise(port: int) -> int:
        proxies.append(ProxyThread(port))
        return proxies[-1].__enter__().port

    folder = server_folder / unique_name / "kafka"
    cluster = KafkaCluster.start(folder, 1, Lifetime.CALLER, advertise=advertise)
    scenario = scenarios(f"the network is cut for {seconds} s", cluster.bootstrap)
    at_work(scenario, replication=1)

    proxies[0].cut()
    scenario.let_pass(seconds)
    proxies[0].mend()

    settle(scenario, record)
    scenario.kill_all()
    cluster.stop()
    proxies[0].__exit__()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 150 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=150m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_the_disk_of_a_broker_is_full(
    scenarios: MakeScenario, small_disk: Path, record: Record
) -> None:
    cluster = KafkaCluster.start(small_disk / "kafka", 1, Lifetime.CALLER)
    scenario = scenarios("the disk of a broker is full", cluster.bootstrap)
    at_work(scenario, replication=1)

    filler = small_disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as stream:
        while True:
            stream.write(bytes(1 << 16))
    broker = cluster.brokers[0]
    scenario.wait_until(lambda: not broker.process.is_running())
    filler.unlink()
    broker.restart()

    settle(scenario, record)
    scenario.kill_all()
    cluster.stop()
