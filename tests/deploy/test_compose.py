"""The compose file: hardened, only on loopback, with enough time to stop."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.chart import ROOT
from tests.deploy.report import Report
from winnow.worker.service.pod import TIMEOUT_S

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CLUSTER = dict(
    line.split("=", 1)
    for line in (ROOT / "deploy" / "compose" / "cluster.env").read_text().splitlines()
    if line and not line.startswith("#")
)
OURS = {"topics", "worker", "round-trip"}
BROKERS = {"kafka", "kafka-2", "kafka-3"}


def seconds(duration: str) -> int:
    return int(duration.removesuffix("s"))


@pytest.mark.parametrize("name", SERVICES)
def test_service_has_only_the_capabilities_it_needs(name: str) -> None:
    service = SERVICES[name]

    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert "privileged" not in service
    assert "container_name" not in service


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - BROKERS))
def test_service_cannot_write_its_image_and_is_not_root(name: str) -> None:
    service = SERVICES[name]

    assert service["read_only"] is True
    assert int(service["user"].split(":")[0]) > 0


@pytest.mark.parametrize("name", SERVICES)
def test_service_says_whether_it_is_healthy_unless_it_ends_by_itself(name: str) -> None:
    service = SERVICES[name]

    ends = service["restart"] == "no"
    assert service["healthcheck"].get("disable", False) == ends
    assert ends or service["healthcheck"]["test"]


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_bound_to_loopback(name: str) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", ()))


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - OURS))
def test_foreign_image_is_pinned_by_version_and_digest_and_can_be_replaced(name: str) -> None:
    pattern = r"\$\{[A-Z]+_IMAGE:-[a-z/]+:v?\d+\.\d+\.\d+(-[a-z]+)?@sha256:[0-9a-f]{64}\}"

    pinned = re.fullmatch(pattern, SERVICES[name]["image"])

    assert pinned, SERVICES[name]["image"]


def test_workers_can_be_scaled_and_drain_before_they_are_killed() -> None:
    worker = SERVICES["worker"]

    drain = int(worker["environment"]["WINNOW_DRAIN_SECONDS"])
    assert seconds(worker["stop_grace_period"]) > drain
    assert "ports" not in worker
    assert worker["deploy"]["replicas"] == 2


def test_workers_wait_for_topics_and_topics_for_all_brokers() -> None:
    assert SERVICES["worker"]["depends_on"]["topics"] == {
        "condition": "service_completed_successfully"
    }
    waits = SERVICES["topics"]["depends_on"]
    assert waits.keys() == BROKERS
    assert {waited["condition"] for waited in waits.values()} == {"service_healthy"}
    assert {name for name, waited in waits.items() if waited.get("required", True)} == {"kafka"}


@pytest.mark.parametrize("name", sorted(BROKERS))
def test_broker_roles_follow_its_voters(name: str) -> None:
    broker = SERVICES[name]["environment"]

    voter = f"{broker['KAFKA_NODE_ID']}@{name}:29093"
    assert voter in CLUSTER["KAFKA_VOTERS"].split(",")
    assert f"INTERNAL://{name}:19092" in broker["KAFKA_ADVERTISED_LISTENERS"]
    assert f"{name}:19092" in CLUSTER["WINNOW_KAFKA_BOOTSTRAP"].split(",")
    assert broker["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"
    (port,) = SERVICES[name]["ports"]
    assert f"HOST://localhost:{port.split(':')[-1]}" in broker["KAFKA_ADVERTISED_LISTENERS"]


def test_cluster_keeps_records_on_more_brokers_than_may_fail() -> None:
    assert int(CLUSTER["KAFKA_REPLICATION"]) == len(BROKERS)
    assert int(CLUSTER["KAFKA_MIN_ISR"]) < int(CLUSTER["KAFKA_REPLICATION"])
    assert CLUSTER["COMPOSE_PROFILES"] == "cluster"


def test_profiles_add_the_named_services() -> None:
    by_profile: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        for profile in service.get("profiles", ["default"]):
            by_profile.setdefault(profile, set()).add(name)

    assert by_profile == {
        "default": {"kafka", "redis", "topics", "worker"},
        "cluster": {"kafka-2", "kafka-3"},
        "metrics": {"prometheus", "grafana"},
        "test": {"round-trip"},
    }


def test_mounted_files_are_there() -> None:
    mounted = [
        mount.split(":")[0]
        for service in SERVICES.values()
        for mount in service.get("volumes", ())
        if mount.startswith("./")
    ]

    assert mounted
    assert all((ROOT / path).exists() for path in mounted)


def test_prometheus_scrapes_the_port_and_the_job_that_alerts_ask_for() -> None:
    scraped = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text())

    (config,) = scraped["scrape_configs"]
    (found,) = config["dns_sd_configs"]
    assert config["job_name"] == "winnow"
    # one scrape for all WINNOW_PROCESSES of a container
    assert config["metrics_path"] == "/metrics/pod"
    assert seconds(scraped["global"]["scrape_timeout"]) > TIMEOUT_S
    assert found["names"] == ["worker"]
    assert str(found["port"]) == SERVICES["worker"]["environment"]["WINNOW_WEB_PORT"]


def loaded(program: Path, *files: Path) -> dict[str, Any]:
    """Return the services of a compose file, as docker compose would start them."""
    done = subprocess.run(
        [str(program / "compose"), *map(str, files)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    services: dict[str, Any] = json.loads(done.stdout)["services"]
    return services


def test_compose_starts_one_broker_unless_it_is_given_the_cluster(
    tool: Callable[[str], Path], report: Report
) -> None:
    file, cluster = ROOT / "docker-compose.yml", ROOT / "deploy" / "compose" / "cluster.env"

    one = loaded(tool("compose"), file)
    three = loaded(tool("compose"), file, cluster)

    assert one.keys() == {"kafka", "redis", "topics", "worker"}
    assert three.keys() == one.keys() | {"kafka-2", "kafka-3"}
    assert one["topics"]["command"][-1] == "--replication=1"
    assert three["topics"]["command"][-1] == "--replication=3"
    for services in (one, three):
        for service in services.values():
            assert service["cap_drop"] == ["ALL"]
            assert "$" not in service["image"]
    assert three["worker"]["environment"]["WINNOW_KAFKA_BOOTSTRAP"].count(",") == 2
    report.add("compose", "docker-compose.yml as loaded, alone and with cluster.env", 0)


@pytest.mark.parametrize(
    ("right", "wrong", "finding"),
    [
        ("stop_grace_period: 40s", "stop_grace_period: long", "duration"),
        ("condition: service_completed_successfully", "condition: ended", "condition"),
        ("networks: [winnow]", "networks: [other]", "undefined network"),
        ("topics: {condition", "topic: {condition", "undefined service"),
    ],
)
def test_compose_refuses_a_wrong_file(
    right: str, wrong: str, finding: str, tool: Callable[[str], Path], tmp_path: Path
) -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert right in text
    (tmp_path / "docker-compose.yml").write_text(text.replace(right, wrong))

    done = subprocess.run(
        [str(tool("compose") / "compose"), str(tmp_path / "docker-compose.yml")],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert finding in done.stderr
