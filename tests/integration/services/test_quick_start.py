"""Run the commands of the quick start and of the page on engines."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str) -> list[str]:
    return BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))


def run(block: str, environment: dict[str, str]) -> str:
    """Run a block from the root of the project, and return what it prints."""
    done = subprocess.run(
        ["bash", "-e", "-c", block],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_quick_start_leads_from_a_page_to_a_service(environment: dict[str, str]) -> None:
    subprocess.run(["rm", "-rf", "build/quick-start"], cwd=ROOT, check=True)

    _, cleaned, explained, archive, demo, service = (
        run(block, environment) for block in blocks("quick-start.md")
    )

    assert "lighthouse" in cleaned
    assert "probability" in explained
    assert '"not_html"' in archive
    assert "lighthouse" in demo
    assert '"text":' in service
    assert "lighthouse" in service


@pytest.mark.parametrize("block", [*blocks("engines.md"), *blocks("deployment.md")])
def test_a_block_of_another_page_runs(block: str, environment: dict[str, str]) -> None:
    assert run(block, environment | {"WINNOW_KAFKA_BOOTSTRAP": "127.0.0.1:9092"}) != ""
