"""Faults of every kind mixed by a seed, with a crawler that goes on, and an account at the end.

`make test-faults FAULTS="--seed 7"` runs one seed again; what it prints says what falls when.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.faults.account import Account
from tests.faults.conftest import MakeScenario, Record, StartCluster
from tests.faults.crawl import Crawler, crawled_pages
from tests.faults.disruptions import Stage, begin, movable_clock, small_disk
from tests.faults.harness import Outcome
from tests.faults.mixture import LONG, SHORT, Fault, Kind, Size, plan
from tests.faults.settling import settle
from tests.services.proxy import ProxyThread
from tests.services.redis_servers import RedisServer
from winnow.streams.errors import KafkaUnavailable
from winnow.streams.operator.topic_reader import TopicReader
from winnow.worker.service.child import ExitCode

BROKERS: Final = 3
WORKERS: Final = 2
PAGES_PER_S: Final = 25
BROKER_DISK_MB: Final = 150
WORKER_DISK_MB: Final = 4
SETTLED_WITHIN_S: Final = 600.0
SHORT_SEED: Final = 236  # workers, a broker, Redis and partitions, within fifteen seconds
# a worker that gets SIGTERM before its handler is set ends by the signal
ORDERLY: Final = {*ExitCode, -15}


@pytest.fixture
def stage(
    unique_name: str,
    server_folder: Path,
    scenarios: MakeScenario,
    start_cluster: StartCluster,
    start_redis: Callable[..., RedisServer],
) -> Iterator[Stage]:
    """Three brokers with relays, a Redis, small disks, and workers as in production."""
    with contextlib.ExitStack() as undo:
        proxies: list[ProxyThread] = []

        def advertise(port: int) -> int:
            proxies.append(undo.enter_context(ProxyThread(port)))
            return proxies[-1].port

        folder = server_folder / unique_name
        broker_disk = undo.enter_context(small_disk(folder / "kafka" / "broker-1", BROKER_DISK_MB))
        worker_disk = undo.enter_context(small_disk(folder / "tmp", WORKER_DISK_MB))
        cluster = start_cluster(BROKERS, advertise)
        redis = start_redis()
        scenario = scenarios("", cluster.bootstrap)
        scenario.in_production()
        scenario.environment |= {
            "WINNOW_REDIS_URL": redis.url,
            "WINNOW_SESSION_SECONDS": "10",  # a busy machine is not a fault
            "TMPDIR": str(folder / "tmp"),
        }
        stage = Stage(scenario, cluster, proxies, redis, broker_disk, worker_disk)
        _leave_out_what_cannot_be_had(stage, folder)
        yield stage
        for broker in cluster.brokers:
            broker.process.thaw()
        redis.process.thaw()


def _leave_out_what_cannot_be_had(stage: Stage, folder: Path) -> None:
    for kind, disk in (
        (Kind.BROKER_DISK_FULL, stage.broker_disk),
        (Kind.WORKER_DISK_FULL, stage.worker_disk),
    ):
        if disk is None:
            stage.left_out[kind] = "needs the right to mount a tmpfs"
    clock = movable_clock(folder)
    stage.scenario.environment |= clock
    if not clock:
        stage.left_out[Kind.CLOCK_CHANGED] = "needs a C compiler"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take the seed of `--seed` alone if there is one."""
    if "seed" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--seed")
        metafunc.parametrize("seed", range(1, 21) if chosen is None else [chosen])


@pytest.mark.timeout(2400)
def test_a_mixture(stage: Stage, record: Record, seed: int) -> None:
    run_mixture(stage, record, seed, LONG)


@pytest.mark.timeout(2400)
def test_a_short_mixture(stage: Stage, record: Record) -> None:
    run_mixture(stage, record, SHORT_SEED, SHORT)


def run_mixture(stage: Stage, record: Record, seed: int, size: Size) -> None:
    """Let all faults of a seed happen to workers and brokers at work; account for every page."""
    scenario = stage.scenario
    scenario.name, scenario.seed = f"mixture of {size.single + size.at_once}", seed
    faults = [each for each in plan(seed, size) if each.kind not in stage.left_out]
    tell_plan(stage, faults)
    scenario.make_topics(replication=BROKERS)
    pages = crawled_pages(seed, scenario.partitions)
    with Crawler(scenario.connection, scenario.names.pages, pages, PAGES_PER_S) as crawler:
        scenario.wait_ready(*(scenario.start_worker() for _ in range(WORKERS)))
        scenario.wait_until(lambda: crawler.delivered > 0)
        act(stage, faults)
        stage.mend_all()
        reached_s = scenario.wait_until(lambda: knows_ends(stage), SETTLED_WITHIN_S)
        scenario.wait_for_recovery(SETTLED_WITHIN_S)
        scenario.recovery_s += reached_s
        stored = crawler.stop()
    settled, outcome = finish(stage)

    record(outcome)
    assert crawler.problems == []
    assert settled.pages == stored
    assert settled.mistaken == ()
    assert settled.unfounded == ()
    assert settled.without_stats == ()
    assert settled.out_of_order == ()
    assert scenario.exit_codes.keys() <= ORDERLY


def tell_plan(stage: Stage, faults: Sequence[Fault]) -> None:
    """Print what will happen: shown when the test fails."""
    lines = [f"seed {stage.scenario.seed}; FAULTS='--seed {stage.scenario.seed}' runs it again"]
    lines += [f"left out: {kind}: {why}" for kind, why in stage.left_out.items()]
    lines += [str(fault) for fault in faults]
    sys.stdout.write("\n".join([*lines, ""]))


def act(stage: Stage, faults: Sequence[Fault]) -> None:
    """Begin and mend each fault at its time."""
    due = [(fault.at_s, number, fault) for number, fault in enumerate(faults)]
    begun_at = time.monotonic()
    mends: list[tuple[float, Callable[[], None]]] = []

    def wait(until_s: float) -> None:
        stage.scenario.wait_until(
            lambda: time.monotonic() - begun_at >= until_s, timeout_s=until_s + SETTLED_WITHIN_S
        )

    while due or mends:
        mends.sort(key=lambda each: each[0])
        if mends and (not due or mends[0][0] <= due[0][0]):
            at_s, mend = mends.pop(0)
            wait(at_s)
            mend()
        else:
            at_s, _, fault = due.pop(0)
            wait(at_s)
            mends.append((at_s + fault.lasts_s, begin(stage, fault)))


def knows_ends(stage: Stage) -> bool:
    """Learn how long the pages topic is by now, if the brokers say it."""
    stage.mend_all()
    scenario = stage.scenario
    try:
        with TopicReader(scenario.connection, scenario.group, timeout_s=2.0) as reader:
            spans = reader.spans(scenario.names.pages)
    except KafkaUnavailable:
        return False
    scenario.ends = {number: span.end for number, span in spans.items()}
    scenario.partitions = len(spans)
    return bool(scenario.committed())


def finish(stage: Stage) -> tuple[Account, Outcome]:
    """Wait until all pages are done, stop the workers, and settle the account."""
    scenario = stage.scenario
    scenario.wait_until(lambda: knows_ends(stage) and scenario.is_done(), SETTLED_WITHIN_S)
    return settle(scenario)
