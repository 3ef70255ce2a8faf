"""Topics of a test's own on the shared broker, and `winnow` as an operator runs it."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from confluent_kafka.admin import AdminClient

from tests.integration.kafka.running import RunningWorker
from tests.services.processes import free_port
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.publisher import Publisher
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Incoming, Outgoing
from winnow.streams.topics import TopicNames
from winnow.worker.cli import main

Winnow = Callable[..., Result]
StartWorker = Callable[..., RunningWorker]

# the console script, for tests that need a process of its own
SCRIPT = str(Path(sys.executable).with_name("winnow"))


@dataclass(frozen=True, slots=True)
class Deployment:
    """Four topic names, a group, and the environment that says so."""

    bootstrap: str
    names: TopicNames
    group: str

    @property
    def connection(self) -> Connection:
        return Connection((self.bootstrap,))

    @property
    def environment(self) -> dict[str, str]:
        return {
            "WINNOW_KAFKA_BOOTSTRAP": self.bootstrap,
            "WINNOW_TOPIC_PAGES": self.names.pages,
            "WINNOW_TOPIC_DOCUMENTS": self.names.documents,
            "WINNOW_TOPIC_STATS": self.names.stats,
            "WINNOW_TOPIC_DEAD": self.names.dead,
            "WINNOW_GROUP": self.group,
        }

    def all_topics(self) -> list[str]:
        return [self.names.pages, self.names.documents, self.names.stats, self.names.dead]


@pytest.fixture
def deployment(kafka_bootstrap: str, unique_name: str) -> Iterator[Deployment]:
    """Unique names of topics, which are deleted after the test."""
    names = TopicNames(*(f"{unique_name}.{kind}" for kind in ("pages", "docs", "stats", "dead")))
    made = Deployment(kafka_bootstrap, names, unique_name)
    yield made
    admin = AdminClient({"bootstrap.servers": kafka_bootstrap})
    present = [name for name in made.all_topics() if name in admin.list_topics(timeout=10).topics]
    for deletion in admin.delete_topics(present).values() if present else ():
        deletion.result(10)


@pytest.fixture
def winnow(deployment: Deployment) -> Winnow:
    """Run a command with the deployment's environment."""

    def run(*arguments: str, stdin: bytes = b"", **environment: str) -> Result:
        runner = CliRunner(env=deployment.environment | environment)
        return runner.invoke(main, list(arguments), input=io.BytesIO(stdin))

    return run


@pytest.fixture
def start_worker(topics: Deployment, tmp_path: Path) -> Iterator[StartWorker]:
    """Start `winnow worker` with a number of processes; wait until ready, if so; stop it later."""
    started: list[RunningWorker] = []

    def start(processes: int = 1, *, wait: bool = True, **environment: str) -> RunningWorker:
        log, port = tmp_path / f"worker-{len(started)}.log", free_port(in_a_row=processes)
        ours = {"WINNOW_WEB_PORT": str(port), "TMPDIR": str(tmp_path)}
        with log.open("wb") as output:
            supervisor = subprocess.Popen(
                [SCRIPT, "worker", "-n", str(processes)],
                stdout=output,
                stderr=output,
                env=os.environ | topics.environment | ours | environment,
            )
        started.append(RunningWorker(supervisor, log, port, processes))
        if wait:
            started[-1].until(started[-1].is_ready)
        return started[-1]

    yield start
    for worker in started:
        worker.supervisor.kill()
        worker.supervisor.wait()


@pytest.fixture
def topics(winnow: Winnow, deployment: Deployment) -> Deployment:
    """The deployment with its topics made, four partitions each."""
    result = winnow("topics", "create", "--partitions", "4")
    assert result.exit_code == 0, result.output
    return deployment


def publish(deployment: Deployment, *records: Outgoing) -> None:
    """Publish records and wait until the broker has them."""
    problems: list[str] = []
    publisher = Publisher(deployment.connection)
    for record in records:
        publisher.send(record, problems.append)
    publisher.confirm()
    assert problems == []


def held(deployment: Deployment, topic: str) -> list[Incoming]:
    """Return all records of a topic, partition by partition."""
    with TopicReader(deployment.connection, "test") as reader:
        stored = reader.read(topic, reader.spans(topic))
        return sorted((each.record for each in stored), key=lambda each: each.source)
