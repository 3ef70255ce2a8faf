"""Foreign names are printed on one line."""

import os
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from rich.table import Table
from rich.text import Text

from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.main import main
from winnow.worker.terminal import printable, shown_path


def test_shown_path_escapes_bytes_and_has_no_control_characters() -> None:
    path = Path(os.fsdecode(b"caf\xe9/\x1b[31m\n\xc3\xa9.html"))

    assert shown_path(path) == "caf\\xe9/\ufffd[31m\ufffdé.html"


def test_printable_keeps_line_breaks_and_tabs_but_no_other_control_characters() -> None:
    assert printable("\x1b[31mone\r\ntwo\x9b\u202e\n") == "\ufffd[31mone\ufffd\ntwo\ufffd\ufffd\n"
    assert printable("hive\t\thoney\n\v") == "hive\t\thoney\n\ufffd"


def test_a_table_shows_texts_literally_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = Table("[/head]", title=Text("\x1b]0;a set\x9b31m"))
    table.add_row("[bold]x[/y]\x1b[2J")

    PlainConsole(width=60).print(table)

    out = capsys.readouterr().out
    assert "[bold]x[/y][2J" in out
    assert "[/head]" in out
    assert "]0;a set31m" in out
    assert all(char.isprintable() or char == "\n" for char in out)


def test_an_error_of_a_command_passes_no_control_characters_on(tmp_path: Path) -> None:
    # click takes colours away itself where it does not write to a terminal
    given = ["clean", str(tmp_path), "--option", "\x1b]0;title\x07=1"]

    result = CliRunner().invoke(main, given, color=True)

    assert result.exit_code == 2
    assert "unknown option" in result.output
    assert "\x1b" not in result.output


def test_a_problem_of_a_labelled_set_is_one_line(tmp_path: Path) -> None:
    for kind, suffix in (("html", "html"), ("gold", "txt")):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / f"a.{suffix}").write_text("text")
    (tmp_path / "meta.json").write_bytes(orjson.dumps({"\x1b[31ma\nwinnow: done": 5}))

    result = CliRunner().invoke(main, ["evaluate", str(tmp_path)], color=True)

    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "\x1b" not in result.output
