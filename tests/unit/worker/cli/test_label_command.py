"""`winnow label`: what it refuses before it serves, and how it ends."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from winnow.worker.cli import main

TEXT = "The volunteers carried slates up the narrow stairs on every Saturday of the year."


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """One labelled page, whose gold text is its paragraph."""
    for path, text in (("html/a.html", f"<nav>Home</nav><p>{TEXT}"), ("gold/a.txt", TEXT)):
        (tmp_path / "mine" / path).parent.mkdir(parents=True)
        (tmp_path / "mine" / path).write_text(text)
    return tmp_path / "mine"


def label(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["label", *map(str, arguments)])


def test_label_serves_the_worst_pages_and_ends_when_asked(pages: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "winnow", "label", str(pages), "--port", "0"]
    command += ["-o", str(tmp_path / "patches.jsonl")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.fullmatch(
            r"winnow label: (http://127\.0\.0\.1:\d+/) \(stop it with Ctrl-C\)\n", said
        )
        assert found, said
        request = urllib.request.Request(
            f"{found[1]}api/pages", b"{}", {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            assert [page["name"] for page in json.load(answer)["pages"]] == ["mine/a"]
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_named(pages: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])

        result = label(pages, "-o", tmp_path / "patches.jsonl", "--port", port)

    assert result.exit_code == 2
    assert f"127.0.0.1:{port}: " in result.stderr
    assert "run `winnow label` with another --port" in result.stderr


def test_a_file_that_holds_no_patches_is_named(pages: Path, tmp_path: Path) -> None:
    (tmp_path / "patches.jsonl").write_text("{}\n")

    result = label(pages, "-o", tmp_path / "patches.jsonl")

    assert result.exit_code == 2
    assert "patches.jsonl, line 1: not a patch" in result.stderr


def test_an_input_is_not_written(pages: Path) -> None:
    result = label(pages, "-o", pages / "gold" / "a.txt")

    assert (result.exit_code, "overwrite the input" in result.stderr) == (2, True)
    assert (pages / "gold" / "a.txt").read_text() == TEXT


def test_a_set_without_pages_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty" / "html").mkdir(parents=True)

    result = label(tmp_path / "empty", "-o", tmp_path / "patches.jsonl")

    assert result.exit_code == 2
    assert "empty" in result.stderr
