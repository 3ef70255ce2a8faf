"""An engine that only the registry knows works in a worker: the demo, on its embedded broker."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = [pytest.mark.integration, pytest.mark.timeout(90)]

ROOT: Final = Path(__file__).resolve().parents[3]
PAGE: Final = "<p>Bees find their way home by the sun, even on a day with many clouds.</p>"


def test_the_demo_runs_the_engine_that_its_options_name(tmp_path: Path) -> None:
    options, page = tmp_path / "options.json", tmp_path / "page.html"
    options.write_text(json.dumps({"engine": "whole"}))
    page.write_text(PAGE)

    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.winnow.toy_engine", "demo", "--json", str(page)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=80,
        env=os.environ | {"WINNOW_OPTIONS": str(options)},
    )

    assert done.returncode == 0, done.stderr
    assert '"engine":"whole"' in done.stdout.replace(" ", "")
