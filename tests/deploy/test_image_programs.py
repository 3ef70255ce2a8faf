"""The image's own programs: the health probe and the bill of materials."""

import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import pytest

from tests.deploy.chart import ROOT
from tests.deploy.report import Report

IMAGE = ROOT / "deploy" / "image"


def program(name: str) -> ModuleType:
    """Return a program of the image as a module, without running it."""
    spec = importlib.util.spec_from_file_location(name, IMAGE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


probe = program("probe")
sbom = program("sbom")


def listening(answers: dict[str, int], port: int = 0) -> HTTPServer:
    """Return a server on loopback that gives each path its status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answers[self.path])
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Do not log."""

    return HTTPServer(("127.0.0.1", port), Handler)


def neighbours(first: dict[str, int], second: dict[str, int]) -> tuple[HTTPServer, HTTPServer]:
    """Return two servers on two ports that follow each other, as two worker processes have them."""
    for port in range(20000, 60000, 977):
        try:
            one = listening(first, port)
        except OSError:
            continue
        try:
            return one, listening(second, port + 1)
        except OSError:
            one.server_close()
    raise OSError("no two ports that follow each other are free")


@contextmanager
def served(*servers: HTTPServer) -> Iterator[int]:
    """Let the servers answer; yield the port of the first."""
    threads = [threading.Thread(target=each.serve_forever, args=(0.01,)) for each in servers]
    for thread in threads:
        thread.start()
    try:
        yield servers[0].server_port
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()


def free_port() -> int:
    """Return a port on which nobody listens."""
    with listening({}) as server:
        return server.server_port


def settings(port: int, processes: int) -> dict[str, str]:
    return {
        "WINNOW_WEB_HOST": "0.0.0.0",
        "WINNOW_WEB_PORT": str(port),
        "WINNOW_PROCESSES": str(processes),
    }


def test_probe_says_yes_when_every_process_does() -> None:
    with served(*neighbours({"/livez": 200}, {"/livez": 200})) as port:
        assert probe.failures("livez", settings(port, 2)) == []


def test_probe_names_the_process_that_says_no() -> None:
    with served(*neighbours({"/readyz": 200}, {"/readyz": 503})) as port:
        assert probe.failures("readyz", settings(port, 2)) == ["process 1: 503"]


def test_probe_says_no_when_nobody_listens() -> None:
    port = free_port()

    (failure,) = probe.failures("livez", settings(port, 1))

    assert f"port {port}" in failure


def test_probe_says_no_in_time_when_a_process_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "DEADLINE_S", 0.2)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as silent:  # listens, never answers
        (failure,) = probe.failures("livez", settings(silent.server_port, 1))

    assert "timed out" in failure


@pytest.mark.parametrize("arguments", [[], ["healthz"], ["livez", "readyz"]])
def test_probe_refuses_another_question(arguments: list[str]) -> None:
    assert probe.main(arguments) == 2


def test_probe_exits_with_1_and_the_reason_as_a_command() -> None:
    port = free_port()
    command = [sys.executable, "-IS", str(IMAGE / "probe.py"), "livez"]

    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=settings(port, 1)
    )

    assert done.returncode == 1
    assert done.stdout.startswith("process 0: port")


def test_list_of_contents_has_python_rust_and_debian_packages_once_each() -> None:
    lock = ROOT / "models" / "kernel" / "Cargo.lock"

    document = sbom.bill_of_materials("1.2.3", lock)

    references = [each["bom-ref"] for each in document["components"]]
    kinds = {reference.split("/")[0] for reference in references}
    assert kinds == {"pkg:pypi", "pkg:cargo", "pkg:deb"}
    assert references == sorted(set(references))
    assert any(reference.startswith("pkg:pypi/aiokafka@") for reference in references)
    assert any(reference.startswith("pkg:cargo/pyo3@") for reference in references)
    assert "pkg:pypi/winnow" not in " ".join(references)
    assert document["metadata"]["component"]["version"] == "1.2.3"


def test_list_of_contents_is_valid_cyclonedx(
    tool: Callable[[str], Path], tmp_path: Path, report: Report
) -> None:
    document = sbom.bill_of_materials("1.2.3", ROOT / "models" / "kernel" / "Cargo.lock")
    written = tmp_path / "sbom.cdx.json"
    written.write_text(json.dumps(document))
    check = (
        "import sys; from cyclonedx.validation.json import JsonStrictValidator as V; "
        "from cyclonedx.schema import SchemaVersion as S; "
        "sys.exit(str(V(S.V1_5).validate_str(open(sys.argv[1]).read()) or '') or 0)"
    )

    done = subprocess.run(
        [tool("python") / "bin" / "python", "-c", check, written],
        check=False,
        capture_output=True,
        text=True,
    )

    report.add("cyclonedx-python-lib", f"{len(document['components'])} components", 0)
    assert done.returncode == 0, done.stderr
