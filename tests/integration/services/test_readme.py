"""The way of the README from the demo to a Kafka, as it stands there."""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]
WAY = re.compile(r"## From the demo to your own Kafka\n\n```sh\n(.*?)```", re.DOTALL)


def test_five_commands_lead_from_nothing_to_documents(environment: dict[str, str]) -> None:
    (way,) = WAY.findall((ROOT / "README.md").read_text(encoding="utf-8"))
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
            if len(seen) == pages - 1:  # one of the samples is no HTML
                break
    finally:
        ending.cancel()
        os.killpg(shell.pid, signal.SIGKILL)
        shell.communicate()

    assert len(way.splitlines()) == 5
    assert len(seen) == pages - 1
