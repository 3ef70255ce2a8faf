"""Values that would lose pages, waste pods or leak secrets are refused with a remedy."""

import re

import pytest

from tests.deploy.chart import FOLDER, Chart, Manifest, values

KAFKA = {"bootstrap": "kafka:9092"}
SASL = {"security": "sasl_ssl", "sasl": {"existingSecret": "user"}}

REFUSED: list[tuple[str, Manifest, str]] = [
    ("no brokers", {}, "set it to host:port"),
    (
        "a URL for brokers",
        {"kafka": {"bootstrap": "kafka://kafka:9092"}},
        "not a list of host:port",
    ),
    ("a broker's user", {"kafka": {"bootstrap": "u:secret@kafka:9092"}}, "not a list of host:port"),
    ("a broker without port", {"kafka": {"bootstrap": "a:9092,b"}}, "not a list of host:port"),
    ("an invalid port", {"kafka": {"bootstrap": "kafka:99999"}}, "is not a port"),
    (
        "one topic for two purposes",
        values(topics={"stats": "winnow.dead"}),
        "set different names",
    ),
    (
        "doubtful documents among all others",
        values(topics={"doubtful": "winnow.documents"}),
        "set different names",
    ),
    (
        "certificates of which none is named",
        {"kafka": KAFKA | {"security": "ssl", "tls": {"existingSecret": "c", "caKey": ""}}},
        "set kafka.tls.caKey",
    ),
    (
        "SASL without a Secret",
        {"kafka": KAFKA | {"security": "sasl_ssl"}},
        "set kafka.sasl.existingSecret to a Secret that holds username and password",
    ),
    (
        "a SASL Secret without SASL",
        {"kafka": KAFKA | {"sasl": {"existingSecret": "user"}}},
        "set it to sasl_ssl or sasl_plaintext",
    ),
    (
        "certificates without TLS",
        {"kafka": KAFKA | {"tls": {"existingSecret": "ca"}}},
        "set it to ssl or sasl_ssl",
    ),
    (
        "a certificate without key",
        {
            "kafka": KAFKA
            | {"security": "ssl", "tls": {"existingSecret": "c", "certKey": "tls.crt"}}
        },
        "set kafka.tls.certKey and kafka.tls.keyKey, or neither",
    ),
    (
        "a certificate of no Secret",
        {"kafka": KAFKA | {"security": "ssl", "tls": {"certKey": "a", "keyKey": "b"}}},
        "set kafka.tls.existingSecret",
    ),
    (
        "static members of a Deployment",
        {"kafka": KAFKA | {"staticMembership": True}},
        "set kind to StatefulSet",
    ),
    ("more pods than partitions", values(worker={"replicas": 13}), "set at most 12 pods"),
    (
        "more processes than partitions",
        values(worker={"processes": 9, "replicas": 1}, topics={"partitions": 8}),
        "worker.processes is 9 but topics.partitions is 8",
    ),
    (
        "an autoscaler past the partitions",
        values(worker={"processes": 4}, autoscaling={"mode": "hpa", "maxReplicas": 4}),
        "set at most 3 pods",
    ),
    (
        "a minimum above the maximum",
        values(autoscaling={"mode": "keda", "minReplicas": 4, "maxReplicas": 3}),
        "autoscaling.minReplicas 4 is above the 3 pods",
    ),
    (
        "no pods by CPU",
        values(autoscaling={"mode": "hpa", "minReplicas": 0}),
        "set autoscaling.mode to keda",
    ),
    (
        "a grace period within the drain",
        values(worker={"drainSeconds": 60, "terminationGracePeriodSeconds": 70}),
        "set worker.terminationGracePeriodSeconds to at least 71, or to null",
    ),
    (
        "a model larger than the memory limit",
        values(model={"sizeMiB": 4096}, resources={"limits": {"memory": "4Gi"}}),
        "need 4608 MiB: raise it",
    ),
    (
        "a request that the model does not fit",
        values(resources={"requests": {"memory": "300M"}}),
        "resources.requests.memory is 300M",
    ),
    (
        "a request of memory above its limit",
        values(resources={"requests": {"memory": "2Gi"}}),
        "resources.requests.memory is 2Gi, above its limit of 576Mi: set resources.limits.memory",
    ),
    (
        "a request of CPU above its limit",
        values(resources={"requests": {"cpu": "1.5"}, "limits": {"cpu": "500m"}}),
        "resources.requests.cpu is 1.5, above its limit of 500m: set resources.limits.cpu",
    ),
    (
        "a request of disk above its limit",
        values(resources={"requests": {"ephemeral-storage": "1Gi"}}),
        "set resources.limits.ephemeral-storage",
    ),
    (
        "CPU that is not a quantity",
        values(resources={"limits": {"cpu": "two"}}),
        "write it like 500m or 2",
    ),
    (
        "memory that is not a quantity",
        values(resources={"limits": {"memory": "much"}}),
        "write it like 512Mi or 2Gi",
    ),
    (
        "a volume without a file",
        values(model={"delivery": "claim", "claim": {"existingClaim": "models"}}),
        "set model.file",
    ),
    (
        "a file outside the volume",
        values(model={"delivery": "claim", "file": "../x", "claim": {"existingClaim": "m"}}),
        "set a path within it",
    ),
    ("a relative file in the image", values(model={"file": "x"}), "set its absolute path"),
    ("a digest of no file", values(model={"sha256": "0" * 64}), "set model.file"),
    (
        "an OCI volume of nothing",
        values(model={"delivery": "ociVolume", "file": "m"}),
        "set model.ociVolume.reference",
    ),
    (
        "a claim without its name",
        values(model={"delivery": "claim", "file": "m"}),
        "set model.claim.existingClaim",
    ),
    (
        "an init container without an image",
        values(model={"delivery": "initContainer", "file": "m"}),
        "set model.initContainer.image",
    ),
    (
        "a password in the Redis URL",
        values(redis={"url": "redis://:secret@redis:6379"}),
        "set redis.existingSecret",
    ),
    (
        "a password with a slash in the Redis URL",
        values(redis={"url": "redis://:a/secret@redis:6379"}),
        "set redis.existingSecret",
    ),
    (
        "a password in the query of the Redis URL",
        values(redis={"url": "redis://redis:6379?db=1&password=secret@"}),
        "set redis.existingSecret",
    ),
    ("no scheme in the Redis URL", values(redis={"url": "redis:6379"}), "set redis://host:6379/0"),
    (
        "a cache key without a Redis",
        values(redis={"cacheKey": {"existingSecret": "key"}}),
        "set redis.url",
    ),
    (
        "a Redis Secret without a Redis",
        values(redis={"existingSecret": "redis"}),
        "set redis.url",
    ),
    (
        "a password in extraEnv",
        values(extraEnv=[{"name": "KAFKA_PASSWORD", "value": "secret"}]),
        "use valueFrom.secretKeyRef",
    ),
    (
        "a URL with a password in extraEnv",
        values(extraEnv=[{"name": "HTTPS_PROXY", "value": "http://u:secret@proxy"}]),
        "mount the password as a file",
    ),
    (
        "a password of the container that fetches the model",
        values(
            model={
                "delivery": "initContainer",
                "file": "m",
                "initContainer": {
                    "image": "fetcher",
                    "args": ["m"],
                    "env": [{"name": "AWS_SECRET_ACCESS_KEY", "value": "secret"}],
                },
            }
        ),
        "model.initContainer.env AWS_SECRET_ACCESS_KEY carries a secret in plain text",
    ),
    (
        "a setting that the chart derives",
        values(extraEnv=[{"name": "WINNOW_DRAIN_SECONDS", "value": "600"}]),
        "set that value instead",
    ),
    (
        "a name that Kubernetes refuses",
        values(fullnameOverride="Winnow_Crawl"),
        "set fullnameOverride to lower-case letters",
    ),
    (
        "a Service whose name begins with a digit",
        values(kind="StatefulSet", fullnameOverride="2nd"),
        "set fullnameOverride to a name that begins with a letter",
    ),
    (
        "an alert that there is none of",
        values(metrics={"rules": {"disabled": ["WinnowStuk"]}}),
        "use names in alerts/winnow.yaml",
    ),
    (
        "ports past the last one",
        values(worker={"processes": 4}, web={"port": 65533}),
        "lower web.port",
    ),
]


