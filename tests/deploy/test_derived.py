"""What the chart works out by itself: consumers, grace period, memory, ports and wiring."""

import base64

import pytest
import yaml

from tests.deploy.chart import FOLDER, ROOT, Chart, Manifest, value_set, values
from winnow.streams.cache.redis_client import parse_address


@pytest.mark.parametrize(
    ("partitions", "processes", "pods"), [(12, 1, 12), (12, 4, 3), (10, 3, 4), (1, 1, 1)]
)
def test_autoscaler_stops_where_pods_would_have_no_partition(
    partitions: int, processes: int, pods: int, chart: Chart
) -> None:
    given = values(
        worker={"processes": processes, "replicas": 1},
        topics={"partitions": partitions},
        autoscaling={"mode": "hpa"},
    )

    assert chart.one("HorizontalPodAutoscaler", given)["spec"]["maxReplicas"] == pods
    assert "replicas" not in chart.one("Deployment", given)["spec"]


def test_keda_threshold_is_for_all_processes_of_a_pod_and_all_metadata_are_texts(
    chart: Chart,
) -> None:
    given = values(
        worker={"processes": 4},
        autoscaling={"mode": "keda", "keda": {"lagPerProcess": 500}},
    )

    trigger = chart.one("ScaledObject", given)["spec"]["triggers"][0]

    assert trigger["metadata"]["lagThreshold"] == "2000"
    assert {type(value) for value in trigger["metadata"].values()} == {str}


@pytest.mark.parametrize(("utilization", "triggers"), [(70, ["kafka", "cpu"]), (None, ["kafka"])])
def test_keda_scales_by_cpu_too_by_default(
    utilization: int | None, triggers: list[str], chart: Chart
) -> None:
    given = values(autoscaling={"mode": "keda", "keda": {"cpuUtilization": utilization}})

    found = chart.one("ScaledObject", given)["spec"]["triggers"]

    assert [each["type"] for each in found] == triggers
    assert [each["metadata"].get("containerName") for each in found][1:] == ["worker"][
        : len(triggers) - 1
    ]


def test_keda_and_hpa_have_different_names_so_that_a_change_deletes_neither(chart: Chart) -> None:
    by_cpu = chart.one("HorizontalPodAutoscaler", values(autoscaling={"mode": "hpa"}))
    by_lag = chart.one("ScaledObject", values(autoscaling={"mode": "keda"}))

    advanced = by_lag["spec"]["advanced"]["horizontalPodAutoscalerConfig"]
    assert advanced["name"] != by_cpu["metadata"]["name"]


def test_keda_reads_the_same_secrets_as_the_worker(chart: Chart) -> None:
    given = value_set("keda-sasl")

    used = chart.one("TriggerAuthentication", given)["spec"]["secretTargetRef"]

    mounted = {
        (volume["secret"]["secretName"], item["key"])
        for volume in chart.pod(given)["volumes"]
        if "kafka" in volume["name"]
        for item in volume["secret"]["items"]
    }
    assert {(it["name"], it["key"]) for it in used} == mounted


@pytest.mark.parametrize(("drain", "margin"), [(25, 15), (300, 60)])
def test_grace_period_is_longer_than_the_drain_time_of_the_worker(
    drain: int, margin: int, chart: Chart
) -> None:
    given = values(worker={"drainSeconds": drain, "graceMarginSeconds": margin})

    assert chart.pod(given)["terminationGracePeriodSeconds"] == drain + margin
    assert environment(chart.worker(given))["WINNOW_DRAIN_SECONDS"] == str(drain)


def test_memory_holds_the_model_once_and_every_process(chart: Chart) -> None:
    given = values(
        worker={"processes": 3, "threads": 2},
        model={"sizeMiB": 1000},
        memory={"perProcessMiB": 200, "headroomMiB": 50},
    )

    resources = chart.worker(given)["resources"]

    assert resources["limits"]["memory"] == "1650Mi"
    assert resources["requests"]["memory"] == "1650Mi"
    assert resources["requests"]["cpu"] == "6"
    assert "cpu" not in resources["limits"]


def test_a_larger_memory_limit_is_taken_and_requested(chart: Chart) -> None:
    given = values(resources={"limits": {"memory": "2Gi"}})

    assert chart.worker(given)["resources"]["requests"]["memory"] == "2Gi"


