"""`winnow topics` and the check before a worker starts, on the real Kafka."""

import json
from typing import Any

import pytest
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)
from confluent_kafka.cimpl import NewTopic

from tests.integration.kafka.conftest import Deployment, Winnow
from winnow.streams.errors import KafkaUnavailable, UnfitTopics
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.admin import require_topics
from winnow.streams.topics import MAX_RECORD_BYTES, TopicNames


def described(winnow: Winnow) -> dict[str, Any]:
    """Return what `check` says, by topic."""
    output = winnow("topics", "check", "--json").output
    return {each["topic"]: each for each in json.loads(output)["topics"]}


def make_topic(deployment: Deployment, name: str, partitions: int, **config: str) -> None:
    admin = AdminClient({"bootstrap.servers": deployment.bootstrap})
    settings = {key.replace("_", "."): value for key, value in config.items()}
    topic = NewTopic(name, partitions, 1, config=settings)
    admin.create_topics([topic], operation_timeout=10)[name].result(10)
    while name not in admin.list_topics(timeout=10).topics:  # brokers learn of it a moment later
        admin.poll(0.05)


def change_config(deployment: Deployment, topic: str, name: str, value: str) -> None:
    admin = AdminClient({"bootstrap.servers": deployment.bootstrap})
    entry = ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    admin.incremental_alter_configs([resource])[resource].result(10)


def test_create_makes_topics_that_check_finds_fit(winnow: Winnow, deployment: Deployment) -> None:
    created = winnow("topics", "create", "--partitions", "5")

    assert created.exit_code == 0
    topics = described(winnow)
    assert {each["partitions"] for each in topics.values()} == {5}
    policies = [topics[name]["config"]["cleanup.policy"] for name in deployment.all_topics()]
    assert policies == ["delete", "compact", "compact", "delete"]
    assert winnow("topics", "check").exit_code == 0


def test_create_changes_nothing_when_it_is_run_again(winnow: Winnow, topics: Deployment) -> None:
    before = described(winnow)

    again = winnow("topics", "create", "--partitions", "4", "--json")

    assert again.exit_code == 0
    assert [each["done"] for each in json.loads(again.output)["topics"]] == [[], [], [], []]
    assert described(winnow) == before


def test_create_never_shrinks_a_topic_that_is_larger_than_wanted(
    winnow: Winnow, deployment: Deployment
) -> None:
    pages = deployment.names.pages
    make_topic(deployment, pages, 9, max_message_bytes="50000000", retention_ms="-1")

    result = winnow("topics", "create", "--partitions", "2")

    assert result.exit_code == 0
    topic = described(winnow)[pages]
    assert topic["partitions"] == 9
    assert topic["config"]["max.message.bytes"] == "50000000"
    assert topic["config"]["retention.ms"] == "-1"


def test_create_mends_what_is_too_small(winnow: Winnow, deployment: Deployment) -> None:
    dead = deployment.names.dead
    make_topic(deployment, dead, 1, max_message_bytes="1000", retention_ms="5000")

    result = winnow("topics", "create", "--partitions", "3")

    assert result.exit_code == 0, result.output
    topic = described(winnow)[dead]
    assert topic["findings"] == []
    assert topic["partitions"] == 1


def test_create_leaves_the_partitions_of_a_topic_alone_and_says_so(
    winnow: Winnow, topics: Deployment
) -> None:
    before = described(winnow)

    result = winnow("topics", "create")

    assert result.exit_code == 0
    assert described(winnow) == before
    assert result.stderr.splitlines() == [
        f"{name}: keeps its 4 partitions, fewer than 12: --grow adds them, and keys move to other "
        "partitions"
        for name in (topics.names.pages, topics.names.dead)
    ]


def test_create_grows_topics_but_not_the_compacted_ones(winnow: Winnow, topics: Deployment) -> None:
    result = winnow("topics", "create", "--partitions", "6", "--grow")

    assert (result.exit_code, result.stderr) == (0, "")
    partitions = [described(winnow)[name]["partitions"] for name in topics.all_topics()]
    assert partitions == [6, 4, 4, 6]


