"""All that connects, against a broker that takes SASL_SSL with SCRAM-SHA-512 and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from click.testing import CliRunner, Result

from streams.admin import TopicAdmin
from streams.connection import Security
from streams.librdkafka import KafkaUnavailable
from tests.services.brokers import KafkaCluster
from tests.services.certificates import make_secrets
from worker.cli import main
from worker.settings import Settings


@pytest.fixture
def environment(secured_kafka: KafkaCluster, unique_name: str) -> dict[str, str]:
    secrets = secured_kafka.secrets
    assert secrets
    return {
        "WINNOW_KAFKA_BOOTSTRAP": secured_kafka.bootstrap,
        "WINNOW_KAFKA_SECURITY": "sasl_ssl",
        "WINNOW_KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
        "WINNOW_KAFKA_USERNAME_FILE": str(secrets.username_file),
        "WINNOW_KAFKA_PASSWORD_FILE": str(secrets.password_file),
        "WINNOW_KAFKA_CA_FILE": str(secrets.ca_file),
        **{
            f"WINNOW_TOPIC_{kind.upper()}": f"{unique_name}.{kind}"
            for kind in ("pages", "documents", "stats", "dead")
        },
    }


def winnow(environment: dict[str, str], *arguments: str) -> Result:
    return CliRunner(env=environment).invoke(main, list(arguments))


def test_the_commands_work_with_credentials_from_files(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("<p>Grain.")

    results = [
        winnow(environment, *arguments)
        for arguments in (
            ("topics", "create", "--partitions", "1"),
            ("publish", str(tmp_path), "--url-prefix", "https://example.org/"),
            ("tail", "pages", "--format", "jsonl"),
            ("dead", "replay"),
        )
    ]

    assert [result.exit_code for result in results] == [0] * 4
    assert json.loads(results[2].output)["value"] == "<p>Grain."


def test_a_wrong_password_is_refused_and_stays_out_of_sight(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "password").write_text("hunter2")
    wrong = environment | {"WINNOW_KAFKA_PASSWORD_FILE": str(tmp_path / "password")}

    result = winnow(wrong, "topics", "check")

    assert result.exit_code == 1
    assert "SASL authentication error" in result.output
    assert "hunter2" not in result.output


def test_a_broker_of_another_authority_is_refused(
    environment: dict[str, str], tmp_path: Path
) -> None:
    other = make_secrets(tmp_path)

    result = winnow(environment | {"WINNOW_KAFKA_CA_FILE": str(other.ca_file)}, "topics", "check")

    assert result.exit_code == 1
    assert "certificate verify failed" in result.output


def test_a_client_without_tls_is_refused(environment: dict[str, str]) -> None:
    connection = Settings.from_env(environment).connection()
    unencrypted = replace(connection, security=Security.SASL_PLAINTEXT)

    with pytest.raises(KafkaUnavailable):
        TopicAdmin(unencrypted, timeout_s=2.0).broker_count()


async def test_the_stream_clients_connect_as_the_commands_do(
    environment: dict[str, str], unique_name: str
) -> None:
    winnow(environment, "topics", "create", "--partitions", "1")
    options = Settings.from_env(environment).connection().client_options()
    topic = environment["WINNOW_TOPIC_PAGES"]
    producer = AIOKafkaProducer(**options, acks="all", enable_idempotence=True)
    consumer = AIOKafkaConsumer(
        topic, **options, group_id=unique_name, auto_offset_reset="earliest"
    )

    async with producer, consumer:
        await (await producer.send(topic, b"grain"))
        batches = await consumer.getmany(timeout_ms=30_000)
        await consumer.commit()

    assert [record.value for batch in batches.values() for record in batch] == [b"grain"]
