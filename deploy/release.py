"""`make release-check`: everything that must hold before a version is tagged, with a table.

    python -m deploy.release [--only STEP]... [--wheel-tools PYTHON]

The steps run in order; one that fails does not stop the others. `--wheel-tools` is the interpreter
of requirements/wheels.txt. The wheel is built twice, the second time in a fresh clone of the commit
below `build/release`, and both must have the same bytes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from platform import machine
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD: Final = ROOT / "build" / "release"
MOST_LINES: Final = 10
_LINK: Final = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
LABELS: Final = ("title", "description", "licenses", "version", "revision", "created")


@dataclass(frozen=True, slots=True)
class Release:
    """What is checked: a version, and who builds its wheels."""

    version: str
    wheel_tools: str

    def steps(self) -> Mapping[str, Callable[[], Iterator[str]]]:
        """Return the steps by name; each yields what is wrong."""
        return {
            "commit": self.commit,
            "versions": lambda: tests("tests/unit/test_versions.py"),
            "changelog": self.changelog,
            "docs": self.docs,
            "licences": lambda: tests("tests/supply_chain"),
            "chart": lambda: tests("tests/deploy", "-m", "not image and not cluster"),
            "labels": labels,
            "wheels": self.wheels,
            "reproducible": self.reproducible,
        }

    def commit(self) -> Iterator[str]:
        """All changes are committed, so that what is checked is what is tagged."""
        if changed := output("git", "status", "--porcelain"):
            yield f"not committed: {', '.join(changed.split()[1::2])}"

    def changelog(self) -> Iterator[str]:
        """The version has a date, and begins with few lines that lead to pages."""
        yield from faults_of_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), self.version)

    def docs(self) -> Iterator[str]:
        """The site builds strictly, and generated parts are fresh."""
        yield from run("make", "--silent", "site", f"SITE={BUILD / 'site'}")
        yield from tests("tests/unit/docs", "tests/integration/processes/test_cookbook.py")

    def wheels(self) -> Iterator[str]:
        """Wheels are built from the commit, and the one of this machine works."""
        shutil.rmtree(BUILD / "first", ignore_errors=True)
        yield from self._build(ROOT, BUILD / "first")
        for wheel in (BUILD / "first").glob(f"*_{machine()}.whl"):
            yield from run(self.wheel_tools, "-m", "deploy.wheels.trial", str(wheel), "python3")

    def reproducible(self) -> Iterator[str]:
        """A fresh clone of the commit gives the same bytes."""
        shutil.rmtree(BUILD / "again", ignore_errors=True)
        yield from run("git", "clone", "--quiet", str(ROOT), str(BUILD / "again"))
        yield from self._build(BUILD / "again", BUILD / "second")
        yield from differences(BUILD / "first", BUILD / "second")

    def _build(self, source: Path, folder: Path) -> Iterator[str]:
        shutil.rmtree(folder, ignore_errors=True)
        command = (self.wheel_tools, "-m", "deploy.wheels.build", str(folder), machine())
        yield from run(*command, cwd=source)


def faults_of_changelog(text: str, version: str) -> Iterator[str]:
    """Yield what the section of a version lacks."""
    found = re.search(
        rf"^## {re.escape(version)} \(([^)\n]+)\)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if not found:
        yield f"no section {version}"
        return
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", found[1]):
        yield f"{version} has no date, but ({found[1]})"
    summary = found[2].partition("\n### ")[0]
    lines = [line for line in summary.splitlines() if line.startswith("- ")]
    if not 0 < len(lines) <= MOST_LINES:
        yield f"{version} begins with {len(lines)} lines, not 1 to {MOST_LINES}"
    for line in lines:
        targets = _LINK.findall(line)
        dead = [each for each in targets if "://" not in each and not (ROOT / each).exists()]
        if dead or not targets:
            yield f"no link, or a dead one: {line[:60]}"


def labels() -> Iterator[str]:
    """The image has the labels of the OCI, with the version as an argument of the build."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    missing = [name for name in LABELS if f"org.opencontainers.image.{name}=" not in text]
    if missing:
        yield f"Dockerfile: no label {', '.join(missing)}"
    if 'image.version="${VERSION}"' not in text:
        yield "Dockerfile: the label version is not the argument VERSION"


def differences(first: Path, second: Path) -> Iterator[str]:
    """Yield the wheels of two folders that are not equal byte for byte."""
    built = {
        folder: {path.name: path for path in folder.glob("*.whl")} for folder in (first, second)
    }
    if not built[first]:
        yield f"no wheel in {first.name}"
    for name in sorted(built[first].keys() ^ built[second].keys()):
        yield f"{name}: built once"
    for name in sorted(built[first].keys() & built[second].keys()):
        digests = {sha256(built[folder][name].read_bytes()).hexdigest() for folder in built}
        if len(digests) > 1:
            yield f"{name}: two builds differ"


def tests(*arguments: str) -> Iterator[str]:
    """Run tests of the project."""
    yield from run(sys.executable, "-m", "pytest", "-q", *arguments)


def run(*command: str, cwd: Path = ROOT) -> Iterator[str]:
    """Run a command; yield its last lines when it fails."""
    # files in a wheel have the time of the commit
    epoch = output("git", "log", "-1", "--format=%ct")
    environment = os.environ | {"SOURCE_DATE_EPOCH": epoch}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stdout + done.stderr).strip().splitlines()[-5:]
        yield f"{' '.join(command[1:5])} ended with {done.returncode}: {' / '.join(last)}"


def output(*command: str) -> str:
    """Return what a command prints."""
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def main(arguments: list[str]) -> int:
    """Run the steps and print the table; the exit code is 1 when something is wrong."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="STEP")
    parser.add_argument("--wheel-tools", default=sys.executable)
    chosen = parser.parse_args(arguments)
    steps = Release(project["version"], chosen.wheel_tools).steps()
    if unknown := set(chosen.only) - steps.keys():
        parser.error(f"no step {', '.join(sorted(unknown))}; there are {', '.join(steps)}")
    failed = 0
    for name in chosen.only or steps:
        wrong = list(steps[name]())
        failed += bool(wrong)
        print(f"{name:13} {'; '.join(wrong) or 'ok'}", flush=True)
    print(f"{project['version']}: {f'{failed} steps failed' if failed else 'ready'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
