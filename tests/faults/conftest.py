"""Scenarios of the fault runs, and the table at their end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.faults.harness import Outcome, Scenario
from tests.services.brokers import KafkaCluster
from tests.services.processes import Lifetime
from winnow.streams.kafka.connection import Connection
from winnow.streams.topics import TopicNames

OUTCOMES: Final = pytest.StashKey[list[Outcome]]()
SCENARIO_TIMEOUT_S: Final = 1200
HEADINGS: Final = (
    *("scenario", "seed", "pages", "deleted", "skipped", "lost", "repeated"),
    *("recovery s", "restarts", "exit s", "peak MB", "exit codes"),
)
# these run with every `make test`
QUICK: Final = frozenset(
    {
        "test_a_short_mixture",
        "test_killed_while[published]",
        "test_stopped_while[half_published]",
        "test_scaled_from_one_to_three_to_one",
        "test_a_topic_refuses_dead_letters",
        "test_stopped_in_rebalances[six rounds]",
        "test_stopped_at_any_moment_of_the_start[command-briefly]",
    }
)

MakeScenario = Callable[[str, str], Scenario]
Record = Callable[[Outcome], None]
StartCluster = Callable[..., KafkaCluster]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test of this folder as a long one; a chosen seed leaves out all but its own."""
    if config.getoption("--seed") is not None:
        items[:] = [item for item in items if "seed" in getattr(item, "fixturenames", ())]
    for item in items:
        if Path(__file__).parent in item.path.parents:
            if item.name not in QUICK:
                item.add_marker(pytest.mark.faults)
            longest_s = max((mark.args[0] for mark in item.iter_markers("timeout")), default=0)
            if longest_s < SCENARIO_TIMEOUT_S:  # pytest-timeout takes the first one
                item.add_marker(pytest.mark.timeout(SCENARIO_TIMEOUT_S), append=False)


@pytest.fixture
def scenarios(unique_name: str, server_folder: Path) -> Iterator[MakeScenario]:
    """Make scenarios on a Kafka; their workers are gone after the test."""
    made: list[Scenario] = []

    def make(name: str, bootstrap: str) -> Scenario:
        kinds = ("pages", "documents", "stats", "dead")
        names = TopicNames(*(f"{unique_name}.{kind}" for kind in kinds))
        connection = Connection(tuple(bootstrap.split(",")))
        folder = server_folder / unique_name
        made.append(Scenario(name, connection, names, unique_name, folder))
        return made[-1]

    yield make
    for scenario in made:
        scenario.kill_all()


@pytest.fixture
def scenario(
    request: pytest.FixtureRequest, scenarios: MakeScenario, kafka_bootstrap: str
) -> Scenario:
    """A scenario of the test's name on the shared broker."""
    return scenarios(_title(request.node.name), kafka_bootstrap)


@pytest.fixture
def replicated(
    request: pytest.FixtureRequest, scenarios: MakeScenario, three_brokers: KafkaCluster
) -> Scenario:
    """A scenario of the test's name on three brokers of its own."""
    return scenarios(_title(request.node.name), three_brokers.bootstrap)


@pytest.fixture
def start_cluster(server_folder: Path, unique_name: str) -> Iterator[StartCluster]:
    """Start a Kafka for this test with a number of brokers; settings have _ in place of a dot."""
    clusters: list[KafkaCluster] = []

    def start(
        brokers: int = 1, advertise: Callable[[int], int] = lambda port: port, **settings: str
    ) -> KafkaCluster:
        folder = server_folder / unique_name / "kafka"
        named = {name.replace("_", "."): value for name, value in settings.items()}
        clusters.append(
            KafkaCluster.start(
                folder, brokers, Lifetime.CALLER, advertise=advertise, settings=named
            )
        )
        return clusters[-1]

    yield start
    for cluster in clusters:
        cluster.stop()


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Record:
    """Put an outcome into the table, and check what holds for all: no page is lost."""
    outcomes = request.config.stash.setdefault(OUTCOMES, [])

    def check(outcome: Outcome) -> None:
        outcomes.append(outcome)
        assert outcome.lost == 0

    return check


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table."""
    outcomes = config.stash.get(OUTCOMES, [])
    if not outcomes:
        return
    rows = [HEADINGS, *(_row(outcome) for outcome in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    terminalreporter.section("faults")
    for row in rows:
        name, *figures = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        terminalreporter.write_line("  ".join([row[0].ljust(len(name)), *figures]))


def _row(outcome: Outcome) -> tuple[str, ...]:
    return (
        outcome.scenario,
        str(outcome.seed),
        str(outcome.pages),
        str(outcome.deleted),
        str(outcome.skipped),
        str(outcome.lost),
        str(outcome.repeated),
        f"{outcome.recovery_s:.1f}",
        str(outcome.restarts),
        f"{outcome.exit_s:.1f}",
        f"{outcome.peak_bytes / 1e6:.0f}",
        " ".join(f"{code}x{count}" for code, count in sorted(outcome.exit_codes.items())),
    )


def _title(test_name: str) -> str:
    return test_name.removeprefix("test_").replace("_", " ")
