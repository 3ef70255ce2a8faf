"""What a person meets first: the list of commands, and what a mistake is answered with."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from winnow.worker.cli import main
from winnow.worker.cli.main import COMMANDS, Entry, Section

# help does not need these; each costs at least a twentieth of a second
SLOW = {"faust", "aiokafka", "nltk", "numpy", "aiohttp", "selectolax", "orjson", "rich", "redis"}
KERNEL = "winnow.models._kernel"
# runs `python -m winnow` and then says what it has loaded, and its CPU seconds
PROGRAM = """
import resource, runpy, sys
sys.argv = ["winnow", *sys.argv[1:]]
try:
    runpy.run_module("winnow", run_name="__main__")
except SystemExit as end:
    assert not end.code, end
spent = resource.getrusage(resource.RUSAGE_SELF)
print(spent.ru_utime + spent.ru_stime, *sys.modules, file=sys.stderr)
"""


def loaded_by(*arguments: str) -> tuple[float, set[str]]:
    """Return the CPU seconds of a command in a process of its own, and the modules it loads."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, *modules = done.stderr.split()
    return float(seconds), set(modules)


def winnow(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="winnow")


def test_help_lists_every_command_under_its_heading() -> None:
    shown = winnow("--help").stdout

    for section in Section:
        lines = shown.split(f"\n{section.value}:\n")[1].split("\n\n")[0].splitlines()
        expected = [[each.name, each.line] for each in COMMANDS if each.section is section]
        assert [line.split(maxsplit=1) for line in lines] == expected
    assert len({each.name for each in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda each: each.name)
def test_the_line_of_a_command_is_its_own_short_help(entry: Entry) -> None:
    command = main.get_command(click.Context(main), entry.name)

    assert command is not None
    assert command.get_short_help_str(100) == entry.line


def test_help_imports_nothing_that_a_command_needs() -> None:
    seconds, modules = loaded_by("--help")

    assert "winnow.worker.cli.main" in modules
    assert not (SLOW | {KERNEL}) & modules
    # 0.1 s measured; a busy machine counts up to twice as much
    assert seconds <= 0.3


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (
            ["strip", "--help"],
            {"rich", "zstandard", "msgspec", "orjson", "winnow.worker.batch.archives"},
        ),
        (
            ["score", "--help"],
            {"zstandard", "msgspec", "winnow.streams", "winnow.worker.batch.archives"},
        ),
        (["clean", "--help"], {"aiohttp", "faust", "redis", "numpy"}),
    ],
)
def test_a_command_imports_little_beyond_its_work(arguments: list[str], without: set[str]) -> None:
    _, modules = loaded_by(*arguments)

    assert f"winnow.worker.cli.{arguments[0]}" in modules
    assert not without & modules


def test_completion_of_a_command_imports_no_command() -> None:
    completed = main.shell_complete(click.Context(main), "to")

    assert [each.value for each in completed] == ["topics", "top"]


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