@pytest.mark.parametrize(
    ("name", "limit", "requested"),
    [
        ("cpu", "500m", "500m"),
        ("cpu", "0.5", "0.5"),
        ("cpu", "3", "2"),
        ("cpu", 3, "2"),
        ("ephemeral-storage", "200Mi", "200Mi"),
    ],
)
def test_requests_never_exceed_given_limits(
    name: str, limit: object, requested: str, chart: Chart
) -> None:
    given = values(worker={"threads": 2}, resources={"limits": {name: limit}})

    resources = chart.worker(given)["resources"]

    assert resources["limits"][name] == limit
    assert resources["requests"][name] == requested


def test_resources_that_are_set_to_null_are_those_that_are_derived(chart: Chart) -> None:
    given = values(resources={"limits": None, "requests": None})

    assert chart.worker(given)["resources"] == chart.worker(values())["resources"]


def test_startup_gets_longer_with_the_model(chart: Chart) -> None:
    probe = chart.worker(values(model={"sizeMiB": 20000}))["startupProbe"]

    assert probe["periodSeconds"] * probe["failureThreshold"] > 30 + 20000 / 20


def test_every_process_has_its_port_its_scrape_and_its_probe(chart: Chart) -> None:
    given = values(worker={"processes": 3}, metrics={"podMonitor": {"enabled": True}})

    container = chart.worker(given)
    monitor = chart.one("PodMonitor", given)
    policy = chart.one("NetworkPolicy", given)

    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"web-0": 6066, "web-1": 6067, "web-2": 6068}
    assert [it["port"] for it in monitor["spec"]["podMetricsEndpoints"]] == list(ports)
    assert [it["port"] for it in policy["spec"]["ingress"][0]["ports"]] == [*ports.values()]
    assert container["livenessProbe"]["exec"]["command"] == ["/app/probe", "livez"]
    assert container["readinessProbe"]["exec"]["command"] == ["/app/probe", "readyz"]


def test_a_single_process_is_asked_by_the_kubelet_itself(chart: Chart) -> None:
    container = chart.worker(values())

    assert container["livenessProbe"]["httpGet"] == {"path": "/livez", "port": "web-0"}


