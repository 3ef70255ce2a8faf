"""A topic refuses records as too large: no page is lost or repeated, and no worker ends.

A broker remembers the last sequence number of each partition that a producer has written to. So
each partition gets records before the first one that is refused.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)

from tests.faults.account import Account
from tests.faults.conftest import Record
from tests.faults.harness import BATCH_PAGES, Outcome, Scenario, exit_code
from tests.faults.settling import settle
from winnow.streams.deadletters import is_stub
from winnow.streams.records import Outgoing

MEGABYTE: Final = 1_000_000
LARGE_BYTES: Final = 1_500_000
URLS: Final = 60
FIRST_PAGES: Final = 200


def limit(
    of: Scenario | AdminClient, topic: str, most_bytes: int, setting: str = "max.message.bytes"
) -> None:
    """Set the size of the largest batch that a topic takes."""
    admin = (
        AdminClient({"bootstrap.servers": ",".join(of.connection.bootstrap)})
        if isinstance(of, Scenario)
        else of
    )
    entry = ConfigEntry(setting, str(most_bytes), incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    for done in admin.incremental_alter_configs([resource]).values():
        done.result(30)


def versions(scenario: Scenario, bodies: Iterator[bytes]) -> None:
    """Publish pages of a few URLs, each URL again and again."""
    first = len(scenario.expected)
    urls = [scenario.new_url() for _ in range(URLS)]
    assert first == len(scenario.expected) - URLS
    scenario.fill_records(
        Outgoing(scenario.names.pages, urls[number % URLS], body, ())
        for number, body in enumerate(bodies)
    )


def pages(count: int, large: bytes, large_bytes: int = LARGE_BYTES) -> Iterator[bytes]:
    """Yield pages of which some are invalid and one in twenty is large."""
    for number in range(count):
        kind = b"bad" if number % 5 == 1 else b"page"
        yield (
            large + b" %d " % number + b"x" * large_bytes
            if number % 20 == 13
            else (kind + b" %d" % number)
        )


def finish(scenario: Scenario, record: Record) -> tuple[Account, Outcome]:
    scenario.wait_until(scenario.is_done)
    settled, outcome = settle(scenario)
    record(outcome)
    assert settled.pages == settled.documents + settled.deleted + settled.skipped + settled.dead
    assert settled.unfounded == settled.mistaken == settled.out_of_order == ()
    return settled, outcome


def stubs(scenario: Scenario) -> int:
    return sum(is_stub(each.headers) for each in scenario.records(scenario.names.dead))


def test_a_topic_refuses_dead_letters(scenario: Scenario, record: Record) -> None:
    scenario.make_topics()
    limit(scenario, scenario.names.dead, MEGABYTE)
    versions(scenario, pages(800, b"bad"))
    scenario.start_worker()

    settled, outcome = finish(scenario, record)

    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert settled.dead == 800 // 5 + 800 // 20
    assert stubs(scenario) == 800 // 20


@pytest.mark.parametrize(
    ("setting", "most_bytes"), [("max.message.bytes", MEGABYTE), ("segment.bytes", 1 << 20)]
)
def test_a_topic_refuses_documents(
    scenario: Scenario, record: Record, setting: str, most_bytes: int
) -> None:
    scenario.make_topics()
    limit(scenario, scenario.names.documents, most_bytes, setting)
    versions(scenario, pages(800, b"page"))
    scenario.start_worker()

    settled, outcome = finish(scenario, record)

    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert scenario.reasons() == {"binary": 800 // 5, "too_large": 800 // 20}
    assert settled.documents == 800 - 800 // 5 - 800 // 20


def test_topics_refuse_documents_and_their_dead_letters(scenario: Scenario, record: Record) -> None:
    scenario.make_topics()
    limit(scenario, scenario.names.documents, MEGABYTE)
    limit(scenario, scenario.names.dead, MEGABYTE)
    versions(scenario, pages(800, b"page"))
    scenario.start_worker()

    _, outcome = finish(scenario, record)

    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert scenario.reasons() == {"binary": 800 // 5, "too_large": 800 // 20}
    assert stubs(scenario) == 800 // 20


@pytest.mark.parametrize("kind", ["documents", "stats", "dead"])
def test_a_topic_takes_batches_only_when_they_are_halved(
    scenario: Scenario, record: Record, kind: str
) -> None:
    """Every single record fits, but no batch does."""
    scenario.partitions = 1
    scenario.make_topics()
    limit(scenario, getattr(scenario.names, kind), 5_000 if kind == "stats" else 200_000)
    words = b"bad" if kind == "dead" else b"page"
    versions(scenario, (words + b" %d " % number + b"x" * 60_000 for number in range(400)))
    scenario.environment |= {"WINNOW_DEAD_RATIO": "1", "WINNOW_DEAD_CONSECUTIVE": str(10**9)}
    scenario.start_worker()

    settled, outcome = finish(scenario, record)

    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert settled.documents == (0 if kind == "dead" else 400)
    assert "too_large" not in scenario.reasons()


def test_the_limit_of_a_topic_is_lowered_under_a_worker(scenario: Scenario, record: Record) -> None:
    scenario.make_topics()
    versions(scenario, pages(FIRST_PAGES, b"page"))
    scenario.start_worker()
    scenario.wait_until(scenario.is_done)

    limit(scenario, scenario.names.documents, MEGABYTE)
    limit(scenario, scenario.names.dead, MEGABYTE)
    versions(scenario, pages(800, b"page"))

    settled, outcome = finish(scenario, record)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert settled.pages == 1000
    assert stubs(scenario) == 800 // 20


def test_a_topic_refuses_the_stub_of_a_dead_letter(scenario: Scenario, record: Record) -> None:
    """Nothing of the page could be kept: the worker ends and commits nothing of the batch."""
    scenario.make_topics()
    versions(scenario, (b"page %d" % number for number in range(FIRST_PAGES)))
    refused = scenario.start_worker()
    scenario.wait_until(scenario.is_done)
    before = sum(scenario.committed().values())

    limit(scenario, scenario.names.dead, 100)
    versions(scenario, (b"bad %d" % number for number in range(BATCH_PAGES)))
    assert exit_code(refused) == 1
    assert "refuses even the stub of a dead letter: run winnow topics check" in refused.output()
    assert sum(scenario.committed().values()) == before
    scenario.workers.remove(refused)
    limit(scenario, scenario.names.dead, MEGABYTE)
    scenario.start_worker()

    settled, _ = finish(scenario, record)
    assert settled.dead == BATCH_PAGES
