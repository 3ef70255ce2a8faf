"""Check the topics of a deployment, create missing ones, and fix their settings."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    AlterConfigOpType,
    ClusterMetadata,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourceType,
)

from winnow.streams.errors import HiddenConfigs, UnfitTopics
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.librdkafka import (
    LastError,
    client_config,
    cluster_metadata,
    translated,
)
from winnow.streams.operator.topic_check import (
    Size,
    TopicState,
    Wanted,
    findings,
    topic_config,
    wanted_topics,
)
from winnow.streams.topics import TopicNames

TIMEOUT_S: Final = 15.0
SETTLE_LOOKS: Final = 10
SETTLE_PAUSE_S: Final = 0.2


# error codes of brokers that may not, or cannot, show the configuration of topics to this user
_HIDDEN: Final = frozenset(
    {
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.UNSUPPORTED_VERSION,
        KafkaError._UNSUPPORTED_FEATURE,  # noqa: SLF001 - public
    }
)


def require_topics(connection: Connection, names: TopicNames, timeout_s: float = TIMEOUT_S) -> None:
    """Return if a worker can read and publish everything that it must.

    Raises:
        UnfitTopics: a topic is missing, or cannot hold the records that a worker publishes.
        HiddenConfigs: the brokers hide whether topics can hold them.
        KafkaUnavailable: the brokers do not answer.
    """
    wanted = wanted_topics(names, Size())
    states = TopicAdmin(connection, timeout_s).states([each.spec.name for each in wanted])
    blocking = [
        finding
        for each in wanted
        for finding in findings(each, states.get(each.spec.name))
        if finding.is_blocking
    ]
    if blocking:
        problems = "; ".join(
            f"{finding.topic}: {finding.what} is {finding.found}, must be {finding.wanted}"
            for finding in blocking
        )
        is_left_alone = any(finding.what == "cleanup.policy" for finding in blocking)
        hint = "" if is_left_alone else ": run winnow topics create to fix this"
        raise UnfitTopics(problems + hint)


class TopicAdmin:
    """Requests to the brokers; every method raises `KafkaUnavailable` when they do not answer."""

    def __init__(self, connection: Connection, timeout_s: float = TIMEOUT_S) -> None:
        """Create the client without connecting; each request takes `timeout_s` at most."""
        self._timeout_s = timeout_s
        self._last_error = LastError(connection)
        self._client = AdminClient(client_config(connection, self._last_error))

    def broker_count(self) -> int:
        """Return how many brokers the cluster has now."""
        with self._translated():
            return len(self._metadata().brokers)

    def states(self, names: list[str]) -> dict[str, TopicState]:
        """Return the topics with these names that exist."""
        with self._translated():
            metadata = self._metadata()
            for _ in range(SETTLE_LOOKS):
                if metadata.orig_broker_id >= 0:
                    break
                metadata = self._metadata()  # from an address not yet known to be a broker
            topics = metadata.topics
            present = [name for name in names if name in topics]
            configs = self._configs(present, metadata.orig_broker_id)
        return {
            name: TopicState(
                name,
                len(topics[name].partitions),
                min(len(each.replicas) for each in topics[name].partitions.values()),
                configs[name],
            )
            for name in present
        }

    def settled_states(self, wanted: Sequence[Wanted]) -> dict[str, TopicState]:
        """Return the topics once a broker shows those just created, or what there is after a while.

        A broker learns of a change from the controller a moment after the client got its answer.
        """
        for _ in range(SETTLE_LOOKS):
            states = self.states([each.spec.name for each in wanted])
            if not any(findings(each, states.get(each.spec.name)) for each in wanted):
                break
            self._client.poll(SETTLE_PAUSE_S)
        return states

    def apply(self, wanted: Wanted, state: TopicState | None) -> list[str]:
        """Create or fix a topic, never shrinking anything; return a description of each change."""
        if state is None and self._create(wanted):
            return ["created"]
        # not in the metadata but it exists: created a moment ago, perhaps by another run of this
        # command
        state = state or self._look_for(wanted.spec.name)
        return self._mend(wanted, state) if state else []

    def _mend(self, wanted: Wanted, state: TopicState) -> list[str]:
        to_do = findings(wanted, state)
        fixes = {name: value for each in to_do for name, value in (each.fix or {}).items()}
        done = [f"{name}={value}" for name, value in fixes.items()]
        with self._translated():
            if fixes:
                self._alter(state.name, fixes)
            if any(finding.what == "partitions" for finding in to_do):
                partitions = wanted.size.partitions
                grown = NewPartitions(state.name, partitions)
                self._client.create_partitions([grown])[state.name].result(self._timeout_s)
                done.append(f"partitions={partitions}")
        return done

    def _create(self, wanted: Wanted) -> bool:
        """Return whether the topic was created now; False if it exists already."""
        name, size = wanted.spec.name, wanted.size
        topic = NewTopic(name, size.partitions, size.replication, config=topic_config(wanted))
        with self._translated():
            # the time limit applies to the brokers: until all of them know the topic
            request = self._client.create_topics([topic], operation_timeout=self._timeout_s)
            try:
                request[name].result(self._timeout_s)
            except KafkaException as error:
                if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                    raise
                return False
        return True

    def _look_for(self, name: str) -> TopicState | None:
        for _ in range(SETTLE_LOOKS):
            if found := self.states([name]):
                return found[name]
            self._client.poll(SETTLE_PAUSE_S)
        return None

    def _metadata(self) -> ClusterMetadata:
        return cluster_metadata(self._client, self._last_error, self._timeout_s)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._last_error, self._client.poll)

    def _configs(self, names: list[str], broker: int) -> dict[str, Mapping[str, str]]:
        """Ask the broker that has just answered: another one may be frozen."""
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        whom = {"broker": broker} if broker >= 0 else {}
        answers = self._client.describe_configs(resources, request_timeout=self._timeout_s, **whom)
        try:
            return {
                resource.name: {
                    name: entry.value for name, entry in answer.result(self._timeout_s).items()
                }
                for resource, answer in answers.items()
            }
        except KafkaException as error:
            if error.args[0].code() in _HIDDEN:
                raise HiddenConfigs(error.args[0].str()) from None
            raise

    def _alter(self, topic: str, changes: Mapping[str, str]) -> None:
        entries = [
            ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
            for name, value in changes.items()
        ]
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)
        for answer in self._client.incremental_alter_configs([resource]).values():
            answer.result(self._timeout_s)
