"""Workers at work while Redis is killed, frozen, full and back: it costs no page."""

from collections.abc import Callable

import pytest
from redis import Redis

from tests.faults.conftest import Record
from tests.faults.harness import Scenario
from tests.services.redis_servers import RedisServer


@pytest.fixture
def server(start_redis: Callable[..., RedisServer], scenario: Scenario) -> RedisServer:
    """A Redis of the test's own that two workers use."""
    started = start_redis("maxmemory-policy noeviction")
    scenario.environment["WINNOW_REDIS_URL"] = started.url
    scenario.prepare(pages=4000)
    for _ in range(2):
        scenario.start_worker(page_ms=2)
    scenario.wait_for_share(0.1)
    return started


def settle(scenario: Scenario, record: Record) -> None:
    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated == 0
    assert outcome.restarts == 0


def test_redis_is_killed_and_comes_back(
    scenario: Scenario, server: RedisServer, record: Record
) -> None:
    server.process.kill()
    scenario.wait_for_recovery()
    scenario.wait_for_share(0.5)
    server.restart()
    with Redis(port=server.port) as client:

        def is_used_again() -> bool:
            """Give the workers one more page: without pages they ask nothing of Redis."""
            scenario.fill([b"page"])
            return int(client.dbsize()) > 0

        scenario.wait_until(is_used_again)

    settle(scenario, record)


def test_redis_is_frozen_and_thawed(
    scenario: Scenario, server: RedisServer, record: Record
) -> None:
    server.process.freeze()
    scenario.wait_for_recovery()
    scenario.wait_for_share(0.5)
    server.process.thaw()

    settle(scenario, record)


def test_redis_is_full(scenario: Scenario, server: RedisServer, record: Record) -> None:
    with Redis(port=server.port) as client:
        client.config_set("maxmemory", "1")
        scenario.wait_for_recovery()
        scenario.wait_for_share(0.5)
        client.config_set("maxmemory", "0")

    settle(scenario, record)
