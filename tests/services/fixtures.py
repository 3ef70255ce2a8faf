"""Fixtures that give a test real servers: started once a session, or one of its own to harm."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.services.brokers import KafkaCluster
from tests.services.certificates import Secrets, make_secrets
from tests.services.processes import Lifetime, ServerError
from tests.services.redis_servers import RedisServer, secured_directives

SERVER_FIXTURES: Final = frozenset(
    {"kafka_bootstrap", "redis_url", "secured_kafka", "three_brokers", "start_redis"}
)
# fixture -> group of pytest-xdist: what takes seconds or 300 MB to make is made once, and clusters
# of three brokers run one after the other
GROUPED: Final = {
    "secured_kafka": "brokers",
    "three_brokers": "brokers",
    "browser": "web",
    "site": "web",
    "rendered": "manifests",
    "schemas": "manifests",
}
# a first run fetches Kafka's jars inside the first test's time
INTEGRATION_TIMEOUT_S: Final = 300


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run take servers that are there already."""
    group = parser.getgroup("winnow services")
    group.addoption(
        "--kafka-bootstrap-servers", metavar="HOST:PORT,...", help="use this Kafka, start none"
    )
    group.addoption("--redis-url", metavar="URL", help="use this Redis, start none")
    group.addoption("--seed", type=int, help="run this mixture of faults again, and no other test")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with real servers, and keep tests that share an expensive one in one process."""
    for item in items:
        asked = frozenset(getattr(item, "fixturenames", ()))
        if SERVER_FIXTURES & asked:
            item.add_marker(pytest.mark.integration)
            item.add_marker(pytest.mark.timeout(INTEGRATION_TIMEOUT_S))
        for fixture in sorted(GROUPED.keys() & asked)[:1]:
            item.add_marker(pytest.mark.xdist_group(GROUPED[fixture]))


@pytest.fixture
def unique_name() -> str:
    """A name for topics, groups or keys that no other test uses."""
    return f"test-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def server_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where servers keep their data; deleted at the end, as logs of pages are large."""
    folder = tmp_path_factory.mktemp("servers")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def secret_files(server_folder: Path) -> Secrets:
    """Certificates and credentials such as an operator mounts."""
    return make_secrets(server_folder / "secrets")


@pytest.fixture(scope="session")
def kafka_bootstrap(request: pytest.FixtureRequest, server_folder: Path) -> Iterator[str]:
    """Address of a Kafka of one broker that all tests share: never delete what is not yours."""
    running: str | None = request.config.getoption("--kafka-bootstrap-servers")
    if running:
        yield running
        return
    cluster = _cluster(server_folder / "kafka", brokers=1)
    yield cluster.bootstrap
    cluster.stop()


@pytest.fixture(scope="session")
def secured_kafka(server_folder: Path, secret_files: Secrets) -> Iterator[KafkaCluster]:
    """A Kafka of one broker that takes clients by SASL_SSL with SCRAM-SHA-512 alone."""
    cluster = _cluster(server_folder / "secured-kafka", brokers=1, secrets=secret_files)
    yield cluster
    cluster.stop()


@pytest.fixture
def three_brokers(server_folder: Path, unique_name: str) -> Iterator[KafkaCluster]:
    """A cluster of the test's own: replication 3, two copies in sync before a write counts."""
    cluster = _cluster(server_folder / unique_name, brokers=3)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def redis_url(request: pytest.FixtureRequest, server_folder: Path) -> Iterator[str]:
    """Address of a Redis that all tests share."""
    running: str | None = request.config.getoption("--redis-url")
    if running:
        yield running
        return
    server = _redis(server_folder / "redis")
    yield server.url
    server.process.stop()


@pytest.fixture
def start_redis(server_folder: Path) -> Iterator[Callable[..., RedisServer]]:
    """Start Redis servers of the test's own, with directives of `redis.conf`."""
    servers: list[RedisServer] = []

    def start(*directives: str) -> RedisServer:
        servers.append(_redis(server_folder / f"redis-{uuid.uuid4().hex[:12]}", *directives))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.is_running():
            server.process.stop()


@pytest.fixture
def secured_redis(start_redis: Callable[..., RedisServer], secret_files: Secrets) -> RedisServer:
    """A Redis that takes TLS alone, and one user by password."""
    return start_redis(*secured_directives(secret_files))


def _cluster(folder: Path, brokers: int, secrets: Secrets | None = None) -> KafkaCluster:
    try:
        return KafkaCluster.start(folder, brokers, Lifetime.CALLER, secrets)
    except ServerError as error:
        pytest.fail(str(error), pytrace=False)


def _redis(folder: Path, *directives: str) -> RedisServer:
    try:
        return RedisServer(folder, Lifetime.CALLER, directives)
    except ServerError as error:
        pytest.fail(str(error), pytrace=False)
