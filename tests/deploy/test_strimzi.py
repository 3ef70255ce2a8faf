"""deploy/strimzi: topics and user as Strimzi's own definitions and the code want them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.deploy.chart import ROOT, Chart
from tests.services.programs import STRIMZI, jars_of, require
from winnow.streams.operator.topic_check import Size, topic_config, wanted_topics
from winnow.streams.topics import DEFAULT_GROUP, TopicNames

FOLDER = ROOT / "deploy" / "strimzi"
KINDS = {"KafkaTopic": "topic", "KafkaUser": "user"}
SIZE = Size(partitions=12, replication=3)
pytestmark = pytest.mark.timeout(300)


def manifests(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Strimzi's generator makes of its classes: the schema of each kind, closed."""
    require("java")
    folder = tmp_path_factory.mktemp("definitions")
    classes = [
        f"io.strimzi.api.kafka.model.{package}.{kind}={folder / kind}"
        for kind, package in KINDS.items()
    ]
    options = ("--target-kube", "1.21+", "--crd-api-version", "v1")
    generator = ("-cp", f"{jars_of(STRIMZI)}/*", "io.strimzi.crdgenerator.CrdGenerator")
    done = subprocess.run(
        ["java", *generator, *options, *classes], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {kind: closed(schema_in(folder / kind)) for kind in KINDS}


def schema_in(path: Path) -> dict[str, Any]:
    versions = json.loads(path.read_text())["spec"]["versions"]
    (found,) = (each for each in versions if each["name"] == "v1beta2")
    schema: dict[str, Any] = found["schema"]["openAPIV3Schema"]
    return schema


def closed(schema: object) -> Any:  # noqa: ANN401 - as JSON is
    """Refuse members that an object does not name, which an API server would drop."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(each) for name, each in schema.items()}
    return inner | (
        {"additionalProperties": False} if isinstance(inner.get("properties"), dict) else {}
    )


@pytest.mark.parametrize("name", ["topics.yaml", "user.yaml"])
def test_manifests_are_valid_for_strimzi(name: str, definitions: dict[str, Any]) -> None:
    for manifest in manifests(name):
        checker = Draft202012Validator(definitions[manifest["kind"]])
        assert [error.message for error in checker.iter_errors(manifest)] == []
        wrong = manifest | {"spec": manifest["spec"] | {"partition": 1}}
        assert list(checker.iter_errors(wrong))


def test_topics_are_those_that_winnow_makes() -> None:
    found = {
        each["metadata"]["name"]: (
            each["spec"]["partitions"],
            each["spec"]["replicas"],
            {name: str(value) for name, value in each["spec"]["config"].items()},
        )
        for each in manifests("topics.yaml")
    }

    assert found == {
        each.spec.name: (SIZE.partitions, SIZE.replication, topic_config(each))
        for each in wanted_topics(TopicNames(), SIZE)
    }


def test_the_user_has_rights_only_on_our_topics_and_group() -> None:
    (user,) = manifests("user.yaml")
    rules = user["spec"]["authorization"]["acls"]

    names = [rule["resource"]["name"] for rule in rules]
    assert names == [*TopicNames().given(), DEFAULT_GROUP]
    assert {rule["resource"]["patternType"] for rule in rules} == {"literal"}


def test_the_values_that_the_manifest_shows_are_taken_by_the_chart(chart: Chart) -> None:
    lines = (FOLDER / "user.yaml").read_text(encoding="utf-8").splitlines()
    start = lines.index("#   kafka:")
    end = next(at for at, line in enumerate(lines) if line == "---")
    given = yaml.safe_load("\n".join(line[4:] for line in lines[start:end]))

    rendered = chart.template(given)

    assert 'secretName: "winnow-kafka"' in rendered
    assert "kind: Job" not in rendered
