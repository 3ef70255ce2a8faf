"""What makes a topic unfit, and what may be mended without asking."""

from collections.abc import Mapping

import pytest

from winnow.streams.operator.topic_check import (
    Finding,
    Size,
    TopicState,
    Wanted,
    findings,
    topic_config,
    wanted_topics,
)
from winnow.streams.topics import DAY_MS, CleanupPolicy, TopicNames, TopicSpec

DOCUMENTS = TopicSpec("docs", CleanupPolicy.COMPACT, retention_ms=-1, max_message_bytes=1000)
DEAD = TopicSpec("dead", CleanupPolicy.DELETE, retention_ms=30 * DAY_MS, max_message_bytes=1000)

FOREVER = {"retention.ms": "-1"}


def wanted(spec: TopicSpec = DEAD, partitions: int = 4, replication: int = 1) -> Wanted:
    return Wanted(spec, Size(partitions, replication), is_published_to=True)


def a_state(
    partitions: int = 4, replication: int = 1, config: Mapping[str, str] | None = None
) -> TopicState:
    fit = {
        "cleanup.policy": "delete",
        "retention.ms": str(30 * DAY_MS),
        "max.message.bytes": "1000",
        "min.insync.replicas": "1",
        "unclean.leader.election.enable": "false",
    }
    return TopicState("dead", partitions, replication, fit | dict(config or {}))


def problems(wanted: Wanted, state: TopicState | None) -> list[tuple[str, str, str]]:
    return [(each.what, each.found, each.wanted) for each in findings(wanted, state)]


def test_a_topic_is_fit_when_it_was_made_as_wanted() -> None:
    for each in wanted_topics(TopicNames(), Size(partitions=6, replication=3)):
        made = TopicState(each.spec.name, 6, 3, topic_config(each))

        assert findings(each, made) == []


def test_a_missing_topic_blocks_a_worker() -> None:
    assert findings(wanted(), None) == [
        Finding("dead", "topic", "missing", "present", is_blocking=True)
    ]


@pytest.mark.parametrize(
    "larger",
    [
        a_state(partitions=64),
        a_state(replication=2),
        a_state(config={"max.message.bytes": "5000"}),
        a_state(config={"retention.ms": "-1"}),
        a_state(config={"retention.ms": str(90 * DAY_MS)}),
        a_state(replication=3, config={"min.insync.replicas": "3"}),
    ],
)
def test_a_topic_is_fit_when_it_is_larger_than_wanted(larger: TopicState) -> None:
    assert findings(wanted(), larger) == []


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (a_state(partitions=3), ("partitions", "3", "4")),
        (a_state(config={"max.message.bytes": "999"}), ("max.message.bytes", "999", "1000")),
        (a_state(config={"retention.ms": "5"}), ("retention.ms", "5", str(30 * DAY_MS))),
        (a_state(config={"cleanup.policy": "compact"}), ("cleanup.policy", "compact", "delete")),
        (
            a_state(config={"cleanup.policy": "compact,delete"}),
            ("cleanup.policy", "compact,delete", "delete"),
        ),
        (a_state(replication=3), ("min.insync.replicas", "1", "2")),
        (
            a_state(config={"unclean.leader.election.enable": "true"}),
            ("unclean.leader.election.enable", "true", "false"),
        ),
    ],
)
def test_a_topic_is_unfit_when_records_could_be_lost_or_refused(
    state: TopicState, expected: tuple[str, str, str]
) -> None:
    assert problems(wanted(), state) == [expected]


def test_too_few_copies_are_reported_when_more_are_wanted() -> None:
    state = a_state(replication=1)

    assert problems(wanted(replication=3), state) == [("replication", "1", "3")]


def test_a_compacted_topic_is_fit_when_it_has_fewer_partitions_than_others() -> None:
    config = {"cleanup.policy": "compact"}

    assert findings(wanted(DOCUMENTS, partitions=8), a_state(partitions=4, config=config)) == []


def test_a_compacted_topic_may_also_delete_when_nothing_is_too_old() -> None:
    config = {"cleanup.policy": "compact,delete", "retention.ms": "-1"}

    assert findings(wanted(DOCUMENTS), a_state(config=config)) == []


def test_a_compacted_topic_is_unfit_when_it_deletes_by_age() -> None:
    config = {"cleanup.policy": "compact,delete", "retention.ms": "1000"}

    assert problems(wanted(DOCUMENTS), a_state(config=config)) == [("retention.ms", "1000", "-1")]


def test_the_age_of_records_does_not_matter_when_a_topic_is_compacted_only() -> None:
    config = {"cleanup.policy": "compact", "retention.ms": "1000"}

    assert findings(wanted(DOCUMENTS), a_state(config=config)) == []


def test_small_messages_block_a_worker_only_where_it_publishes() -> None:
    small = a_state(config={"max.message.bytes": "10"})
    read_only = Wanted(DEAD, Size(), is_published_to=False)

    assert [each.is_blocking for each in findings(wanted(), small)] == [True]
    assert [each.is_blocking for each in findings(read_only, small)] == [False]


def test_a_policy_is_never_changed_because_that_drops_records() -> None:
    config = {"cleanup.policy": "compact"}

    assert [each.fix for each in findings(wanted(), a_state(config=config))] == [None]


def test_pages_are_read_and_all_other_topics_published_to() -> None:
    names = TopicNames()

    published_to = [each.spec.name for each in wanted_topics(names, Size()) if each.is_published_to]

    assert published_to == [names.documents, names.stats, names.dead]


@pytest.mark.parametrize(("replication", "in_sync"), [(1, 1), (2, 1), (3, 2), (5, 4)])
def test_all_copies_but_one_must_be_in_sync_when_there_are_three(
    replication: int, in_sync: int
) -> None:
    assert Size(replication=replication).in_sync == in_sync


@pytest.mark.parametrize(
    ("spec", "policy", "blocks"),
    [
        (DEAD, "compact", True),
        (DEAD, "compact,delete", True),
        (DOCUMENTS, "delete", False),
    ],
)
def test_a_policy_blocks_a_worker_where_the_brokers_refuse_records_without_a_key(
    spec: TopicSpec, policy: str, *, blocks: bool
) -> None:
    (finding,) = findings(wanted(spec), a_state(config={"cleanup.policy": policy, **FOREVER}))

    assert (finding.what, finding.is_blocking) == ("cleanup.policy", blocks)


def test_a_pages_topic_with_another_policy_does_not_block_a_worker() -> None:
    pages = Wanted(DEAD, Size(), is_published_to=False)

    (finding,) = findings(pages, a_state(config={"cleanup.policy": "compact"}))

    assert not finding.is_blocking


def test_a_topic_of_doubtful_documents_is_required_when_it_is_named() -> None:
    size = Size(4, 1)
    usual = wanted_topics(TopicNames(), size)
    *others, doubtful = wanted_topics(TopicNames(doubtful="second.look"), size)

    assert tuple(others) == usual
    assert TopicNames().given() == tuple(each.spec.name for each in usual)
    assert doubtful.spec.name == "second.look"
    assert doubtful.spec.cleanup is CleanupPolicy.DELETE
    assert doubtful.is_published_to
