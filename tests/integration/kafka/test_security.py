"""All that connects, against a broker that takes SASL_SSL with SCRAM-SHA-512 and nothing else."""

import base64
import json
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from click.testing import CliRunner, Result

from tests.integration.kafka.conftest import SCRIPT, StartWorker
from tests.services.brokers import KafkaCluster
from tests.services.certificates import Secrets, make_secrets
from winnow.streams.errors import KafkaUnavailable
from winnow.streams.kafka.connection import Security
from winnow.streams.operator.admin import TopicAdmin
from winnow.worker.cli import main
from winnow.worker.settings import Settings


@pytest.fixture
def secrets(secured_kafka: KafkaCluster) -> Secrets:
    assert secured_kafka.secrets
    return secured_kafka.secrets


@pytest.fixture
def environment(secured_kafka: KafkaCluster, secrets: Secrets, unique_name: str) -> dict[str, str]:
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


def all_secrets(secrets: Secrets) -> list[str]:
    """Return the password, as text and as SASL sends it, and each line of the keys."""
    plain = f"\0{secrets.username}\0{secrets.password}".encode()
    passwords = [secrets.password.encode(), plain]
    keys = [secrets.key_file, secrets.server_key_file]
    return [
        secrets.password,
        *(base64.b64encode(each).decode() for each in passwords),
        *(line for key in keys for line in key.read_text().splitlines()),
    ]


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


def test_a_worker_cleans_over_sasl_and_tls_without_logging_secrets(
    environment: dict[str, str],
    secrets: Secrets,
    start_worker: StartWorker,
    tmp_path: Path,
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(20):
        (pages / f"{number}.html").write_text(f"<p>The miller keeps grain {number}, not chaff.")
    winnow(environment, "topics", "create", "--partitions", "2")
    winnow(environment, "publish", str(pages), "--url-prefix", "https://example.org/")

    worker = start_worker(2, **environment, WINNOW_LOG_LEVEL="debug")
    worker.until(lambda: worker.done(0, "/metrics/pod") == 20)
    answers = worker.get(0, "/metrics/pod")[1] + worker.get(0, "/readyz")[1]
    command_line = Path(f"/proc/{worker.supervisor.pid}/cmdline").read_text()
    worker.supervisor.send_signal(signal.SIGTERM)

    assert worker.supervisor.wait(60) == 0
    assert "worker_stopped" in worker.log.read_text()
    everything = worker.log.read_text() + answers + command_line
    assert [secret for secret in all_secrets(secrets) if secret in everything] == []


def test_a_worker_with_a_refused_password_logs_no_password(
    environment: dict[str, str], secrets: Secrets, tmp_path: Path
) -> None:
    winnow(environment, "topics", "create", "--partitions", "1")
    (tmp_path / "password").write_text("hunter2")
    wrong = {"WINNOW_KAFKA_PASSWORD_FILE": str(tmp_path / "password")}

    ended = subprocess.run(
        [SCRIPT, "worker"],
        env=environment | wrong | {"TMPDIR": str(tmp_path), "WINNOW_LOG_LEVEL": "debug"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 2
    everything = ended.stdout + ended.stderr
    assert "invalid credentials" in everything
    assert [each for each in ("hunter2", *all_secrets(secrets)) if each in everything] == []


def test_a_wrong_password_is_refused_and_stays_out_of_sight(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "password").write_text("hunter2")
    wrong = environment | {"WINNOW_KAFKA_PASSWORD_FILE": str(tmp_path / "password")}

    result = winnow(wrong, "topics", "check")

    assert result.exit_code == 2
    assert "SASL authentication error" in result.output
    assert "hunter2" not in result.output


def test_a_broker_of_another_authority_is_refused(
    environment: dict[str, str], tmp_path: Path
) -> None:
    other = make_secrets(tmp_path)

    result = winnow(environment | {"WINNOW_KAFKA_CA_FILE": str(other.ca_file)}, "topics", "check")

    assert result.exit_code == 2
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
