"""Two workers that claim to be one static member of the group."""

import contextlib
import time
from collections.abc import Iterator

from confluent_kafka import Consumer

from tests.integration.kafka.conftest import Deployment, StartWorker
from tests.integration.kafka.running import WAIT_S, RunningWorker


@contextlib.contextmanager
def slow_member(topics: Deployment) -> Iterator[None]:
    """Join the group, then leave every rebalance unanswered."""
    member = Consumer(
        {
            "bootstrap.servers": topics.bootstrap,
            "group.id": topics.group,
            "partition.assignment.strategy": "roundrobin",
            "max.poll.interval.ms": 600_000,
        }
    )
    member.subscribe([topics.names.pages])
    while not member.assignment():
        member.poll(1)
    yield
    member.close()


def assert_says_so(ended: RunningWorker) -> None:
    """Check that this worker failed, and names the setting to change."""
    assert ended.supervisor.returncode == 1
    said = [str(each.get("error")) for each in ended.events() if each["event"] == "worker_failed"]
    assert any("the static member pod-0-winnow-0 too: give every pod" in each for each in said), (
        said
    )


def first_to_end(workers: list[RunningWorker]) -> RunningWorker:
    """Return the worker that ends."""
    deadline = time.monotonic() + WAIT_S
    while True:
        for worker in workers:
            if worker.supervisor.poll() is not None:
                return worker
        assert time.monotonic() < deadline, workers[0].log.read_text()[-3000:]
        time.sleep(0.05)


def test_one_of_two_workers_with_the_same_static_name_says_so_and_ends(
    topics: Deployment, start_worker: StartWorker
) -> None:
    both = [start_worker(WINNOW_GROUP_INSTANCE="pod-0", WINNOW_SESSION_SECONDS="6") for _ in "ab"]

    assert_says_so(first_to_end(both))


def test_a_worker_whose_join_is_answered_by_another_of_its_name_says_so_and_ends(
    topics: Deployment, start_worker: StartWorker
) -> None:
    with slow_member(topics):  # the group waits for it, so that both joins are open at once
        both = [
            start_worker(wait=False, WINNOW_GROUP_INSTANCE="pod-0", WINNOW_SESSION_SECONDS="6")
            for _ in "ab"
        ]

        assert_says_so(first_to_end(both))
