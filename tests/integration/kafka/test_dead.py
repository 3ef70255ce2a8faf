"""`winnow dead` on the real Kafka: above all, that a replay loses nothing."""

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.integration.kafka.conftest import SCRIPT, Deployment, Winnow, held, publish
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import Stage, attempts_of, dead_letter, stub
from winnow.streams.operator.replay import COMMIT_EVERY
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Headers, Incoming, Outgoing


def a_letter(
    deployment: Deployment,
    number: int,
    reason: Reason = Reason.BUG,
    stage: Stage = Stage.CLEAN,
    headers: Headers = (),
) -> Outgoing:
    url = b"https://example.org/%d" % number
    record = Incoming(deployment.names.pages, 0, number, url, b"page %d" % number, headers)
    return dead_letter(record, InvalidPage(reason, "a detail"), stage, deployment.names.dead)


def summary(winnow: Winnow, *arguments: str) -> dict[str, Any]:
    result = winnow("dead", "replay", "--json", *arguments)
    assert result.exit_code in {0, 1}, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return {name: count for name, count in found.items() if count and name != "dry_run"}


def bodies(deployment: Deployment) -> list[bytes]:
    return sorted(record.value or b"" for record in held(deployment, deployment.names.pages))


def test_list_shows_letters_and_counts_them_by_reason(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, a_letter(topics, 1), a_letter(topics, 2, Reason.EMPTY, Stage.DECODE))

    result = winnow("dead", "list")

    assert result.exit_code == 0
    assert "https://example.org/1" in result.output
    assert "2  in all" in result.output


def test_list_takes_only_what_was_asked_for(winnow: Winnow, topics: Deployment) -> None:
    publish(
        topics,
        a_letter(topics, 1, Reason.BUG),
        a_letter(topics, 2, Reason.TIMEOUT),
        a_letter(topics, 12, Reason.TIMEOUT),
    )

    result = winnow("dead", "list", "--json", "--reason", "timeout", "--url", "/1")

    letters = [json.loads(line) for line in result.output.splitlines()]
    assert [letter["url"] for letter in letters] == ["https://example.org/12"]
    assert letters[0]["reason"] == "timeout"
    assert letters[0]["source"] == f"{topics.names.pages}/0/12"


def test_show_writes_the_page_byte_for_byte(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, a_letter(topics, 1))
    place = json.loads(winnow("dead", "list", "--json").output)["place"]

    shown = winnow("dead", "show", place)
    body = winnow("dead", "show", place, "--body")

    assert "reason: bug" in shown.output
    assert "detail: a detail" in shown.output
    assert body.stdout_bytes == b"page 1"


def test_show_says_so_when_there_is_no_such_letter(winnow: Winnow, topics: Deployment) -> None:
    assert winnow("dead", "show", "0/99").exit_code == 1
    assert winnow("dead", "show", "77/0").exit_code == 1
    assert winnow("dead", "show", "0").exit_code == 2


def test_replay_publishes_key_bytes_and_headers_of_the_original(
    winnow: Winnow, topics: Deployment
) -> None:
    headers: Headers = (("fetched-at", b"2026"), ("x", b"1"), ("x", b"2"))
    publish(topics, a_letter(topics, 1, headers=headers))

    assert summary(winnow) == {"replayed": 1}

    [page] = held(topics, topics.names.pages)
    assert (page.key, page.value) == (b"https://example.org/1", b"page 1")
    assert page.headers == (*headers, ("attempts", b"1"))


def test_replay_does_nothing_when_it_is_run_again(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, *(a_letter(topics, number) for number in range(20)))

    first, second = summary(winnow), summary(winnow)

    assert (first, second) == ({"replayed": 20}, {})
    assert len(bodies(topics)) == 20


def test_replay_starts_over_when_asked_to(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, a_letter(topics, 1))
    summary(winnow)

    assert summary(winnow, "--from-beginning") == {"replayed": 1}


def test_a_dry_run_publishes_nothing_and_passes_nothing(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, a_letter(topics, 1), a_letter(topics, 2))

    previewed = summary(winnow, "--dry-run")

    assert previewed == {"replayed": 2}
    assert bodies(topics) == []
    assert summary(winnow) == {"replayed": 2}