@pytest.mark.parametrize(
    ("given", "advice"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_chart_refuses_and_says_what_to_set(given: Manifest, advice: str, chart: Chart) -> None:
    refusal = chart.refusal(given)

    assert advice in refusal
    assert "secret@" not in refusal
    assert "these values cannot work" in refusal or "quantity; write it like" in refusal


def set_by_the_chart() -> set[str]:
    """Return every setting of the worker that has a value of its own in the chart."""
    template = (FOLDER / "templates" / "_env.tpl").read_text()
    return set(re.findall(r"^- name: (WINNOW_\w+)$", template, re.MULTILINE))


@pytest.mark.parametrize("name", sorted(set_by_the_chart()))
def test_chart_refuses_an_extra_setting_that_it_has_a_value_for(name: str, chart: Chart) -> None:
    refusal = chart.refusal(values(extraEnv=[{"name": name, "value": "1"}]))

    assert f"extraEnv {name} would contradict" in refusal


def test_chart_takes_brokers_by_their_ipv6_addresses(chart: Chart) -> None:
    given = {"kafka": {"bootstrap": "[fd00::1]:9092,[fd00::2]:9192"}}

    egress = chart.one("NetworkPolicy", given)["spec"]["egress"]

    assert [port["port"] for port in egress[1]["ports"]] == [9092, 9192]


def test_chart_reports_all_problems_at_once(chart: Chart) -> None:
    given = values(worker={"replicas": 99}, redis={"url": "redis"}, model={"file": "x"})

    refusal = chart.refusal(given)

    assert refusal.count("\n  - ") == 3


def test_chart_refuses_an_oci_volume_that_kubernetes_would_drop(chart: Chart) -> None:
    given = values(
        model={"delivery": "ociVolume", "file": "m", "ociVolume": {"reference": "models/en:1"}}
    )

    assert "drops image volumes" in chart.refusal(given, "--kube-version", "1.32.0")
    assert "image" in chart.pod(given, "--kube-version", "1.33.0")["volumes"][-1]


def test_chart_takes_idle_consumers_when_they_are_asked_for(chart: Chart) -> None:
    given = values(worker={"replicas": 20}, autoscaling={"allowIdleConsumers": True})

    assert chart.one("Deployment", given)["spec"]["replicas"] == 20


def test_chart_takes_as_many_consumers_as_there_are_partitions(chart: Chart) -> None:
    given = values(worker={"replicas": 3, "processes": 4})

    assert chart.one("Deployment", given)["spec"]["replicas"] == 3


def test_chart_takes_a_secret_from_a_secret_in_extra_env(chart: Chart) -> None:
    reference = {"secretKeyRef": {"name": "store", "key": "token"}}
    given = values(extraEnv=[{"name": "STORE_TOKEN", "valueFrom": reference}])

    assert {"name": "STORE_TOKEN", "valueFrom": reference} in chart.worker(given)["env"]
