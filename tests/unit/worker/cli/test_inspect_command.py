"""`winnow inspect`, and `winnow demo --web`."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from winnow.worker.cli import demo, main
from winnow.worker.demo.run import Summary
from winnow.worker.inspector.parts import InspectorParts

WINNOW = str(Path(sys.executable).with_name("winnow"))


def test_inspect_prints_its_address_and_ends_when_asked() -> None:
    command = [WINNOW, "inspect", "--port", "0", "--engine", "contrast"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.fullmatch(
            r"winnow inspect: (http://127\.0\.0\.1:\d+/) \(stop it with Ctrl-C\)\n", said
        )
        assert found, said
        with urllib.request.urlopen(f"{found[1]}api/options") as answer:
            assert b'"engine":"contrast"' in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert process.stderr.read() == ""


def test_inspect_says_that_its_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        result = CliRunner().invoke(main, ["inspect", "--port", str(port)])

    assert result.exit_code == 2
    assert f"127.0.0.1:{port}: " in result.output
    assert "with another --port" in result.output


def test_inspect_refuses_options_that_do_not_go_together() -> None:
    result = CliRunner().invoke(
        main, ["inspect", "--engine", "contrast", "--option", "comments=drop"]
    )

    assert result.exit_code == 2
    assert "does not have the option comments" in result.output


def test_demo_serves_the_inspector_when_its_pages_are_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served: list[object] = []

    class NoStream:
        def __init__(self, *_: object) -> None:
            pass

        async def run(self, *_: object) -> Summary:
            return Summary(0, 0, 0, 0.0, 0, 0, 0, 0)

    monkeypatch.setattr(demo, "Demo", NoStream)
    monkeypatch.setattr(demo, "serve", served.append)
    monkeypatch.setitem(os.environ, "WINNOW_ENGINE", "contrast")

    CliRunner().invoke(main, ["demo", "--web"])

    (parts,) = served
    assert isinstance(parts, InspectorParts)
    assert parts.options.engine == "contrast"
