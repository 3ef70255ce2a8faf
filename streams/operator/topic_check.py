"""Compare a topic with its requirements: no client, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from winnow.streams.topics import CleanupPolicy, TopicNames, TopicSpec, topic_specs

FOREVER_MS: Final = -1
# with three replicas a write counts once two have it: one broker may fail without losing a record
SAFE_REPLICATION: Final = 3
SAFE_IN_SYNC: Final = 2


@dataclass(frozen=True, slots=True)
class Size:
    """Smallest size of a topic."""

    partitions: int = 1
    replication: int = 1

    @property
    def in_sync(self) -> int:
        """Replicas that must have a record before it counts: all but one, from three on."""
        return max(1, self.replication - 1) if self.replication >= SAFE_REPLICATION else 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Requirements for one topic.

    Attributes:
        is_published_to: a worker writes to it, so it must accept every record of a worker.
    """

    spec: TopicSpec
    size: Size
    is_published_to: bool


@dataclass(frozen=True, slots=True)
class TopicState:
    """A topic as the brokers describe it.

    Attributes:
        replication: replicas of the partition that has the fewest.
        config: settings by Kafka's names, defaults included.
    """

    name: str
    partitions: int
    replication: int
    config: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference between a topic and its requirements.

    Attributes:
        is_blocking: a worker would lose pages or could not publish, so it must not start.
        fix: settings that fix it without losing records; None if an operator has to decide.
    """

    topic: str
    what: str
    found: str
    wanted: str
    is_blocking: bool = False
    fix: Mapping[str, str] | None = None


def wanted_topics(names: TopicNames, size: Size) -> tuple[Wanted, ...]:
    """Return the requirements of each topic of a deployment, pages first."""
    return tuple(
        Wanted(spec, size, is_published_to=spec.name != names.pages) for spec in topic_specs(names)
    )


def as_large_as(wanted: Wanted, states: Mapping[str, TopicState]) -> Wanted:
    """Return the requirements of a topic that keeps its partitions."""
    state = states.get(wanted.spec.name)
    if state is None or not _too_few_partitions(wanted, state):
        return wanted
    return replace(wanted, size=replace(wanted.size, partitions=state.partitions))


def topic_config(wanted: Wanted) -> dict[str, str]:
    """Return the settings for creating a topic."""
    spec, size = wanted.spec, wanted.size
    return {
        "cleanup.policy": spec.cleanup.value,
        "retention.ms": str(spec.retention_ms),
        "max.message.bytes": str(spec.max_message_bytes),
        "min.insync.replicas": str(size.in_sync),
    }


def findings(wanted: Wanted, state: TopicState | None) -> list[Finding]:
    """Return all differences; a topic larger than required has none."""
    name = wanted.spec.name
    if state is None:
        return [Finding(name, "topic", "missing", "present", is_blocking=True)]
    return [
        *_too_few_partitions(wanted, state),
        *_at_least(name, "replication", state.replication, wanted.size.replication),
        *_too_small(wanted, state),
        *_unsafe(name, state),
        *_cleanup(wanted, state),
    ]


def _at_least(topic: str, what: str, found: int, wanted: int) -> list[Finding]:
    return [Finding(topic, what, str(found), str(wanted))] if found < wanted else []


def _too_few_partitions(wanted: Wanted, state: TopicState) -> list[Finding]:
    """Compare partitions, of topics that may get more.

    In a compacted topic new partitions would move the keys, and old records of a key would remain
    where no newer record replaces them.
    """
    if wanted.spec.cleanup is CleanupPolicy.COMPACT:
        return []
    return _at_least(state.name, "partitions", state.partitions, wanted.size.partitions)


def _too_small(wanted: Wanted, state: TopicState) -> list[Finding]:
    name, least = "max.message.bytes", wanted.spec.max_message_bytes
    if int(state.config[name]) >= least:
        return []
    fix = {name: str(least)}
    return [Finding(state.name, name, state.config[name], str(least), wanted.is_published_to, fix)]


def _unsafe(topic: str, state: TopicState) -> list[Finding]:
    in_sync, unclean = "min.insync.replicas", "unclean.leader.election.enable"
    found = []
    if state.replication >= SAFE_REPLICATION and int(state.config[in_sync]) < SAFE_IN_SYNC:
        wanted = str(SAFE_IN_SYNC)
        fix = {in_sync: wanted}
        found.append(Finding(topic, in_sync, state.config[in_sync], wanted, fix=fix))
    if state.config.get(unclean) == "true":
        found.append(Finding(topic, unclean, "true", "false", fix={unclean: "false"}))
    return found


def _cleanup(wanted: Wanted, state: TopicState) -> list[Finding]:
    """Compare policy and retention; a policy is never changed here, as either may drop records.

    A compacted topic rejects records without a key, and keeps only one dead letter per page.
    """
    spec = wanted.spec
    policy = set(state.config["cleanup.policy"].split(","))
    found = []
    is_compacted_amiss = spec.cleanup is CleanupPolicy.DELETE and CleanupPolicy.COMPACT in policy
    if spec.cleanup not in policy or is_compacted_amiss:
        actual = state.config["cleanup.policy"]
        is_blocking = is_compacted_amiss and wanted.is_published_to
        found.append(Finding(spec.name, "cleanup.policy", actual, spec.cleanup.value, is_blocking))
    name, least_ms = "retention.ms", spec.retention_ms
    kept_ms = int(state.config[name])
    is_shorter = kept_ms != FOREVER_MS and (least_ms == FOREVER_MS or kept_ms < least_ms)
    if CleanupPolicy.DELETE in policy and is_shorter:
        fix = {name: str(least_ms)}
        found.append(Finding(spec.name, name, str(kept_ms), str(least_ms), fix=fix))
    return found
