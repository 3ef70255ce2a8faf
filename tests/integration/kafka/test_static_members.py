"""Two workers that claim to be one static member of the group."""

from tests.integration.kafka.conftest import Deployment, StartWorker


def test_workers_of_one_static_name_say_so_and_end(
    topics: Deployment, start_worker: StartWorker
) -> None:
    both = [start_worker(WINNOW_GROUP_INSTANCE="pod-0", WINNOW_SESSION_SECONDS="6") for _ in "ab"]

    codes = [worker.supervisor.wait(50) for worker in both[:1]]

    assert codes == [1]
    assert "another worker is the static member pod-0-winnow-0 too" in both[0].log.read_text()
