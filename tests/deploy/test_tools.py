"""Chart, Dockerfile and compose file are checked with common tools."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.deploy.chart import FOLDER, ROOT, VALUE_SETS, Chart, values
from tests.deploy.report import Report

KUBERNETES = ("1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")

# Accepted findings of kube-score, with reasons: value set (or all), check, words.
EXPLAINED = {
    ("", "container-resources", "CPU limit is not set"): (
        "a throttled consumer delays its whole group"
    ),
    ("", "container-image-pull-policy", "not set to Always"): (
        "tags are versions, images can be pinned by digest, and a registry that is away must not "
        "keep a pod from starting again"
    ),
    ("", "deployment-has-host-podantiaffinity", "podAntiAffinity"): "spread constraints do it",
    ("", "statefulset-has-host-podantiaffinity", "podAntiAffinity"): "spread constraints do it",
    ("single-values.yaml", "pod-networkpolicy", "matching NetworkPolicy"): "turned off there",
}
pytestmark = pytest.mark.timeout(300)  # every set of values is rendered once

OPTIONAL_CHECKS = ("container-seccomp-profile", "container-memory-requests-equal-limits")

KIND = re.compile(r"^kind: (\w+)$", re.MULTILINE)


def run(*command: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], check=False, capture_output=True, text=True, input=stdin
    )


@pytest.fixture(scope="module")
def rendered(chart: Chart) -> dict[str, str]:
    """Every value set as helm 3 renders it."""
    return {given.name: chart.template(given) for given in VALUE_SETS}


@pytest.fixture(scope="module")
def schemas(tool: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    script = ROOT / "deploy" / "tools" / "kubernetes_schemas.py"
    done = run(tool("python") / "bin" / "python", script, folder, *KUBERNETES)
    assert done.returncode == 0, done.stderr
    return folder


def kubeconform(program: Path, schemas: Path, version: str, manifests: str) -> str:
    """Return kubeconform's findings, or nothing."""
    place = "/{{ .NormalizedKubernetesVersion }}-strict/{{ .ResourceKind }}{{ .KindSuffix }}.json"
    done = run(
        program,
        "-strict",
        "-ignore-missing-schemas",  # of KEDA and Prometheus: the tool `manifests` has them
        *("-kubernetes-version", f"{version}.0", "-schema-location", f"{schemas}{place}"),
        stdin=manifests,
    )
    assert (done.returncode == 0) == (not done.stdout), done.stderr
    return done.stdout


@pytest.mark.parametrize("version", KUBERNETES)
def test_kubeconform_takes_every_value_set(
    version: str,
    rendered: dict[str, str],
    schemas: Path,
    tool: Callable[[str], Path],
    report: Report,
) -> None:
    program = tool("kubeconform") / "kubeconform"
    # image volumes came with 1.33 (1.31 with a feature gate); the chart refuses them before
    old = version in KUBERNETES[: KUBERNETES.index("1.33")]
    given = {
        name: text for name, text in rendered.items() if not (old and name.startswith("model-oci"))
    }

    # one run for all: reading the definitions takes longer than checking against them
    found = kubeconform(program, schemas, version, "\n---\n".join(given.values()))

    report.add("kubeconform", f"{len(given)} value sets, Kubernetes {version}", 0)
    assert found == ""


def test_kubeconform_finds_a_misspelt_probe(
    rendered: dict[str, str], schemas: Path, tool: Callable[[str], Path]
) -> None:
    wrong = rendered["minimal-values.yaml"].replace("livenessProbe", "livelinessProbe")

    found = kubeconform(tool("kubeconform") / "kubeconform", schemas, "1.33", wrong)

    assert "livelinessProbe" in found


def test_manifests_decode_strictly_and_pods_are_restricted(
    rendered: dict[str, str], tool: Callable[[str], Path], report: Report
) -> None:
    program = tool("manifests") / "manifests"

    said = {name: run(program, stdin=text) for name, text in rendered.items()}

    findings = {name: done.stdout for name, done in said.items() if done.returncode}
    kinds = set().union(*(KIND.findall(text) for text in rendered.values()))
    report.add("manifests", f"{len(said)} value sets, {len(kinds)} kinds, restricted pods", 0)
    assert findings == {}
    assert {"ScaledObject", "TriggerAuthentication", "PodMonitor", "PrometheusRule"} <= kinds


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        ('lagThreshold: "8000"', "lagThreshold: 8000", "cannot unmarshal number"),
        ("pollingInterval:", "pollInterval:", "unknown field"),
        ("readOnlyRootFilesystem: true", "runAsUser: 0", "runAsUser=0"),
        ("allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "Escalation"),
        ("type: RuntimeDefault", "type: Unconfined", "seccompProfile"),
        ("kind: PodDisruptionBudget", "kind: PodDisruptionBudgets", "no type is known"),
    ],
)
def test_wrong_manifests_are_found(
    before: str, after: str, finding: str, rendered: dict[str, str], tool: Callable[[str], Path]
) -> None:
    good = rendered["keda-sasl-values.yaml"]
    assert before in good

    done = run(tool("manifests") / "manifests", stdin=good.replace(before, after))

    assert done.returncode == 1
    assert finding in done.stdout