def test_static_members_are_named_after_their_pods(chart: Chart) -> None:
    (member,) = (
        each
        for each in chart.worker(value_set("static-membership"))["env"]
        if each["name"] == "WINNOW_GROUP_INSTANCE"
    )

    assert member["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"


def test_network_policy_opens_the_ports_of_brokers_and_redis_only(chart: Chart) -> None:
    given = values(kafka={"bootstrap": "a:9092, b:9192"}, redis={"url": "rediss://redis:6380/2"})

    egress = chart.one("NetworkPolicy", given)["spec"]["egress"]

    assert [[port["port"] for port in rule["ports"]] for rule in egress] == [
        [53, 53],
        [9092, 9192],
        [6380],
    ]


@pytest.mark.parametrize(
    ("url", "ports"),
    [
        ("redis://redis", [6379]),
        ("redis://redis:6380?db=1", [6380]),
        ("redis://user@[fd00::1]:6380/0", [6380]),
        ("redis://[fd00::6380]", [6379]),
        ("redis+cluster://a:7000,b:7001,c", [7000, 7001, 6379]),
        ("redis+sentinel://a,b:26380/main", [26379, 26380, 6379]),
        ("unix:///run/redis.sock", None),
    ],
)
def test_network_policy_opens_the_ports_of_the_redis_url(
    url: str, ports: list[int] | None, chart: Chart
) -> None:
    egress = chart.one("NetworkPolicy", values(redis={"url": url}))["spec"]["egress"]

    assert [[port["port"] for port in rule["ports"]] for rule in egress[2:]] == (
        [] if ports is None else [ports]
    )
    assert set(parse_ports(url)) <= set(ports or ())


def parse_ports(url: str) -> list[int]:
    return [port for _, port in parse_address(url).hosts]


def test_network_policy_opens_the_redis_ports_that_are_named(chart: Chart) -> None:
    given = values(
        redis={"url": "redis+sentinel://a/main"}, networkPolicy={"redisPorts": [26379, 7000]}
    )

    redis = chart.one("NetworkPolicy", given)["spec"]["egress"][2]

    assert [port["port"] for port in redis["ports"]] == [26379, 7000]


@pytest.mark.parametrize("name", ["minimal", "single"])
def test_a_disruption_budget_exists_when_there_can_be_two_pods(name: str, chart: Chart) -> None:
    kinds = {each["kind"] for each in chart.render(value_set(name))}

    assert ("PodDisruptionBudget" in kinds) == (name == "minimal")


def test_pods_restart_when_their_configuration_changes(chart: Chart) -> None:
    def checksum(threshold: int) -> str:
        given = values(worker={"options": {"threshold": threshold}})
        deployment = chart.one("Deployment", given)
        return str(deployment["spec"]["template"]["metadata"]["annotations"]["checksum/config"])

    assert checksum(1) == checksum(1)
    assert checksum(1) != checksum(2)


def test_topics_job_gets_another_name_when_it_changes_without_hooks(chart: Chart) -> None:
    def name(partitions: int) -> str:
        given = values(topics={"partitions": partitions}, hooks={"enabled": False})
        return str(chart.one("Job", given)["metadata"]["name"])

    assert name(12) == name(12)
    assert name(12) != name(24)


def test_model_is_verified_where_the_worker_will_map_it(chart: Chart) -> None:
    given = value_set("model-oci-volume")

    config = chart.one("ConfigMap", given)["data"]["model.sha256"]

    (verify,) = chart.pod(given)["initContainers"]
    digest, path = config.split()
    assert path == environment(chart.worker(given))["WINNOW_MODEL"]
    assert len(digest) == 64
    assert "/etc/winnow/config/model.sha256" in verify["command"]


@pytest.mark.parametrize("name", ["minimal", "monitoring", "static-membership"])
def test_pods_have_no_token_and_no_service_links(name: str, chart: Chart) -> None:
    for pod in pods(chart.render(value_set(name))):
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False


def test_rules_come_from_the_file_without_the_disabled_ones(chart: Chart) -> None:
    shipped = yaml.safe_load((FOLDER / "alerts" / "winnow.yaml").read_text())

    groups = chart.one("PrometheusRule", value_set("monitoring"))["spec"]["groups"]

    rules = [rule for group in groups for rule in group["rules"]]
    assert {rule["labels"].pop("team") for rule in rules} == {"crawl"}
    assert rules == [
        rule
        for group in shipped["groups"]
        for rule in group["rules"]
        if rule["alert"] != "WinnowModelsDiffer"
    ]


def test_dashboard_is_the_file_itself(chart: Chart) -> None:
    (dashboard,) = (
        each
        for each in chart.render(value_set("monitoring"))
        if each["metadata"]["name"].endswith("-dashboard")
    )

    shipped = (FOLDER / "dashboards" / "winnow.json").read_text()
    assert dashboard["data"]["winnow.json"].strip() == shipped.strip()


def test_chart_is_of_the_version_of_the_project() -> None:
    described = yaml.safe_load((FOLDER / "Chart.yaml").read_text())

    assert f'version = "{described["appVersion"]}"' in (ROOT / "pyproject.toml").read_text()


def test_chart_brings_its_picture_and_what_artifact_hub_shows() -> None:
    described = yaml.safe_load((FOLDER / "Chart.yaml").read_text())
    picture = described["icon"].removeprefix("data:image/svg+xml;base64,")

    assert base64.b64decode(picture) == (FOLDER / "icon.svg").read_bytes()
    notes = described["annotations"]
    assert notes["artifacthub.io/category"] == "streaming-messaging"
    for name in ("changes", "recommendations"):
        assert yaml.safe_load(notes[f"artifacthub.io/{name}"])


def environment(container: Manifest) -> dict[str, str]:
    return {each["name"]: each.get("value", "") for each in container["env"]}


def pods(manifests: list[Manifest]) -> list[Manifest]:
    """Return the specification of every pod that the manifests start."""
    found = []
    for manifest in manifests:
        if manifest["kind"] == "Pod":
            found.append(manifest["spec"])
        elif manifest["kind"] in {"Deployment", "StatefulSet", "Job"}:
            found.append(manifest["spec"]["template"]["spec"])
    return found


def test_default_size_holds_every_model_that_ships() -> None:
    defaults = yaml.safe_load((FOLDER / "values.yaml").read_text())
    shipped = (ROOT / "models" / "data").iterdir()

    assert sum(file.stat().st_size for file in shipped) <= defaults["model"]["sizeMiB"] << 20
