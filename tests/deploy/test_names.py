"""Names and labels that Kubernetes takes, and by which operators and the chart find their own."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import yaml

from tests.deploy.chart import FOLDER, VALUE_SETS, Chart, value_set, values


@pytest.mark.parametrize("kind", ["PodMonitor", "PrometheusRule"])
def test_labels_that_the_operator_selects_by_stay_labels_with_annotations(
    kind: str, chart: Chart
) -> None:
    selected = {"enabled": True, "labels": {"release": "prometheus"}}
    given = values(
        metrics={"podMonitor": selected, "rules": selected}, commonAnnotations={"contact": "crawl"}
    )

    metadata = chart.one(kind, given)["metadata"]

    assert metadata["labels"]["release"] == "prometheus"
    assert metadata["annotations"] == {"contact": "crawl"}


def texts(node: object) -> Iterator[object]:
    """Yield names, namespaces and labels anywhere in a manifest."""
    if isinstance(node, list):
        for each in node:
            yield from texts(each)
    if isinstance(node, dict):
        for key, value in node.items():
            if key in {"labels", "matchLabels", "annotations"}:
                yield from value.values()
            elif "name" in key.lower() and not isinstance(value, dict):
                yield value
            else:
                yield from texts(value)


@pytest.mark.parametrize("name", [each.name for each in VALUE_SETS])
def test_names_that_read_as_numbers_stay_texts(name: str, chart: Chart) -> None:
    given = yaml.safe_load((FOLDER / "ci" / name).read_text()) | {
        "fullnameOverride": "10",
        "nameOverride": "1000",
        "priorityClassName": "7",
        "runtimeClassName": "8",
        "serviceAccount": {"create": False, "name": "9"},
        "kind": "Deployment",
    }
    given["kafka"] |= {"staticMembership": False}
    given["image"] = given.get("image", {}) | {"pullSecrets": ["007"]}

    for manifest in replace(chart, release="123").render(given, "--namespace", "456"):
        assert {type(text) for text in texts(manifest)} == {str}, manifest["kind"]


@pytest.mark.parametrize("hooks", [True, False])
def test_names_of_the_longest_release_fit_where_they_become_labels(
    hooks: bool, chart: Chart
) -> None:
    given = values(hooks={"enabled": hooks}, autoscaling={"mode": "keda"})

    for manifest in replace(chart, release="a" * 53).render(given):
        assert len(manifest["metadata"]["name"]) <= 63, manifest["kind"]


def test_release_with_a_dot_gives_names_that_a_service_may_have(chart: Chart) -> None:
    dotted = replace(chart, release="crawl.eu")

    service = dotted.one("Service", value_set("static-membership"))

    stateful_set = dotted.one("StatefulSet", value_set("static-membership"))
    assert service["metadata"]["name"] == stateful_set["spec"]["serviceName"] == "crawl-eu-winnow"


def test_every_pod_has_the_labels_that_are_asked_for(chart: Chart) -> None:
    asked = {"podLabels": {"mesh": "off"}, "commonLabels": {"team": "crawl"}}

    labelled = [
        manifest["metadata"] if kind == "Pod" else manifest["spec"]["template"]["metadata"]
        for manifest in chart.render(values(**asked))
        if (kind := manifest["kind"]) in {"Pod", "Job", "Deployment"}
    ]

    assert len(labelled) == 3
    for metadata in labelled:
        assert metadata["labels"].items() >= {("mesh", "off"), ("team", "crawl")}


@pytest.mark.parametrize("label", ["app.kubernetes.io/name", "app.kubernetes.io/component"])
@pytest.mark.parametrize("where", ["podLabels", "commonLabels"])
def test_chart_refuses_labels_by_which_it_finds_its_pods(
    where: str, label: str, chart: Chart
) -> None:
    assert f"set {where} without it" in chart.refusal(values(**{where: {label: "mine"}}))
