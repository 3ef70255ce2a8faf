"""Fixtures of the deployment tests: the built tools, and the chart rendered by them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deploy.chart import ROOT, Chart


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
