"""Image, compose file and chart set only settings that the worker has."""

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest
import yaml

from tests.deploy.chart import FOLDER, ROOT, Chart, value_set, values
from winnow.models.options import CleanerOptions
from winnow.worker.cleaning import options_in
from winnow.worker.cli.topics import command
from winnow.worker.settings import Settings, variable_of

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


def test_topics_job_and_compose_run_a_command_that_exists(
    chart: Chart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_KAFKA_BOOTSTRAP", "kafka:9092")
    job = chart.one("Job", values(topics={"partitions": 5, "create": {"replication": 2}}))
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["topics"]
    assert isinstance(command, click.Group)
    create = command.commands["create"]

    in_job = job["spec"]["template"]["spec"]["containers"][0]["args"]
    assert in_job[:2] == compose["command"][:2] == ["topics", "create"]
    parsed = create.make_context("create", in_job[2:]).params
    assert (parsed["partitions"], parsed["replication"]) == (5, 2)
    filled = [re.sub(r"\$\{\w+:-(\d+)\}", r"\1", word) for word in compose["command"][2:]]
    assert create.make_context("create", filled).params["partitions"] == 12


def test_every_setting_that_is_set_is_one_of_the_worker() -> None:
    known = {variable_of(each.name) for each in fields(Settings)} | OF_COMPOSE

    unknown = {
        (source.name, name)
        for source in SOURCES
        for name in GIVEN.findall(source.read_text())
        if name not in known
    }

    assert unknown == set()


def test_options_of_the_chart_are_a_file_that_the_worker_reads(
    chart: Chart, tmp_path: Path
) -> None:
    given = value_set("model-claim")
    written = tmp_path / "options.json"
    written.write_text(chart.one("ConfigMap", given)["data"]["options.json"])

    options = CleanerOptions().with_values(options_in(written))

    asked = yaml.safe_load(given.read_text())["worker"]["options"]
    assert asked
    assert {name: getattr(options, name) for name in asked} == asked
