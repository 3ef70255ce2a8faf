"""Apache Kafka on loopback: one broker or several, KRaft, plain or with SASL and TLS."""

import base64
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tests.services.certificates import Secrets
from tests.services.processes import Lifetime, ServerError, ServerProcess, free_port
from tests.services.programs import RECIPE, kafka_classpath, require

READY_WITHIN_S: Final = 180.0
# small heap, first compiler only, one collector thread: ready in 3 s, 300 MB resident a broker
_JVM: Final = [
    "-Xms128m",
    "-Xmx384m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    f"-Dlog4j2.configurationFile={RECIPE / 'log4j2.properties'}",
]
_ADMIN: Final = "broker"


@dataclass(frozen=True, slots=True)
class NodePlan:
    """Where one broker listens and keeps its log.

    Attributes:
        advertised_port: where it tells clients to connect; another one for a proxy between.
    """

    node_id: int
    port: int
    advertised_port: int
    controller_port: int
    folder: Path


class Broker:
    """One broker, which can be ended and started again on its port with its log."""

    def __init__(self, plan: NodePlan, lifetime: Lifetime) -> None:
        """Start the broker of a formatted folder."""
        self._plan = plan
        self._lifetime = lifetime
        self.process = self._launch()

    @property
    def address(self) -> str:
        """Host and port for clients."""
        return f"127.0.0.1:{self._plan.advertised_port}"

    @property
    def node_id(self) -> int:
        """The broker's number in the cluster."""
        return self._plan.node_id

    @property
    def log_folder(self) -> Path:
        """Where the broker keeps its log."""
        return self._plan.folder / "log"

    def restart(self) -> None:
        """Start the broker again after it was stopped or killed."""
        self.process = self._launch()

    def _launch(self) -> ServerProcess:
        command = _java("kafka.Kafka", "server.properties")
        return ServerProcess(command, self._plan.folder, self._lifetime)


