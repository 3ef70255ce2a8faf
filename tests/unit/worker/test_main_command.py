"""What a person meets first: the list of commands, and what a mistake is answered with."""

import pytest
from click.testing import CliRunner, Result

from winnow.worker.cli import main
from winnow.worker.cli.main import COMMANDS


def winnow(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="winnow")


def test_help_lists_every_command_with_a_whole_sentence() -> None:
    shown = winnow("--help").stdout

    lines = {line.split()[0]: line for line in shown.split("Commands:")[1].splitlines() if line}
    assert list(lines) == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines.values())


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["tial"], "no such command 'tial'. Did you mean 'tail'?"),
        (["tail", "--formta", "x", "pages"], "no such option: --formta. Did you mean --format?"),
        (["xyzzy"], "no such command 'xyzzy'"),
        (["clean", "--fromat", "text"], "no such option: --fromat"),
        (["clean"], "missing argument 'PATHS...'"),
        (["--nothing"], "no such option: --nothing"),
    ],
)
def test_a_mistake_is_answered_in_one_style(arguments: list[str], answer: str) -> None:
    result = winnow(*arguments)

    first, hint = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (2, "")
    assert first.startswith(f"winnow: {answer}")
    assert hint.startswith("Try 'winnow")
