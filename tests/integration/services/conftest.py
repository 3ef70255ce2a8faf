"""Commands that pages of the documentation give, in a shell of the test's own."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.processes import free_port

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Services of the test's own, which are gone after it."""
    ours = {
        "SERVICES_FOLDER": str(tmp_path / "services"),
        "WINNOW_WEB_PORT": str(free_port()),
        "MAKEFLAGS": "",
    }
    yield os.environ | ours
    subprocess.run(
        ["make", "--silent", "services-stop"], cwd=ROOT, env=os.environ | ours, check=True
    )