class KafkaCluster:
    """A running cluster; every node is broker and controller."""

    def __init__(self, brokers: tuple[Broker, ...], secrets: Secrets | None) -> None:
        """Take over started brokers; use `KafkaCluster.start`."""
        self.brokers: Final = brokers
        self.secrets: Final = secrets

    @classmethod
    def start(
        cls,
        folder: Path,
        brokers: int,
        lifetime: Lifetime,
        secrets: Secrets | None = None,
        advertise: Callable[[int], int] = lambda port: port,
        *,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Self:
        """Format, start and wait until every broker is listed in the metadata.

        Args:
            folder: for logs and configuration.
            brokers: how many.
            lifetime: when they must be gone.
            secrets: then they take clients by SASL_SSL with SCRAM-SHA-512 and nothing else.
            advertise: port of a broker -> port advertised to clients.
            settings: of every broker, in place of those that tests have.

        Raises:
            ServerError: a program is missing, or a broker is not ready in time.
        """
        require("java", "setpriv")
        plans = [
            NodePlan(node, port, advertise(port), free_port(), folder / f"broker-{node}")
            for node, port in enumerate((free_port() for _ in range(brokers)), start=1)
        ]
        _format(plans, secrets, settings)
        cluster = cls(tuple(Broker(plan, lifetime) for plan in plans), secrets)
        try:
            cluster.wait_ready()
        except BaseException:
            cluster.stop()
            raise
        return cluster

    @property
    def bootstrap(self) -> str:
        """All addresses, as clients take them."""
        return ",".join(broker.address for broker in self.brokers)

    def client_config(self) -> dict[str, str | int | float | bool]:
        """Return what a librdkafka client needs to connect."""
        config: dict[str, str | int | float | bool] = {
            "bootstrap.servers": self.bootstrap,
            "log_level": 0,
        }
        if self.secrets:
            config |= {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "SCRAM-SHA-512",
                "sasl.username": self.secrets.username,
                "sasl.password": self.secrets.password,
                "ssl.ca.location": str(self.secrets.ca_file),
            }
        return config

    def wait_ready(self) -> None:
        """Return once every broker, asked by itself, lists all of them.

        Raises:
            ServerError: a broker ended, or the time is up.
        """
        deadline = time.monotonic() + READY_WITHIN_S
        for broker in self.brokers:
            quick = {"reconnect.backoff.ms": 50, "reconnect.backoff.max.ms": 250}
            config = self.client_config() | quick | {"bootstrap.servers": broker.address}
            admin = AdminClient(config)
            while not self._lists_all(admin):
                if time.monotonic() > deadline or not broker.process.is_running():
                    words = broker.process.output()
                    words = words[max(words.find(" ERROR "), 0) :][:4000]  # the first error
                    raise ServerError(f"broker {broker.node_id} was not ready in time:\n{words}")
                admin.poll(0.1)

    def _lists_all(self, admin: AdminClient) -> bool:
        try:
            return len(admin.list_topics(timeout=0.5).brokers) == len(self.brokers)
        except KafkaException:
            return False  # not yet

    def stop(self) -> None:
        """End all brokers, all at once: a quorum of one would wait for the others."""
        for broker in self.brokers:
            if broker.process.is_running():
                broker.process.kill()


def _format(plans: list[NodePlan], secrets: Secrets | None, settings: Mapping[str, str]) -> None:
    cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    voters = ",".join(f"{plan.node_id}@127.0.0.1:{plan.controller_port}" for plan in plans)
    users = (_ADMIN, secrets.username) if secrets else ()
    scram = [
        f"--add-scram=SCRAM-SHA-512=[name={user},password={secrets.password}]"
        for user in users
        if secrets
    ]
    for plan in plans:
        plan.folder.mkdir(parents=True, exist_ok=True)  # a test may have mounted a disk there
        properties = {**_properties(plan, voters, len(plans)), **_security(secrets), **settings}
        lines = [f"{name}={value}\n" for name, value in properties.items()]
        (plan.folder / "server.properties").write_text("".join(lines))
    files = ("-c", "server.properties")
    formats = [
        subprocess.Popen(
            _java(
                "kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}", *files, *scram
            ),
            cwd=plan.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for plan in plans
    ]
    complaints = [process.communicate()[1] for process in formats]  # all of them have ended
    for process, complaint in zip(formats, complaints, strict=True):
        if process.returncode:
            raise ServerError(f"formatting Kafka's log failed: {complaint[-1000:]}")


def _java(main_class: str, *arguments: str) -> list[str]:
    return ["java", *_JVM, "-cp", kafka_classpath(), main_class, *arguments]


def _properties(plan: NodePlan, voters: str, brokers: int) -> dict[str, str]:
    copies, in_sync = min(3, brokers), max(1, min(3, brokers) - 1)
    replication = {
        f"{topic}.replication.factor": copies
        for topic in ("default", "offsets.topic", "transaction.state.log")
    }
    return {
        "process.roles": "broker,controller",
        "node.id": str(plan.node_id),
        "controller.quorum.voters": voters,
        "controller.listener.names": "CONTROLLER",
        "listeners": f"CLIENT://127.0.0.1:{plan.port},"
        f"CONTROLLER://127.0.0.1:{plan.controller_port}",
        "advertised.listeners": f"CLIENT://127.0.0.1:{plan.advertised_port}",
        "inter.broker.listener.name": "CLIENT",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENT:PLAINTEXT",
        "log.dirs": str(plan.folder / "log"),
        **{name: str(value) for name, value in replication.items()},
        "share.coordinator.state.topic.replication.factor": str(copies),
        "share.coordinator.state.topic.min.isr": str(in_sync),
        "transaction.state.log.min.isr": str(in_sync),
        "min.insync.replicas": str(in_sync),
        "offsets.topic.num.partitions": "4",
        "group.initial.rebalance.delay.ms": "0",
        "auto.create.topics.enable": "false",
    }


def _security(secrets: Secrets | None) -> dict[str, str]:
    if secrets is None:
        return {}
    login = "org.apache.kafka.common.security.scram.ScramLoginModule"
    chain = secrets.server_key_file.parent / "broker.pem"
    chain.write_bytes(secrets.server_key_file.read_bytes() + secrets.server_cert_file.read_bytes())
    return {
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENT:SASL_SSL",
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
        "listener.name.client.scram-sha-512.sasl.jaas.config": f"{login} required "
        f'username="{_ADMIN}" password="{secrets.password}";',
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(chain),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(secrets.ca_file),
    }
