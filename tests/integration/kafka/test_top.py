"""`winnow top` on the real Kafka."""

import json
import subprocess

from tests.clocks import ManualClock
from tests.integration.kafka.conftest import SCRIPT, Deployment, Winnow, publish
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import Stage, dead_letter
from winnow.streams.operator.overview import Overview, rates
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Incoming, Outgoing


def pages(deployment: Deployment, count: int) -> list[Outgoing]:
    return [Outgoing(deployment.names.pages, b"%d" % n, b"page", ()) for n in range(count)]


def a_letter(deployment: Deployment, reason: Reason) -> Outgoing:
    record = Incoming(deployment.names.pages, 0, 0, b"key", b"page")
    return dead_letter(record, InvalidPage(reason), Stage.CLEAN, deployment.names.dead)


def test_a_look_shows_rates_lag_and_reasons_since_the_last_one(topics: Deployment) -> None:
    clock = ManualClock()
    overview = Overview(topics.connection, topics.names, topics.group, clock)
    publish(topics, *pages(topics, 10), a_letter(topics, Reason.EMPTY))
    before = overview.look()

    publish(topics, *pages(topics, 20), a_letter(topics, Reason.BUG), a_letter(topics, Reason.BUG))
    with TopicReader(topics.connection, topics.group) as reader:
        ends = {n: span.end for n, span in reader.spans(topics.names.pages).items()}
        busiest = max(ends, key=lambda number: ends[number])
        reader.commit(topics.names.pages, {busiest: ends[busiest]})
    clock.advance(2.0)
    now = overview.look()

    speed = rates(before, now)
    assert speed.published[topics.names.pages] == 10.0
    assert speed.done == ends[busiest] / 2
    assert sum(now.lag.values()) == 30 - ends[busiest]
    assert now.lag[busiest] == 0
    assert now.reasons == {"bug": 2}


def test_a_look_counts_deleted_records_and_gaps(topics: Deployment) -> None:
    names, clock = topics.names, ManualClock()
    overview = Overview(topics.connection, names, topics.group, clock)
    first = overview.look()

    publish(topics, *pages(topics, 300), a_letter(topics, Reason.BUG))
    stats = [Outgoing(names.stats, b"%d" % n, b"{}" if n % 10 else None, ()) for n in range(250)]
    publish(topics, *stats)
    in_flight = overview.look()
    with TopicReader(topics.connection, topics.group) as reader:
        ends = {n: span.end for n, span in reader.spans(names.pages).items()}
        reader.commit(names.pages, ends)
    done, quiet = overview.look(), overview.look()

    assert (first.deleted, first.skipped) == (0, 0)
    assert (in_flight.deleted, in_flight.skipped) == (25, 0)
    assert (done.deleted, done.skipped) == (0, 49)
    assert (quiet.deleted, quiet.skipped) == (0, 0)


def test_top_writes_one_json_line_per_look(winnow: Winnow, topics: Deployment) -> None:
    publish(topics, *pages(topics, 7))

    result = winnow("top", "--looks", "2", "--interval", "0.2", "--json")

    assert result.exit_code == 0, result.output
    assert [json.loads(line)["lag"] for line in result.output.splitlines()] == [7, 7]


def test_top_draws_tables_for_people(topics: Deployment) -> None:
    publish(topics, *pages(topics, 7))

    shown = subprocess.run(
        [SCRIPT, "top", "--looks", "1", "--interval", "0.2"],
        env=topics.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert f"done by {topics.group}" in shown
    assert "pages that wait" in shown
    assert "no page since start" in shown


def test_top_says_so_when_the_topics_are_missing(winnow: Winnow, deployment: Deployment) -> None:
    result = winnow("top", "--looks", "1")

    assert result.exit_code == 2
    assert f"{deployment.names.pages}: no such topic" in result.output