def test_create_reports_a_cleanup_policy_and_leaves_it(
    winnow: Winnow, deployment: Deployment
) -> None:
    make_topic(deployment, deployment.names.documents, 4, cleanup_policy="delete")

    created = winnow("topics", "create", "--partitions", "4")
    checked = winnow("topics", "check")

    problem = f"{deployment.names.documents}: cleanup.policy delete, must be compact"
    assert problem in created.output
    assert problem in checked.output
    assert (created.exit_code, checked.exit_code) == (0, 1)


def test_check_names_every_topic_that_is_missing(winnow: Winnow, deployment: Deployment) -> None:
    result = winnow("topics", "check")

    assert result.exit_code == 1
    for name in deployment.all_topics():
        assert f"{name}: topic missing" in result.output


def test_a_worker_may_start_when_the_topics_are_fit(topics: Deployment) -> None:
    require_topics(topics.connection, topics.names)


def test_a_worker_must_not_start_when_a_topic_cannot_hold_its_messages(
    winnow: Winnow, deployment: Deployment
) -> None:
    make_topic(deployment, deployment.names.documents, 4, cleanup_policy="compact")
    for name in (deployment.names.pages, deployment.names.stats, deployment.names.dead):
        make_topic(deployment, name, 4, max_message_bytes="10485760")

    with pytest.raises(UnfitTopics) as refusal:
        require_topics(deployment.connection, deployment.names)

    assert f"{deployment.names.documents}: max.message.bytes is 1048588" in str(refusal.value)
    assert deployment.names.dead not in str(refusal.value)


def test_a_worker_must_not_start_when_dead_letters_are_compacted(
    winnow: Winnow, topics: Deployment
) -> None:
    change_config(topics, topics.names.dead, "cleanup.policy", "compact")

    refused = winnow("worker")

    problem = f"winnow: {topics.names.dead}: cleanup.policy is compact, must be delete\n"
    assert (refused.exit_code, refused.stderr) == (2, problem)
    assert winnow("topics", "create").exit_code == 1


def test_a_worker_must_not_start_when_a_topic_is_missing(deployment: Deployment) -> None:
    with pytest.raises(UnfitTopics, match=f"{deployment.names.dead}: topic is missing"):
        require_topics(deployment.connection, deployment.names)


@pytest.mark.integration
def test_the_reason_is_reported_when_no_broker_answers() -> None:
    nobody = Connection(("127.0.0.1:1",))

    with pytest.raises(KafkaUnavailable, match="connection refused"):
        require_topics(nobody, TopicNames(), timeout_s=1.0)


@pytest.mark.parametrize("arguments", [("--partitions", "0"), ("--replication", "-1"), ("--what",)])
def test_create_refuses_wrong_usage(winnow: Winnow, arguments: tuple[str, ...]) -> None:
    assert winnow("topics", "create", *arguments).exit_code == 2


def test_wrong_settings_are_wrong_usage(winnow: Winnow) -> None:
    result = winnow("topics", "check", WINNOW_KAFKA_BOOTSTRAP="", WINNOW_TOPIC_DEAD="no/name")

    assert result.exit_code == 2
    assert "WINNOW_KAFKA_BOOTSTRAP: must be set" in result.output
    assert "WINNOW_TOPIC_DEAD" in result.output


def test_worker_refuses_topics_that_cannot_hold_its_largest_message(
    winnow: Winnow, topics: Deployment
) -> None:
    for name, size in ((topics.names.documents, "1048588"), (topics.names.pages, "1048588")):
        change_config(topics, name, "max.message.bytes", size)

    refused = winnow("worker")

    assert refused.exit_code == 2
    # too small a pages topic refuses the crawler's record, so no page is lost
    assert refused.stderr == (
        f"winnow: {topics.names.documents}: max.message.bytes is 1048588, "
        f"must be {MAX_RECORD_BYTES}: run winnow topics create to fix this\n"
    )
    assert winnow("topics", "create").exit_code == 0
    require_topics(topics.connection, topics.names)
