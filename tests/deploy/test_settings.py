"""Image, compose file and chart set only settings that the worker has."""

import re
from dataclasses import fields

from tests.deploy.chart import FOLDER, ROOT
from worker.settings import Settings, variable_of

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
    known = {variable_of(each.name) for each in fields(Settings)} | OF_COMPOSE

    unknown = {
        (source.name, name)
        for source in SOURCES
        for name in GIVEN.findall(source.read_text())
        if name not in known
    }

    assert unknown == set()
