"""Install, upgrade, roll back and uninstall on a real API server, under helm 3 and helm 4.

The namespace enforces the restricted profile, and the pods are made by the real controllers: a pod
that broke it would show as a failure of its ReplicaSet. A thread acts as the kubelet.
"""

import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.deploy.chart import FOLDER, Manifest, values
from tests.deploy.cluster import Cluster
from tests.deploy.report import Report
from tests.services.programs import require

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]

HELMS = ("helm3", "helm4")


@pytest.fixture(scope="module")
def cluster(
    tool: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory, report: Report
) -> Iterator[Cluster]:
    require("openssl", "setpriv")
    programs, etcd = tool("apiserver"), tool("etcd") / "usr" / "bin" / "etcd"
    started = Cluster.start(programs, etcd, tmp_path_factory.mktemp("cluster"))
    yield started
    started.stop()
    for step in started.steps:
        report.add("apiserver", step, 0)


@dataclass
class Release:
    """One release of the chart in a namespace of its own; every step is logged with its time."""

    cluster: Cluster
    helm: Path
    name: str
    namespace: str

    def helm_does(self, *arguments: str, given: Manifest | None = None) -> str:
        """Run helm, which has to succeed, and return what it prints."""
        done = self.try_helm(*arguments, given=given)
        assert done.returncode == 0, f"helm {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def try_helm(
        self, *arguments: str, given: Manifest | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run helm and return how it ended."""
        place = ("--kubeconfig", str(self.cluster.kubeconfig), "--namespace", self.namespace)
        source = ("--values", "-") if given else ()
        started = time.monotonic()
        done = subprocess.run(
            [str(self.helm), *arguments, *place, *source],
            check=False,
            capture_output=True,
            text=True,
            input=yaml.safe_dump(given) if given else "",
        )
        seconds = time.monotonic() - started
        verdict = "" if done.returncode == 0 else f", refused ({done.returncode})"
        words = " ".join(it for it in arguments if it not in {str(FOLDER), "--timeout", "3m"})
        self.cluster.steps.append(f"{self.helm.parent.name[:5]} {words}: {seconds:.1f} s{verdict}")
        return done

    def install(self, *arguments: str, given: Manifest) -> str:
        """Install or upgrade, and wait until the pods are ready."""
        words = ("upgrade", "--install", self.name, str(FOLDER), "--wait", "--timeout", "3m")
        return self.helm_does(*words, *arguments, given=given)

    def deployment(self) -> Manifest:
        """Return the only Deployment."""
        (found,) = self.cluster.get(self.namespace, "deployments")
        return found

    def drain_seconds(self) -> str:
        """Return the pods' drain setting, which differs between revisions."""
        (worker,) = self.deployment()["spec"]["template"]["spec"]["containers"]
        variables = {it["name"]: str(it.get("value")) for it in worker["env"]}
        return variables["WINNOW_DRAIN_SECONDS"]


@pytest.fixture(params=HELMS)
def release(
    request: pytest.FixtureRequest, cluster: Cluster, tool: Callable[[str], Path], unique_name: str
) -> Release:
    namespace = cluster.restricted_namespace(unique_name)
    return Release(cluster, tool(request.param) / "helm", "winnow", namespace)


def test_release_is_installed_tested_upgraded_rolled_back_and_uninstalled(release: Release) -> None:
    first = values(worker={"drainSeconds": 25, "options": {"threshold": 900}})
    second = values(worker={"drainSeconds": 60, "options": {"threshold": 700}})
    cluster, namespace = release.cluster, release.namespace

    release.helm_does("install", "winnow", str(FOLDER), "--dry-run=server", given=first)
    assert cluster.get(namespace, "deployments") == []

    with cluster.kubelet(namespace):
        release.install(given=first)
        assert release.deployment()["status"]["readyReplicas"] == 2
        release.helm_does("test", "winnow")

        release.install(given=second)
        assert release.drain_seconds() == "60"
        assert (
            release.deployment()["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] == 75
        )

        release.helm_does("rollback", "winnow", "1", "--wait", "--timeout", "3m")
        assert release.drain_seconds() == "25"
        assert release.deployment()["status"]["readyReplicas"] == 2

        release.helm_does("uninstall", "winnow", "--wait", "--timeout", "3m")

    kinds = "deployments,configmaps,networkpolicies,poddisruptionbudgets,serviceaccounts,jobs"
    left = {it["metadata"]["name"] for it in cluster.get(namespace, kinds)}
    assert left == {"default", "kube-root-ca.crt"}


def test_upgrade_leaves_the_scale_to_the_autoscaler(release: Release) -> None:
    given = values(autoscaling={"mode": "external"})
    changed = values(autoscaling={"mode": "external"}, worker={"drainSeconds": 30})
    with release.cluster.kubelet(release.namespace):
        release.install(given=given)
        release.cluster.run(
            "--namespace", release.namespace, "scale", "deployment/winnow", "--replicas=5"
        )

        release.install(given=changed)

        assert release.drain_seconds() == "30"
        assert release.deployment()["spec"]["replicas"] == 5
        release.helm_does("uninstall", "winnow", "--wait", "--timeout", "3m")


def test_stateful_set_with_static_members_is_admitted(release: Release) -> None:
    given = values(kind="StatefulSet")
    given["kafka"] = {"bootstrap": "kafka:9092", "staticMembership": True}
    with release.cluster.kubelet(release.namespace):
        release.install(given=given)

        (found,) = release.cluster.get(release.namespace, "statefulsets")
        assert found["status"]["readyReplicas"] == 2
        release.helm_does("uninstall", "winnow", "--wait", "--timeout", "3m")


def test_pods_that_break_the_restricted_profile_are_forbidden(release: Release) -> None:
    given = values(securityContext={"allowPrivilegeEscalation": True}, hooks={"enabled": False})
    given["topics"] = {"create": {"enabled": False}}

    release.helm_does("install", "winnow", str(FOLDER), given=given)

    deadline = time.monotonic() + 60
    while not (failures := forbidden(release)) and time.monotonic() < deadline:
        time.sleep(0.3)
    assert "allowPrivilegeEscalation" in failures
    release.helm_does("uninstall", "winnow")


def test_refused_values_change_nothing(release: Release) -> None:
    refused = release.try_helm(
        "install", "winnow", str(FOLDER), given=values(worker={"replicas": 99})
    )

    assert refused.returncode == 1
    assert "more consumers than the 12 partitions" in refused.stderr
    assert release.cluster.get(release.namespace, "deployments") == []


def forbidden(release: Release) -> str:
    """Return why the controllers could not make pods."""
    conditions = [
        condition
        for found in release.cluster.get(release.namespace, "replicasets")
        for condition in found["status"].get("conditions", ())
        if condition["type"] == "ReplicaFailure"
    ]
    return " ".join(condition["message"] for condition in conditions)
