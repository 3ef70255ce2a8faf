"""Paths on every command line."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from winnow.worker.cli import main
from winnow.worker.cli.paths import PathName


def commands(group: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        elif command:
            yield (*names, name), command


COMMANDS = dict(commands(main))


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_every_path_of_a_command_has_a_name(name: tuple[str, ...]) -> None:
    paths = [each.type for each in COMMANDS[name].params if isinstance(each.type, click.Path)]

    assert all(isinstance(path, PathName) for path in paths)


@pytest.mark.parametrize(
    "arguments",
    [["clean", ""], ["clean", "-", "-o", ""], ["publish", ""], ["strip", ""], ["evaluate", ""]],
)
def test_an_empty_path_is_refused(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments, input="<p>x")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "The path is empty" in result.stderr
