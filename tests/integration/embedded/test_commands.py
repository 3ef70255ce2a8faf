"""The commands as an operator runs them."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from tests.integration.embedded.harness import NAMES, ROOT
from winnow.worker.demo.embedded import EmbeddedBroker
from winnow.worker.demo.run import MAX_PAGE_BYTES

pytestmark = [pytest.mark.integration, pytest.mark.timeout(90)]

Run = Callable[..., subprocess.CompletedProcess[bytes]]
WINNOW = [sys.executable, "-c", "from winnow.worker.cli import main; main()"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def winnow(*arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
        clean = {name: each for name, each in os.environ.items() if name[:7] != "WINNOW_"}
        return subprocess.run(
            [*WINNOW, *arguments],
            capture_output=True,
            check=False,
            timeout=60,
            cwd=tmp_path,
            env=clean | {"PYTHONPATH": str(ROOT)} | environ,
        )

    return winnow


def lines_of(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in done.stdout.splitlines()]


def test_demo_answers_every_sample_and_leaves_no_files(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--json", FAUST_WEB_PORT="tcp://10.0.0.1:80", WEB_PORT="tcp://10.0.0.1:80")

    assert (done.returncode, done.stderr) == (0, b"")
    *answers, last = lines_of(done)
    summary = last["summary"]
    outcomes = ("documents", "deleted", "skipped", "dead")
    assert sum(summary[each] for each in outcomes) == summary["pages"] == len(answers)
    assert summary["documents"] >= 10
    schema = orjson.loads((ROOT / "streams/schemas/document.json").read_bytes())
    for answer in answers:
        assert set(answer) in ({"document", "stats"}, {"dead"})
        if "document" in answer:
            Draft202012Validator(schema).validate(answer["document"])
    assert list(tmp_path.iterdir()) == []


def test_demo_takes_paths_and_names_those_that_give_no_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "good.html").write_text("<p>A page.")
    (tmp_path / "pages" / "empty.html").write_text("")
    (tmp_path / "pages" / "huge.html").write_text("<p>" + "x" * (3 << 20))

    done = run("demo", "--json", "pages", "nowhere.html", "pages/good.html")

    assert done.returncode == 1
    again = b"winnow: pages/good.html: the same page as pages/good.html, shown once\n"
    assert done.stderr == b"winnow: nowhere.html: no such file or folder\n" + again
    *answers, last = lines_of(done)
    assert (last["summary"]["documents"], last["summary"]["dead"]) == (1, 2)
    given = [
        each["dead"]["reason"] if "dead" in each else each["document"]["url"] for each in answers
    ]
    assert given == ["empty", (tmp_path / "pages" / "good.html").as_uri(), "too_large"]
    size = (tmp_path / "pages" / "huge.html").stat().st_size
    assert answers[2]["dead"]["bytes"] == size
    assert answers[2]["dead"]["detail"] == f"{size} bytes, limit {MAX_PAGE_BYTES}"


def test_demo_ends_silently_when_its_reader_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*WINNOW, "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as demo:
        try:
            assert demo.stdout
            demo.stdout.readline()
            demo.stdout.close()
            _, said = demo.communicate(timeout=60)
        finally:
            demo.kill()

    assert (demo.returncode, said) == (1, b"")


def test_demo_shows_kept_text_and_a_table(run: Run) -> None:
    done = run("demo")

    assert done.returncode == 0
    text = done.stdout.decode()
    assert "article.html" in text
    assert "documents + " in text


def test_worker_ends_with_one_line_when_a_setting_is_wrong(run: Run) -> None:
    done = run("worker", WINNOW_KAFKA_BOOTSTRAP="a:1", WINNOW_TOPIC_PAGE="x")

    assert done.returncode == 2
    assert done.stderr == b"winnow: WINNOW_TOPIC_PAGE: unknown setting\n"


def test_worker_ends_with_one_line_when_no_broker_answers(run: Run) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"

    done = run("worker", WINNOW_KAFKA_BOOTSTRAP=address)

    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert line == f"winnow: cannot connect to any broker at {address}: connection refused"


def test_commands_say_like_the_worker_that_no_broker_answers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>A page.")
    commands = (
        *("publish page.html", "tail documents", "top", "topics check", "topics create"),
        *("dead list", "dead show 0/0", "dead replay"),
    )
    with socket.socket() as closed, ThreadPoolExecutor(len(commands)) as together:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"

        def started(command: str) -> subprocess.CompletedProcess[bytes]:
            return run(*command.split(), "--bootstrap", address)

        ended = dict(zip(commands, together.map(started, commands), strict=True))

    why = f"winnow: cannot connect to any broker at {address}: connection refused\n"
    said = {each: (done.returncode, done.stdout, done.stderr) for each, done in ended.items()}
    assert said == dict.fromkeys(commands, (2, b"", why.encode()))


def test_worker_ends_with_one_line_when_a_topic_is_missing(run: Run) -> None:
    with EmbeddedBroker() as broker:
        for name in (NAMES.pages, NAMES.documents, NAMES.stats):
            broker.create_topic(name)

        done = run("worker", WINNOW_KAFKA_BOOTSTRAP=broker.bootstrap[0])

    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert ": no topic winnow.dead: run winnow topics create" in line


def test_worker_shows_its_settings_without_secrets(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("hunter2")

    redis = {"WINNOW_REDIS_URL": "redis://cache", "WINNOW_REDIS_PASSWORD_FILE": str(secret)}
    done = run("worker", "--show-settings", **redis)

    assert done.returncode == 0
    assert f"WINNOW_REDIS_PASSWORD_FILE={secret}" in done.stdout.decode()
    assert b"hunter2" not in done.stdout


def test_worker_help_lists_every_setting(run: Run) -> None:
    done = run("worker", "--help")

    shown = run("worker", "--show-settings").stdout.decode()
    for line in shown.splitlines():
        assert line.split("=")[0] in done.stdout.decode()
