"""`winnow worker` up to the start of its processes."""

import os

import pytest
from click.testing import CliRunner, Result
from structlog.testing import capture_logs

from winnow.streams.kafka.brokers import BrokerAnswers
from winnow.worker.cli import main, worker
from winnow.worker.settings import Settings


def winnow(*arguments: str, **environ: str) -> Result:
    given = {"WINNOW_PROCESSES": "2", "WINNOW_KAFKA_BOOTSTRAP": "kafka:9092"} | environ
    return CliRunner().invoke(main, ["worker", *arguments], env=given)


def test_worker_shows_the_processes_of_the_command_line() -> None:
    result = winnow("-n", "4", "--show-settings")

    assert result.exit_code == 0
    assert "WINNOW_PROCESSES=4\n" in result.stdout


def test_worker_checks_the_ports_of_the_processes_of_the_command_line() -> None:
    result = winnow("-n", "3", "--show-settings", WINNOW_WEB_PORT="65534")

    assert result.exit_code == 2
    assert "the port of the last process would be above 65535" in result.stderr


def test_worker_gives_its_processes_settings_that_agree_with_the_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int]] = []
    brokers: list[str] = []

    def supervise(settings: Settings) -> int:
        theirs = Settings.from_env(os.environ)
        seen.append((settings.processes, theirs.processes))
        brokers.extend(theirs.kafka_bootstrap)
        return 0

    async def no_check(*_: object) -> BrokerAnswers:
        return BrokerAnswers(("kafka:9092",), {"frozen:9092": "no answer"})

    monkeypatch.setattr(worker, "build_cleaner", lambda *_, **__: None)
    monkeypatch.setattr(worker, "check_brokers", no_check)
    monkeypatch.setattr(worker, "check_topics", lambda *_: "")
    monkeypatch.setattr(worker, "configure_logging", lambda *_: None)
    monkeypatch.setattr(worker, "supervise", supervise)

    both = {"WINNOW_KAFKA_BOOTSTRAP": "frozen:9092,kafka:9092"}
    with capture_logs() as lines:
        result = winnow("-n", "1", WINNOW_WEB_PORT="65535", **both)

    assert result.exit_code == 0, result.output
    assert seen == [(1, 1)]
    assert brokers == ["kafka:9092"]
    assert [line["error"] for line in lines] == ["frozen:9092: no answer"]
