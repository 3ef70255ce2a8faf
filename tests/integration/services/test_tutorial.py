"""Run docs/tutorial.md from the first command to the last."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.messages.pages import programs
from tests.services.processes import free_port

pytestmark = [pytest.mark.integration, pytest.mark.timeout(600)]

ROOT = Path(__file__).resolve().parents[3]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_tutorial_leads_from_a_crawl_to_a_search(environment: dict[str, str]) -> None:
    folder = ROOT / "build" / "tutorial"
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    folder.mkdir(parents=True)
    for name, program in programs(TUTORIAL).items():
        (folder / name).write_text(program)
    blocks = "echo '== next'\n".join(BLOCK.findall(TUTORIAL))
    script = blocks.replace("8300", str(free_port()))
    programs_of_tests = f"{Path(sys.executable).parent}:{environment['PATH']}"

    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=ROOT,
        env=environment | {"PATH": programs_of_tests},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    _, _, crawled, cleaned, explained, _, searched, streamed = done.stdout.split("== next\n")
    assert crawled.startswith("13 ")
    assert '"not_html"' in cleaned
    assert "probability" in explained
    assert "[lighthouse]" in searched
    assert "newsletter" not in searched
    assert "[lighthouse]" in streamed
