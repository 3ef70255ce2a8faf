"""A worker process loads no module of lab, and no package that only lab needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from winnow.extras import MODULES
from winnow.models.engines.choice import ENGINES

# programs that start while other tests run
pytestmark = pytest.mark.timeout(300)

ROOT = Path(__file__).resolve().parents[3]
# how `winnow` loads a command, and what the supervisor starts
COMMAND = "from winnow.worker.cli.main import main; main.get_command(None, {!r})"
LOADED = "import sys; print(*sys.modules)"


def loaded_by(program: str) -> set[str]:
    """Return the modules that a new process has loaded after a program."""
    source = f"{program}\n{LOADED}"
    command = [sys.executable, "-c", source]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(found.stdout.split())


def of_lab(modules: set[str]) -> set[str]:
    return (modules & MODULES["lab"]) | {name for name in modules if name.startswith("winnow.lab")}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_cleaning_worker_process_does_not_load_lab(engine: str) -> None:
    modules = loaded_by(
        "import os\n"
        "import winnow.worker.service.child\n"
        "from winnow.models.document import Page\n"
        "from winnow.worker.cleaning import build_cleaner\n"
        "from winnow.worker.settings import Settings\n"
        f"cleaner = build_cleaner(Settings(engine={engine!r}))\n"
        "cleaner.clean_batch([Page('http://a.example/', b'<p>One two three.', 'text/html')])\n"
    )

    assert {"winnow.worker.service.child", "winnow.streams.app", "winnow.models.cleaner"} <= modules
    assert not of_lab(modules)


@pytest.mark.parametrize("name", ["worker", "demo", "clean", "publish", "tail", "topics", "score"])
def test_a_service_command_does_not_load_lab(name: str) -> None:
    modules = loaded_by(COMMAND.format(name))

    assert f"winnow.worker.cli.{name}" in modules
    assert not of_lab(modules)


def test_a_lab_command_is_seen_to_load_lab() -> None:
    assert of_lab(loaded_by(COMMAND.format("evaluate")))
