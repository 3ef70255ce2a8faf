"""Image, compose file and chart set only settings that the worker has, under names of its own."""

import importlib.util
import re

import pytest

from tests.deploy.chart import FOLDER, ROOT

GIVEN = re.compile(r"\bWINNOW_[A-Z][A-Z_]*[A-Z]\b")
# Of the compose file alone: what image and how many partitions, not settings of a worker.
OF_COMPOSE = {"WINNOW_VERSION", "WINNOW_IMAGE", "WINNOW_PARTITIONS", "WINNOW_MEMORY"}
SOURCES = (
    ROOT / "Dockerfile",
    ROOT / "docker-compose.yml",
    ROOT / "deploy" / "image" / "probe.py",
    ROOT / "docs" / "operations.md",
    *sorted((FOLDER / "templates").rglob("*.*")),
    *sorted((FOLDER / "ci").iterdir()),
)


def test_every_setting_that_is_set_is_one_of_the_worker() -> None:
    if importlib.util.find_spec("worker.settings") is None:
        pytest.skip("worker.settings is not part of this tree yet")
    lines = importlib.import_module("worker.settings").help_lines()
    known = {line.variable for line in lines} | OF_COMPOSE

    unknown = {
        (source.name, name)
        for source in SOURCES
        for name in GIVEN.findall(source.read_text())
        if name not in known
    }

    assert unknown == set()
