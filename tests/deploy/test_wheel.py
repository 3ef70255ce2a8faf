"""The wheel that the image installs: everything that runs, and no training data."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from deploy.wheels.trial import cleaned
from tests.deploy.chart import ROOT

FOLDERS = ("lab", "models", "streams", "worker")  # links in winnow/
KERNEL = "winnow/models/_kernel.abi3.so"

pytestmark = [pytest.mark.image, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as the Dockerfile does."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), "."]
    subprocess.run(command, cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(built: Path) -> set[str]:
    """The names of the files in the wheel."""
    with ZipFile(built) as files:
        return set(files.namelist())


def versioned(*patterns: str) -> set[str]:
    """The files of these patterns that are in version control, by their names in a wheel."""
    command = ["git", "ls-files", "--", *patterns]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = set(found.splitlines()) - {f"winnow/{folder}" for folder in FOLDERS}
    return {name if name.startswith("winnow/") else f"winnow/{name}" for name in names}


def test_wheel_holds_kernel_stubs_models_schemas_and_samples(wheel: set[str]) -> None:
    needed = versioned("models/data", "streams/schemas", "worker/samples", "models/_kernel/*.pyi")

    assert needed
    assert needed | {"winnow/models/py.typed", KERNEL} <= wheel


def test_wheel_holds_every_module(wheel: set[str]) -> None:
    modules = versioned(*(f"{folder}/**.py" for folder in (*FOLDERS, "winnow")))

    assert {
        "winnow/worker/cli/main.py",
        "winnow/streams/app.py",
        "winnow/lab/gate/floors.py",
        "winnow/models/cleaner.py",
    } <= modules
    assert modules <= wheel


def test_wheel_holds_nothing_else(wheel: set[str]) -> None:
    own = versioned(*FOLDERS, "winnow") | {KERNEL}

    foreign = {name for name in wheel - own if ".dist-info/" not in name}

    assert foreign == set()
    assert not {name for name in wheel if Path(name).suffix in {".rs", ".zst", ".warc", ".gz"}}


def test_wheel_cleans_a_page_without_any_other_package(built: Path, tmp_path: Path) -> None:
    packages, _ = cleaned(sys.executable, built, tmp_path)

    assert {each.split("==")[0] for each in packages} == {"winnow-web"}
