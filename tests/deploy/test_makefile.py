"""The Makefile works in any folder."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.chart import ROOT


def a_program(path: Path, script: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_setup_builds_the_kernel_into_a_path_with_spaces(tmp_path: Path) -> None:
    tree = tmp_path / "my clone"
    a_program(tree / ".venv" / "bin" / "python", 'printf %s "$*" >arguments')
    a_program(tmp_path / "bin" / "cargo")
    shutil.copy(ROOT / "Makefile", tree)
    (tree / "requirements").mkdir()
    (tree / "models" / "kernel").mkdir(parents=True)
    for file in ("pyproject.toml", "requirements/dev.txt", ".venv/.requirements"):
        (tree / file).touch()
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"

    done = subprocess.run(
        ["make", "--silent", "setup"],
        cwd=tree,
        env={"PATH": path},
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert (tree / "arguments").read_text().endswith(" --editable .")


@pytest.mark.parametrize("variable", ["$(CURDIR)", "$(QUALITY_CACHE)", "$(PYTHON)"])
def test_paths_that_may_have_spaces_are_quoted(variable: str) -> None:
    recipes = [
        line
        for line in (ROOT / "Makefile").read_text().splitlines()
        if line.startswith("\t") and variable in line
    ]

    assert recipes
    assert [line for line in recipes for part in line.split('"')[::2] if variable in part] == []


def test_a_target_named_like_a_folder_is_made() -> None:
    listed = subprocess.run(
        ["make", "--dry-run", "bench"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout

    parts = ("bench.speed.kernel", "bench.speed.stream", "bench.speed.cache")
    assert [part for part in parts if part not in listed] == []
