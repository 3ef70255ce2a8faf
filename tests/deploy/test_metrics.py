"""Alerts and dashboard use only what Winnow measures; every alert is tested and answered."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.chart import FOLDER, ROOT
from tests.deploy.report import Report, said_version
from winnow.models.errors import Reason
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.worker.service.metrics import ALL_METRICS

RULES = FOLDER / "alerts" / "winnow.yaml"
RULE_TESTS = Path(__file__).parent / "alerts.yaml"
DASHBOARD = json.loads((FOLDER / "dashboards" / "winnow.json").read_text())

# What Winnow cannot measure itself: whether it answers, and its lag while it is stuck.
FOREIGN_METRICS = {
    "up": {"job"},
    "kafka_consumergroup_lag": {"consumergroup", "topic", "partition"},
    "kafka_consumergroup_current_offset": {"consumergroup", "topic", "partition"},
}
# Put on every series by the scraping.
TARGET_LABELS = {"namespace", "release", "instance", "job"}
HISTOGRAM_SUFFIXES = ("_bucket", "_sum", "_count")
WORDS = {"and", "or", "unless", "on", "by", "offset", "without", "ignoring", "group_left", "bool"}

GROUPING = re.compile(r"\b(?:by|on|without|ignoring)\s*\([^)]*\)")
SELECTOR = re.compile(r"([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}")
NAME = re.compile(r"(?<![\w$])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])")
MATCHER = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"')


def shipped_metrics() -> dict[str, set[str]]:
    """Return every series name that `/metrics` can show, with its labels."""
    found = {}
    for metric in ALL_METRICS:
        suffixes = HISTOGRAM_SUFFIXES if metric.kind == "histogram" else ("",)
        for suffix in suffixes:
            found[metric.name + suffix] = {*metric.labels, *(["le"] if suffix else [])}
    return found


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def queries() -> Iterator[tuple[str, str]]:
    """Yield the origin and the text of every query that ships."""
    for rule in rules():
        yield rule["alert"], rule["expr"]
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield f"panel {panel['title']}", target["expr"]
    for annotation in DASHBOARD["annotations"]["list"]:
        yield f"annotation {annotation['name']}", annotation["expr"]


def names_in(query: str) -> set[str]:
    """Return the metric names of a query: all except functions, words, labels, numbers and text."""
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", GROUPING.sub("", query))
    bare = re.sub(r"\boffset\s+\w+", "", bare)
    return set(NAME.findall(bare)) - WORDS


def labels_in(query: str) -> Iterator[tuple[str, str, str]]:
    """Yield metric, label and value of every matcher of a query."""
    for name, matchers in SELECTOR.findall(query):
        for label, value in MATCHER.findall(matchers):
            yield name, label, value


@pytest.mark.parametrize(("origin", "query"), list(queries()))
def test_query_uses_only_metrics_and_labels_that_exist(origin: str, query: str) -> None:
    known = shipped_metrics() | FOREIGN_METRICS

    assert names_in(query) <= known.keys(), origin
    for name, label, _ in labels_in(query):
        assert label in known[name] | TARGET_LABELS, f"{origin}: {name}"


def test_names_of_a_query_are_found_after_functions_and_selectors() -> None:
    query = (
        'sum by (a, b) (rate(first_total{c="d"}[5m] offset 1d)) / on (e) second > 2 or up{x="y"}'
    )

    assert names_in(query) == {"first_total", "second", "up"}
    assert list(labels_in(query)) == [("first_total", "c", "d"), ("up", "x", "y")]


@pytest.mark.parametrize(("label", "closed_set"), [("reason", Reason), ("event", CacheEvent)])
def test_values_of_labels_in_queries_are_of_their_closed_sets(
    label: str, closed_set: type[StrEnum]
) -> None:
    asked = {
        value
        for _, query in queries()
        for _, name, alternatives in labels_in(query)
        for value in alternatives.split("|")
        if name == label
    }

    assert asked
    assert asked <= {value.value for value in closed_set}


def test_every_metric_is_on_the_dashboard() -> None:
    shown = set().union(*(names_in(query) for _, query in queries()))

    bases = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shipped_metrics()}
    assert bases <= {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}


def test_every_alert_is_tested_and_has_an_answer() -> None:
    tests = yaml.safe_load(RULE_TESTS.read_text())["tests"]
    fired = {
        check["alertname"]
        for test in tests
        for check in test["alert_rule_test"]
        if check["exp_alerts"]
    }
    answers = (ROOT / "docs" / "operations.md").read_text()

    for rule in rules():
        assert rule["alert"] in fired
        anchor = rule["annotations"]["runbook"].removeprefix("docs/operations.md#")
        assert anchor == rule["alert"].lower()
        assert f"\n### {rule['alert']}\n" in answers
        assert rule["labels"]["severity"] in {"warning", "critical"}


@pytest.mark.parametrize(
    "arguments", [("check", "rules", str(RULES)), ("test", "rules", str(RULE_TESTS))]
)
def test_promtool_accepts(
    arguments: tuple[str, ...], tool: Callable[[str], Path], report: Report
) -> None:
    promtool = str(tool("promtool") / "usr" / "bin" / "promtool")

    done = subprocess.run([promtool, *arguments], check=False, capture_output=True, text=True)

    checked = f"{' '.join(arguments[:2])}: {len(rules())} alerts"
    report.add("promtool", checked, done.returncode, version=said_version(promtool, "--version"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SUCCESS" in done.stdout


def test_promtool_parses_every_query_of_the_dashboard(
    tool: Callable[[str], Path], tmp_path: Path, report: Report
) -> None:
    filled = [query.replace("$__rate_interval", "5m") for _, query in queries()]
    rule_file = tmp_path / "dashboard.yaml"
    recorded = [{"record": f"q{i}", "expr": query} for i, query in enumerate(filled)]
    rule_file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}))
    promtool = str(tool("promtool") / "usr" / "bin" / "promtool")

    done = subprocess.run(
        [promtool, "check", "rules", str(rule_file)], check=False, capture_output=True, text=True
    )

    checked = f"check rules: {len(filled)} queries of the dashboard"
    report.add("promtool", checked, done.returncode, version=said_version(promtool, "--version"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_rebalance_between_two_scrapes_is_annotated(
    tool: Callable[[str], Path], tmp_path: Path
) -> None:
    (annotation,) = DASHBOARD["annotations"]["list"]
    query = re.sub(r'\w+=~"\$\w+",? ?', "", annotation["expr"])
    # scraped every 30 s; the dashboard asks every minute, in between: 61 s to 89 s lie in a gap
    shown = {
        "expr": query,
        "eval_time": "135s",
        "exp_samples": [{"labels": '{release="w"}', "value": 1}],
    }
    series = {"series": 'winnow_rebalances_total{release="w"}', "values": "3x2 4x4"}
    case = {"interval": "30s", "input_series": [series], "promql_expr_test": [shown]}
    tests = tmp_path / "annotation.yaml"
    tests.write_text(yaml.safe_dump({"tests": [case]}))
    promtool = str(tool("promtool") / "usr" / "bin" / "promtool")

    done = subprocess.run(
        [promtool, "test", "rules", str(tests)], check=False, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_releases_to_choose_from_are_in_the_namespace() -> None:
    (release,) = (it for it in DASHBOARD["templating"]["list"] if it["name"] == "release")

    assert release["query"]["query"] == release["definition"]
    assert ("winnow_build_info", "namespace", "$namespace") in labels_in(release["definition"])


def test_panels_do_not_overlap_and_have_a_description() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
        assert panel["type"] == "row" or panel["description"]
