"""The version of a release is the same in several files."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PLACES: Final = [
    ("models/kernel/Cargo.toml", r'^version = "(.+)"$'),
    ("models/kernel/Cargo.lock", r'^name = "winnow-kernel"\nversion = "(.+)"$'),
    ("models/kernel/html/Cargo.toml", r'^version = "(.+)"$'),
    ("models/kernel/Cargo.lock", r'^name = "winnow-html"\nversion = "(.+)"$'),
    ("models/kernel/fuzz/Cargo.lock", r'^name = "winnow-kernel"\nversion = "(.+)"$'),
    ("helm/winnow/Chart.yaml", r"^version: (.+)$"),
    ("helm/winnow/Chart.yaml", r"^appVersion: (.+)$"),
    ("CITATION.cff", r"^version: (.+)$"),
    ("docker-compose.yml", r"\$\{WINNOW_VERSION:-(.+)\}"),
    ("docker-compose.yml", r"\$\{WINNOW_IMAGE:-winnow:(.+)\}"),
    ("tests/deploy/test_image.py", r'"winnow, version (.+)\\n"'),
]


def version(file: str, pattern: str) -> str:
    found = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, file
    return found[1]


@pytest.mark.parametrize(("file", "pattern"), PLACES)
def test_every_file_states_the_version_of_the_package(file: str, pattern: str) -> None:
    assert version(file, pattern) == version("pyproject.toml", r'^version = "([^"]+)"')
