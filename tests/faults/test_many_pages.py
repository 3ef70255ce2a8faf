"""Many pages, cleaned as they are in production: real ones while workers are killed, full ones."""

import random
from itertools import cycle, islice, repeat
from pathlib import Path
from typing import Final

import orjson
import pytest

from tests.faults.conftest import Record
from tests.faults.harness import PROCESS_BYTES, Scenario
from winnow.lab.sets.labelled import labelled_pages
from winnow.models.errors import Reason
from winnow.models.page import DEFAULT_LIMITS
from winnow.streams.kafka.tuning import Compression

PAGES: Final = 100_000
BATCH_PAGES: Final = 128
KILL_EVERY_S: Final = 20
FULL_PAGE_BYTES: Final = 150_000
MOST_NODES_MIB: Final = {
    "hybrid": 640,
    "web2text": 800,
}  # docs/operations.md, Sizing


def as_in_production(scenario: Scenario) -> None:
    scenario.in_production()
    scenario.environment["WINNOW_BATCH_PAGES"] = str(BATCH_PAGES)
    scenario.partitions = 8


@pytest.mark.timeout(3600)
def test_a_hundred_thousand_pages_with_a_kill_every_twenty_seconds(
    scenario: Scenario, shared: Path, record: Record
) -> None:
    as_in_production(scenario)
    bodies = [page.html for page in labelled_pages(shared / "pages" / "dragnet.tar.zst")]
    scenario.make_topics()
    scenario.fill(islice(cycle(bodies), PAGES))
    chooser = random.Random(scenario.seed)
    kills = 0

    for _ in range(2):
        scenario.start_worker()
    while scenario.share_done() < 0.95:
        scenario.let_pass(KILL_EVERY_S)
        scenario.kill_worker(chooser.choice(scenario.workers))
        scenario.start_worker()
        kills += 1
    scenario.wait_ready(*scenario.workers)  # one that does not listen yet is killed by SIGTERM

    outcome = scenario.finish()
    record(outcome)
    assert kills > 2
    assert outcome.repeated <= kills * BATCH_PAGES
    assert outcome.peak_bytes <= PROCESS_BYTES
    # no page counted as the cause of a death
    assert not scenario.reasons().keys() & {Reason.BUG, Reason.TIMEOUT}


@pytest.mark.parametrize(
    "sentence", [b"A b. ", b"The bees find more flowers in the city than outside. "]
)
def test_pages_of_only_text_stay_within_the_memory_of_a_process(
    scenario: Scenario, record: Record, sentence: bytes
) -> None:
    as_in_production(scenario)
    scenario.make_topics()
    body = b"<title>Full</title><p>" + sentence * (FULL_PAGE_BYTES // len(sentence))
    scenario.fill(repeat(body, 800), Compression.NONE)
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert outcome.peak_bytes <= PROCESS_BYTES


ALL_THAT_ADDS: Final = {
    "format": "markdown",
    "links": "keep",
    "images": "keep",
    "quality": True,
    "sources": True,
}
PROSE: Final = "The bees find more flowers in the city than outside, says the keeper. "
LINKED: Final = {
    "own addresses": "".join(
        f"<p>{PROSE}<a href=/hives/{at}>bees</a> {PROSE}<img src=/{at}.png alt=hive>"
        for at in range(700)
    ),
    "links alone": "".join(f"<p><a href=/hives/{at}>The bees fly</a>" for at in range(4000)),
    "short references to a long base": f"<base href=http://hives.invalid/{'a' * 1500}/>"
    + "".join(f"<p>{PROSE}<a href=a{at}>bees</a> {PROSE}" for at in range(800)),
}


@pytest.mark.parametrize("linked", LINKED.values(), ids=LINKED)
def test_pages_of_links_stay_within_the_memory_of_a_process_with_all_that_adds_to_documents(
    scenario: Scenario, record: Record, linked: str
) -> None:
    as_in_production(scenario)
    scenario.folder.mkdir(parents=True, exist_ok=True)
    options = scenario.folder / "options.json"
    options.write_bytes(orjson.dumps(ALL_THAT_ADDS))
    scenario.environment["WINNOW_OPTIONS"] = str(options)
    scenario.make_topics()
    scenario.fill(repeat(f"<title>Full</title>{linked}".encode(), 600), Compression.NONE)
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert not scenario.reasons()
    assert outcome.peak_bytes <= PROCESS_BYTES


@pytest.mark.parametrize("engine", MOST_NODES_MIB)
def test_pages_of_as_many_elements_as_a_page_may_have(
    scenario: Scenario, record: Record, engine: str
) -> None:
    as_in_production(scenario)
    scenario.environment["WINNOW_ENGINE"] = engine
    scenario.process_mib = MOST_NODES_MIB[engine]
    scenario.make_topics()
    elements = DEFAULT_LIMITS.nodes // 2 - 100  # each holds a text, which is a node too
    scenario.fill(repeat(b"<title>Full</title>" + b"<p>A b." * elements, 80))
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.repeated, outcome.restarts) == (0, 0)
    assert not scenario.reasons()
    assert outcome.peak_bytes <= MOST_NODES_MIB[engine] << 20
