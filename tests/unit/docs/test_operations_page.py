"""The table of failures names only log events, metrics, reasons and settings that there are."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from winnow.models.errors import Reason
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.streams.outcomes import Outcome
from winnow.worker.logs import Event
from winnow.worker.service.metrics import ALL_METRICS
from winnow.worker.settings import Settings, variable_of

PAGE = Path(__file__).resolve().parents[3] / "docs" / "operations.md"
FOREIGN = {"up"}


@pytest.fixture
def rows() -> list[list[str]]:
    section = PAGE.read_text().split("## Failures\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1:]]


def quoted(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z_]+)`", cell))


def test_every_failure_has_an_action_of_winnow_and_one_of_the_operator(
    rows: list[list[str]],
) -> None:
    assert len(rows) >= 20
    assert all(len(row) == 6 and row[0] and row[3] and row[4] for row in rows)


def test_log_events_of_the_table_are_events_of_winnow(rows: list[list[str]]) -> None:
    named = {name for row in rows for name in quoted(row[1])}

    assert named <= set(get_args(Event))
    # the others are of healthy pages, or of the start
    assert set(get_args(Event)) - named <= {
        "page_cleaned",
        "page_unchanged",
        "process_started",
        "worker_ready",
        "worker_started",
    }


def test_metrics_of_the_table_are_metrics_of_winnow(rows: list[list[str]]) -> None:
    named = {name for row in rows for name in quoted(row[2])}
    known = {metric.name for metric in ALL_METRICS} | FOREIGN
    labels = {each.value for each in (*Reason, *CacheEvent, *Outcome)} | {"publish"}

    assert named <= known | labels


def test_settings_of_the_table_are_settings_of_winnow(rows: list[list[str]]) -> None:
    named = {name for row in rows for cell in row for name in re.findall(r"WINNOW_[A-Z_]+", cell)}

    assert named <= {variable_of(each.name) for each in fields(Settings)}
