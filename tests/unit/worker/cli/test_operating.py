"""What the operator's commands say, and end with, when they cannot start."""

import pytest
from click.testing import CliRunner, Result

from winnow.streams.errors import KafkaUnavailable, NoSuchTopic
from winnow.worker.cli import main, tail

COMMANDS = (
    ("publish", "page.html"),
    ("tail", "documents"),
    ("topics", "create"),
    ("topics", "check"),
    ("dead", "list"),
    ("dead", "show", "0/0"),
    ("dead", "replay"),
    ("top",),
)


def winnow(*arguments: str, bootstrap: str = "kafka:9092") -> Result:
    return CliRunner().invoke(main, arguments, env={"WINNOW_KAFKA_BOOTSTRAP": bootstrap})


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_without_brokers_in_its_settings_ends_with_one_line(
    command: tuple[str, ...],
) -> None:
    result = winnow(*command, bootstrap="")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "winnow: WINNOW_KAFKA_BOOTSTRAP: must be set\n"


@pytest.mark.parametrize(
    "error", [KafkaUnavailable("nobody answers"), NoSuchTopic("a: no such topic")]
)
def test_a_command_that_cannot_read_ends_with_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(tail, "TopicReader", refuse)

    result = winnow("tail", "documents")

    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"winnow: {error}\n")
