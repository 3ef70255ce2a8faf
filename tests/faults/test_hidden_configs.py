"""A user who may not see how topics are configured: a worker learns it from what is refused."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from tests.faults.conftest import MakeScenario, Record
from tests.faults.harness import Scenario
from tests.faults.test_refused_records import MEGABYTE, finish, limit, stubs, versions
from tests.services.brokers import KafkaCluster
from tests.services.certificates import Secrets
from tests.services.processes import Lifetime
from winnow.streams.kafka.connection import Connection, Mechanism, Secret, Security

ADMIN: Final = "broker"
PAGES: Final = 200
AUTHORIZER: Final = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": f"User:{ADMIN};User:ANONYMOUS",
}


def connection(cluster: KafkaCluster, secrets: Secrets) -> Connection:
    return Connection(
        (cluster.bootstrap,),
        Security.SASL_SSL,
        Mechanism.SCRAM_SHA_512,
        secrets.username,
        Secret(secrets.password),
        secrets.ca_file,
    )


def allow(admin: AdminClient, scenario: Scenario, user: str) -> None:
    """Let a user read and write the topics of a scenario, and be in its group."""
    rights = [
        (ResourceType.TOPIC, AclOperation.READ),
        (ResourceType.TOPIC, AclOperation.WRITE),
        (ResourceType.GROUP, AclOperation.READ),
    ]
    bindings = [
        AclBinding(
            kind,
            scenario.group,
            ResourcePatternType.PREFIXED,
            f"User:{user}",
            "*",
            right,
            AclPermissionType.ALLOW,
        )
        for kind, right in rights
    ]
    for done in admin.create_acls(bindings).values():
        done.result(30)
    # the broker answers before its authorizer has read them
    asked = AclBindingFilter(
        ResourceType.ANY,
        None,  # type: ignore[arg-type]  # any name
        ResourcePatternType.ANY,
        f"User:{user}",
        None,  # type: ignore[arg-type]  # any host
        AclOperation.ANY,
        AclPermissionType.ANY,
    )
    while len(admin.describe_acls(asked).result(30)) < len(bindings):
        time.sleep(0.1)


def test_dead_letters_are_refused_without_a_sign_at_the_start(
    scenarios: MakeScenario,
    server_folder: Path,
    unique_name: str,
    secret_files: Secrets,
    record: Record,
) -> None:
    folder = server_folder / unique_name / "kafka"
    cluster = KafkaCluster.start(folder, 1, Lifetime.CALLER, secret_files, settings=AUTHORIZER)
    scenario = scenarios("dead letters are refused, configs hidden", cluster.bootstrap)
    user = connection(cluster, secret_files)
    admin = AdminClient(cluster.client_config() | {"sasl.username": ADMIN})
    scenario.connection = replace(user, username=ADMIN)
    scenario.make_topics()
    limit(admin, scenario.names.dead, MEGABYTE)
    allow(admin, scenario, secret_files.username)
    scenario.connection = user
    scenario.program = ("tests.faults.command",)
    scenario.environment |= {
        "WINNOW_KAFKA_SECURITY": "sasl_ssl",
        "WINNOW_KAFKA_USERNAME_FILE": str(secret_files.username_file),
        "WINNOW_KAFKA_PASSWORD_FILE": str(secret_files.password_file),
        "WINNOW_KAFKA_CA_FILE": str(secret_files.ca_file),
        "WINNOW_DEAD_RATIO": "1",
        "WINNOW_DEAD_CONSECUTIVE": str(10**9),
    }
    nothing = b"\x00\x01"  # no cleaner takes it for text
    versions(scenario, (nothing * (2_000_000 if n % 20 == 13 else 50) for n in range(PAGES)))
    worker = scenario.start_worker()
    scenario.connection = replace(user, username=ADMIN)  # for the account

    settled, outcome = finish(scenario, record)
    pointers = stubs(scenario)
    cluster.stop()

    assert '"topics_unchecked"' in worker.output()
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert (settled.dead, settled.documents) == (PAGES, 0)
    assert pointers == PAGES // 20
