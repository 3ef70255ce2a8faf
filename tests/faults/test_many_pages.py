"""A hundred thousand real pages, cleaned as they are in production, while workers are killed."""

import os
import random
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import pytest

from models.errors import Reason
from tests.faults.conftest import Record
from tests.faults.harness import PROCESS_BYTES, Scenario
from worker.labelled import labelled_pages

PAGES: Final = 100_000
BATCH_PAGES: Final = 128
KILL_EVERY_S: Final = 20


@pytest.mark.timeout(3600)
def test_a_hundred_thousand_pages_with_a_kill_every_twenty_seconds(
    scenario: Scenario, shared: Path, record: Record
) -> None:
    scenario.program = ("worker.child", "1", str(os.getpid()), "0")
    scenario.environment["WINNOW_BATCH_PAGES"] = str(BATCH_PAGES)
    scenario.partitions = 8
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
    # none was taken for the cause of a death
    assert not scenario.reasons().keys() & {Reason.BUG, Reason.TIMEOUT}
