"""The servers that tests and developers start: what they are, and that nothing is left of them."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from redis import Redis

from tests.services import processes
from tests.services.brokers import KafkaCluster
from tests.services.processes import ProcessId
from tests.services.redis_servers import RedisServer

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]

# a caller that starts Redis for its own lifetime, says so, and waits to be killed
CALLER = """
import sys, time
from pathlib import Path
from tests.services.processes import Lifetime
from tests.services.redis_servers import RedisServer
server = RedisServer(Path(sys.argv[1]), Lifetime.CALLER)
print(server.process.process_id.pid, flush=True)
time.sleep(600)
"""


def test_kafka_lists_its_broker_when_the_fixture_is_ready(kafka_bootstrap: str) -> None:
    metadata = AdminClient({"bootstrap.servers": kafka_bootstrap}).list_topics(timeout=10)

    assert len(metadata.brokers) >= 1


def test_secured_kafka_takes_the_user_and_refuses_a_wrong_password(
    secured_kafka: KafkaCluster,
) -> None:
    right = secured_kafka.client_config()

    metadata = AdminClient(right).list_topics(timeout=10)

    assert len(metadata.brokers) == 1
    with pytest.raises(KafkaException):
        AdminClient(right | {"sasl.password": "wrong"}).list_topics(timeout=2)


@pytest.mark.faults
def test_three_brokers_list_again_when_one_was_killed_and_restarted(
    three_brokers: KafkaCluster,
) -> None:
    killed = three_brokers.brokers[0]

    killed.process.kill()
    killed.restart()
    three_brokers.wait_ready()

    assert killed.process.is_running()


def test_redis_is_empty_when_killed_and_restarted(
    start_redis: Callable[..., RedisServer],
) -> None:
    server = start_redis()
    with Redis(port=server.port) as client:
        client.set("page", b"kept")

    server.process.kill()
    server.restart()

    with Redis(port=server.port) as client:
        assert client.get("page") is None


@pytest.mark.integration
def test_services_start_once_and_leave_nothing_when_they_are_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "services"

    started = _services(folder, "start")
    started_again = _services(folder, "start")
    processes = json.loads((folder / "state.json").read_text())["processes"]
    _services(folder, "stop")

    exported = [line.split("=")[0] for line in started.splitlines()]
    assert exported == ["export WINNOW_KAFKA_BOOTSTRAP", "export WINNOW_REDIS_URL"]
    assert started_again == started
    assert not any(ProcessId(*process).is_running() for process in processes)
    assert not folder.exists()


@pytest.mark.integration
def test_a_server_ends_when_its_caller_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CALLER, str(tmp_path)]
    caller = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert caller.stdout
    server = ProcessId.of(int(caller.stdout.readline()))
    assert server.is_running()
    descriptor = os.pidfd_open(server.pid)

    caller.send_signal(signal.SIGKILL)
    caller.communicate()

    assert _is_gone_within(descriptor, 10.0)
    assert not server.is_running()


def _services(folder: Path, command: str) -> str:
    run = [sys.executable, "-m", "tests.services", "--folder", str(folder), command]
    return subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _is_gone_within(descriptor: int, timeout_s: float) -> bool:
    try:
        return bool(select.select([descriptor], [], [], timeout_s)[0])
    finally:
        os.close(descriptor)


def test_no_port_is_given_twice_before_a_server_listens_on_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = processes.free_port(in_a_row=8)
    claims = [processes._CLAIMS.pop() for _ in range(8)]
    claims.pop().close()  # the first port is free again, the others are another process's
    monkeypatch.setattr(processes, "FIRST_PORT", first)
    monkeypatch.setattr(processes, "LAST_PORT", first + 8)

    given = processes.free_port()
    for claim in claims:
        claim.close()
    others = {processes.free_port() for _ in range(7)}

    assert given == first
    assert others == set(range(first + 1, first + 8))
