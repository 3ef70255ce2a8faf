"""deploy/strimzi/user.yaml on brokers with access lists: just enough rights for a worker."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from confluent_kafka import Producer
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.integration.kafka.conftest import StartWorker
from tests.services.brokers import KafkaCluster
from tests.services.certificates import Secrets
from tests.services.processes import Lifetime
from winnow.streams.topics import TopicNames
from winnow.worker.cli import main

ROOT = Path(__file__).resolve().parents[3]
PASSWORD = "only for this test"
KINDS = ("pages", "documents", "stats", "dead")
PAGES = 12  # of the samples


@pytest.fixture
def cluster(tmp_path: Path, secret_files: Secrets) -> Iterator[KafkaCluster]:
    """Brokers that refuse everything without a rule; the user of the secrets may do all."""
    settings = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": f"User:broker;User:ANONYMOUS;User:{secret_files.username}",
    }
    started = KafkaCluster.start(
        tmp_path / "kafka", 1, Lifetime.CALLER, secret_files, settings=settings
    )
    yield started
    started.stop()


def give_rights(admin: AdminClient) -> str:
    """Make topics, the user of the manifest and its rights; return its name."""
    user = yaml.safe_load((ROOT / "deploy/strimzi/user.yaml").read_text())
    name: str = user["metadata"]["name"]
    scram = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    credential = UserScramCredentialUpsertion(name, scram, PASSWORD.encode())
    rules = [
        AclBinding(
            ResourceType[rule["resource"]["type"].upper()], rule["resource"]["name"],
            ResourcePatternType.LITERAL, f"User:{name}", "*", operation_of(operation),
            AclPermissionType.ALLOW,
        )
        for rule in user["spec"]["authorization"]["acls"]
        for operation in rule["operations"]
    ]  # fmt: skip
    topics = [
        NewTopic(topic, 1, 1, config={"max.message.bytes": "10485760"} | policy(topic))
        for topic in TopicNames().given()
    ]
    for futures in (
        admin.create_topics(topics),
        admin.alter_user_scram_credentials([credential]),
        admin.create_acls(rules),
    ):
        for future in futures.values():
            future.result(30)
    return name


def operation_of(name: str) -> AclOperation:
    return AclOperation[{"DescribeConfigs": "DESCRIBE_CONFIGS"}.get(name, name.upper())]


def policy(topic: str) -> dict[str, str]:
    is_compacted = topic in {TopicNames().documents, TopicNames().stats}
    return {"cleanup.policy": "compact"} if is_compacted else {}


def test_a_worker_cleans_with_only_the_rights_of_the_manifest(
    cluster: KafkaCluster, secret_files: Secrets, start_worker: StartWorker, tmp_path: Path
) -> None:
    name = give_rights(AdminClient(cluster.client_config()))
    (tmp_path / "user").write_text(name)
    (tmp_path / "secret").write_text(PASSWORD)
    theirs = {
        "WINNOW_KAFKA_BOOTSTRAP": cluster.bootstrap,
        "WINNOW_KAFKA_SECURITY": "sasl_ssl",
        "WINNOW_KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
        "WINNOW_KAFKA_CA_FILE": str(secret_files.ca_file),
        **{f"WINNOW_TOPIC_{kind.upper()}": f"winnow.{kind}" for kind in KINDS},
        "WINNOW_GROUP": "winnow",
    }
    crawler = theirs | {
        "WINNOW_KAFKA_USERNAME_FILE": str(secret_files.username_file),
        "WINNOW_KAFKA_PASSWORD_FILE": str(secret_files.password_file),
    }
    worker_user = theirs | {
        "WINNOW_KAFKA_USERNAME_FILE": str(tmp_path / "user"),
        "WINNOW_KAFKA_PASSWORD_FILE": str(tmp_path / "secret"),
    }
    pages = ("publish", str(ROOT / "worker/samples"), "--url-prefix", "https://example.org/")
    published = CliRunner(env=crawler).invoke(main, pages)

    worker = start_worker(1, **worker_user)
    worker.until(lambda: worker.done(0) >= PAGES)
    worker.supervisor.send_signal(signal.SIGTERM)

    assert published.exit_code in {0, 1}  # a PDF among the samples is refused
    assert worker.supervisor.wait(60) == 0
    refused = CliRunner(env=worker_user).invoke(main, pages)
    assert refused.exit_code != 0
    producer = Producer(
        cluster.client_config() | {"sasl.username": name, "sasl.password": PASSWORD}
    )
    failed: list[str] = []
    producer.produce("winnow.pages", b"x", on_delivery=lambda error, _: failed.append(str(error)))
    producer.flush(30)
    assert len(failed) == 1
    assert "uthoriz" in failed[0]
