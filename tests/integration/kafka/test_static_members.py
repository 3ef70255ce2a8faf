"""Two workers that claim to be one static member of the group."""

import time

from tests.integration.kafka.conftest import Deployment, StartWorker
from tests.integration.kafka.running import WAIT_S, RunningWorker


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

    ended = first_to_end(both)

    assert ended.supervisor.returncode == 1
    said = [str(each.get("error")) for each in ended.events() if each["event"] == "worker_failed"]
    assert any("the static member pod-0-winnow-0 too: give every pod" in each for each in said)
