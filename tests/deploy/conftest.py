"""Fixtures of the deployment tests: the built tools, and the chart rendered by them."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deploy.chart import ROOT, Chart
from tests.deploy.containers import IMAGE_NAME, Image, build
from tests.deploy.report import Report


@pytest.fixture(scope="session")
def tool() -> Callable[[str], Path]:
    """Tell where a tool of `deploy/tools` was built; without it the test is skipped.

    `make deploy-test` sets DEPLOY_TOOLS=required: there the test fails instead.
    """

    def find(name: str) -> Path:
        finder = [str(ROOT / "deploy" / "tools" / "tool"), "where", name]
        found = subprocess.run(finder, check=False, capture_output=True, text=True)
        if found.returncode:
            missing = pytest.fail if os.environ.get("DEPLOY_TOOLS") == "required" else pytest.skip
            missing(found.stderr.strip())
        return Path(found.stdout.strip())

    return find


@pytest.fixture(scope="session")
def chart(tool: Callable[[str], Path]) -> Chart:
    """The chart under helm 3."""
    return Chart(tool("helm3") / "helm")


REPORT = pytest.StashKey[Report]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin an empty table."""
    config.stash[REPORT] = Report()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table of tools when all tools had to be there."""
    if os.environ.get("DEPLOY_TOOLS") == "required":
        for line in config.stash[REPORT].lines():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config) -> Report:
    """The table of tools, to add a row to."""
    return pytestconfig.stash[REPORT]


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    """The image of this tree, and its files."""
    missing = [it for it in ("buildah", "runc", "mmdebstrap", "cargo") if not shutil.which(it)]
    if missing or os.geteuid() != 0:
        unfit = pytest.fail if os.environ.get("DEPLOY_TOOLS") == "required" else pytest.skip
        unfit(f"needs root and: {' '.join(missing)}")
    build("image", IMAGE_NAME)
    config = json.loads(build("inspect", IMAGE_NAME))["OCIv1"]["config"]
    yield Image(Path(build("mount", IMAGE_NAME)), config)
    build("drop")
