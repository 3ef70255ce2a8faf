"""Workers that end in every phase of a batch, deploys, and members that come and go."""

import signal

import pytest

from tests.faults.child import Phase
from tests.faults.conftest import Record
from tests.faults.harness import BATCH_PAGES, GRACE_S, Scenario, exit_code


@pytest.mark.parametrize("phase", list(Phase))
def test_killed_while(scenario: Scenario, record: Record, phase: Phase) -> None:
    scenario.prepare(pages=600)
    killed = scenario.start_worker(phase=phase, signal="SIGKILL", batch=4)

    assert exit_code(killed) == -signal.SIGKILL
    scenario.workers.remove(killed)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= BATCH_PAGES


@pytest.mark.parametrize("phase", list(Phase))
def test_told_to_stop_while(scenario: Scenario, record: Record, phase: Phase) -> None:
    scenario.prepare(pages=600)
    stopped = scenario.start_worker(phase=phase, signal="SIGTERM", batch=4)

    assert exit_code(stopped) == 0
    scenario.workers.remove(stopped)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated == 0
    assert outcome.exit_s <= GRACE_S
