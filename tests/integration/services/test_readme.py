"""Run the uses that the README shows: archives, and a Kafka."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.archives import a_record, gzipped

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHIVES = re.compile(r"^Over whole archives.*?```sh\n(.*?)```", re.DOTALL | re.MULTILINE)
WAY = re.compile(r"^As a service with Kafka:\n\n```sh\n(.*?)```", re.DOTALL | re.MULTILINE)


def test_five_commands_clean_a_page_and_an_archive(tmp_path: Path) -> None:
    (commands,) = ARCHIVES.findall(README)
    (tmp_path / "page.html").write_bytes((ROOT / "worker/samples/article.html").read_bytes())
    records = (a_record(number) for number in (1, 1, 2))
    (tmp_path / "crawl.warc.gz").write_bytes(gzipped(records))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    done = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "## A roof before winter" in done.stdout
    assert "probability" in done.stdout
    assert sorted(tmp_path.glob("tables/*.parquet"))
    assert len(commands.splitlines()) == 5


def test_five_commands_give_documents_from_nothing(environment: dict[str, str]) -> None:
    (way,) = WAY.findall(README)
    pages = sum(1 for _ in (ROOT / "worker" / "samples").iterdir())

    shell = subprocess.Popen(
        ["bash", "-e", "-c", way],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    ending = threading.Timer(200, os.killpg, (shell.pid, signal.SIGKILL))
    ending.start()
    seen = set()
    try:
        assert shell.stdout is not None
        for line in shell.stdout:
            if re.fullmatch(r"https://example\.org/\S+\n", line):
                seen.add(line.strip())
            if len(seen) == pages - 1:  # one of the samples is not HTML
                break
    finally:
        ending.cancel()
        os.killpg(shell.pid, signal.SIGKILL)
        shell.communicate()

    assert len(way.splitlines()) == 5
    assert len(seen) == pages - 1