def test_letters_of_another_reason_are_still_there_for_their_own_replay(
    winnow: Winnow, topics: Deployment
) -> None:
    publish(topics, a_letter(topics, 1, Reason.BUG), a_letter(topics, 2, Reason.TIMEOUT))

    bugs = summary(winnow, "--reason", "bug")
    timeouts = summary(winnow, "--reason", "timeout")

    assert bugs == {"replayed": 1, "other": 1}
    assert timeouts == {"replayed": 1, "other": 1}
    assert bodies(topics) == [b"page 1", b"page 2"]


def test_a_page_that_always_fails_is_given_up(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, a_letter(topics, 1))

    runs = []
    for _ in range(5):
        runs.append(summary(winnow))
        # the worker fails again on the last replayed letter
        pages = held(topics, topics.names.pages)
        newest = max(pages, key=attempts_of)
        if len(runs) == len(pages):
            error = InvalidPage(Reason.BUG)
            publish(topics, dead_letter(newest, error, Stage.CLEAN, topics.names.dead))

    assert runs == [{"replayed": 1}, {"replayed": 1}, {"too_often": 1}, {}, {}]


def test_letters_that_come_during_a_replay_are_not_part_of_it(
    winnow: Winnow, topics: Deployment
) -> None:
    publish(topics, a_letter(topics, 1))
    with TopicReader(topics.connection, "test") as reader:
        spans = reader.spans(topics.names.dead)
        publish(topics, a_letter(topics, 2))

        read = [each.record.value for each in reader.read(topics.names.dead, spans)]

    assert read == [b"page 1"]


def test_a_stub_is_replayed_as_the_original_it_points_to(
    winnow: Winnow, topics: Deployment
) -> None:
    publish(topics, Outgoing(topics.names.pages, b"https://example.org/", b"original", ()))
    [original] = held(topics, topics.names.pages)
    error = InvalidPage(Reason.TOO_LARGE)
    publish(topics, stub(original, error, Stage.DECODE, topics.names.dead))

    assert summary(winnow) == {"replayed": 1}

    assert bodies(topics) == [b"original", b"original"]


def test_a_stub_is_reported_when_its_original_is_gone(winnow: Winnow, topics: Deployment) -> None:
    gone = Incoming(topics.names.pages, 0, 12345, b"https://example.org/", b"gone")
    publish(topics, stub(gone, InvalidPage(Reason.TOO_LARGE), Stage.DECODE, topics.names.dead))

    result = winnow("dead", "replay")

    assert result.exit_code == 1
    assert f"{topics.names.pages}/0/12345: the original is gone" in result.output


def test_nothing_is_skipped_when_the_pages_topic_refuses_a_letter(
    winnow: Winnow, topics: Deployment
) -> None:
    publish(topics, *(a_letter(topics, number) for number in range(10)))

    refused = winnow("dead", "replay", WINNOW_TOPIC_PAGES=f"{topics.names.pages}-missing")

    assert refused.exit_code == 1
    assert "10 dead letters were not replayed" in refused.output
    assert summary(winnow) == {"replayed": 10}


@pytest.mark.parametrize("published", [1, 2000, 4000])
def test_a_killed_replay_loses_no_letter(
    winnow: Winnow, topics: Deployment, published: int
) -> None:
    publish(topics, *(a_letter(topics, number) for number in range(8000)))
    command = [SCRIPT, "dead", "replay"]
    replay = subprocess.Popen(command, env=topics.environment, stdout=subprocess.DEVNULL)
    with TopicReader(topics.connection, "test") as reader:
        while sum(span.end for span in reader.spans(topics.names.pages).values()) < published:
            assert replay.poll() is None

    replay.send_signal(signal.SIGKILL)
    killed = replay.wait()
    summary(winnow)

    assert killed == -signal.SIGKILL
    assert set(bodies(topics)) == {b"page %d" % number for number in range(8000)}
    assert len(bodies(topics)) <= 8000 + COMMIT_EVERY