def test_kube_score_finds_only_what_is_explained(
    rendered: dict[str, str], tool: Callable[[str], Path], report: Report
) -> None:
    program = tool("kube-score") / "kube-score"
    optional = [part for name in OPTIONAL_CHECKS for part in ("--enable-optional-test", name)]
    found: set[tuple[str, str, str]] = set()
    for name, text in rendered.items():
        done = run(program, "score", *optional, "--output-format", "json", "-", stdin=text)
        found |= {
            (name, check["check"]["id"], comment["summary"])
            for scored in json.loads(done.stdout)
            for check in scored["checks"]
            if check["grade"] < 10 and not check["skipped"]
            for comment in check["comments"] or ()
        }

    unexplained = set(found)
    for (given, check, words), reason in EXPLAINED.items():
        meant = {it for it in found if given in {"", it[0]} and check == it[1] and words in it[2]}
        assert meant, f"nothing left to explain: {check}"
        report.explain("kube-score", len(meant), words, reason)
        unexplained -= meant

    report.add("kube-score", f"{len(rendered)} value sets", len(unexplained), len(found))
    assert unexplained == set()


def test_both_helms_render_alike(
    rendered: dict[str, str], tool: Callable[[str], Path], report: Report
) -> None:
    newer = Chart(tool("helm4") / "helm")

    for given in VALUE_SETS:
        ours = list(yaml.safe_load_all(rendered[given.name]))
        theirs = list(yaml.safe_load_all(newer.template(given)))
        key = lambda each: (each["kind"], each["metadata"]["name"])  # noqa: E731
        assert sorted(filter(None, ours), key=key) == sorted(filter(None, theirs), key=key)
    report.add("helm 3 and 4", f"{len(VALUE_SETS)} value sets rendered alike", 0)


@pytest.mark.parametrize("name", ["helm3", "helm4"])
def test_helm_lints_the_chart(name: str, tool: Callable[[str], Path], report: Report) -> None:
    helm = tool(name) / "helm"

    done = run(helm, "lint", "--strict", "--kube-version", "1.33.0", FOLDER, "--values", "-",
               stdin=yaml.safe_dump(values()))  # fmt: skip

    report.add(name, "lint --strict", 0 if done.returncode == 0 else 1)
    assert done.returncode == 0, done.stdout + done.stderr


def test_helm_unittest_passes(tool: Callable[[str], Path], report: Report) -> None:
    done = run(tool("helm-unittest") / "helm-unittest", "--strict", FOLDER)

    passed = re.search(r"Tests:\s+(\d+) passed, \1 total", done.stdout)
    assert passed, done.stdout + done.stderr
    report.add("helm-unittest", f"{passed[1]} tests", 0)


def test_hadolint_accepts_the_dockerfile(tool: Callable[[str], Path], report: Report) -> None:
    done = run(tool("python") / "bin" / "hadolint", ROOT / "Dockerfile")

    report.add("hadolint", "Dockerfile", len(done.stdout.splitlines()))
    assert done.stdout == ""
    assert done.returncode == 0


def test_hadolint_finds_a_wrong_instruction(tool: Callable[[str], Path], tmp_path: Path) -> None:
    wrong = tmp_path / "Dockerfile"
    wrong.write_text("FROM debian:latest\nUSER root\nRUN sudo apt-get install python3\n")

    assert "DL3004" in run(tool("python") / "bin" / "hadolint", wrong).stdout


def test_compose_file_follows_the_compose_schema(
    tool: Callable[[str], Path], tmp_path: Path, report: Report
) -> None:
    check = (tool("python") / "bin" / "check-jsonschema", "--builtin-schema", "vendor.compose-spec")
    wrong = tmp_path / "compose.yml"
    wrong.write_text((ROOT / "docker-compose.yml").read_text().replace("stop_grace_", "grace_"))

    assert run(*check, ROOT / "docker-compose.yml").returncode == 0
    assert "grace_period" in run(*check, wrong).stdout
    report.add("check-jsonschema", "docker-compose.yml", 0)
