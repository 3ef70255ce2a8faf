"""Workers that end in every phase of a batch, deploys, and members that come and go."""

import signal

import pytest

from tests.faults.child import Phase
from tests.faults.conftest import Record
from tests.faults.harness import BATCH_PAGES, GRACE_S, Scenario, exit_code
from winnow.streams.isolation import MAX_CRASHES


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
def test_stopped_while(scenario: Scenario, record: Record, phase: Phase) -> None:
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


def test_scaled_from_one_to_three_to_one(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=3000)
    scenario.start_worker(page_ms=2)
    scenario.wait_for_share(0.1)

    others = [scenario.start_worker(page_ms=2) for _ in range(2)]
    scenario.wait_ready(*others)
    codes = [scenario.end_worker(worker) for worker in others]

    outcome = scenario.finish()
    record(outcome)
    assert codes == [0, 0]
    assert outcome.repeated <= 3 * BATCH_PAGES
    assert outcome.exit_s <= GRACE_S


def test_two_deploys_in_a_row(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=4000)
    old = [scenario.start_worker(page_ms=2) for _ in range(2)]

    for share in (0.1, 0.3):
        scenario.wait_for_share(share)
        new = []
        for worker in old:  # one by one, as a rolling update does
            new.append(scenario.start_worker(page_ms=2))
            scenario.wait_ready(new[-1])
            assert scenario.end_worker(worker) == 0
        old = new

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= 2 * BATCH_PAGES
    assert outcome.exit_s <= GRACE_S


def test_killed_again_and_again(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=4000)
    workers = [scenario.start_worker(page_ms=2) for _ in range(2)]

    for share in (0.1, 0.25, 0.4, 0.55):
        scenario.wait_for_share(share)
        scenario.kill_worker(workers.pop(0))
        workers.append(scenario.start_worker(page_ms=2))
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= 4 * BATCH_PAGES


def test_frozen_past_its_session(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=3000)
    frozen = scenario.start_worker(page_ms=2)
    scenario.wait_for_share(0.1)

    frozen.freeze()
    scenario.start_worker(page_ms=2)
    scenario.wait_for_recovery()
    frozen.thaw()  # a member that was declared dead and does not know it

    outcome = scenario.finish()
    record(outcome)
    assert outcome.repeated <= BATCH_PAGES  # it learns of it no later than at its next commit


def test_a_native_call_that_hangs(scenario: Scenario, record: Record) -> None:
    scenario.prepare(pages=600)
    scenario.fill([b"hang here once"])
    scenario.fill(b"page after %d" % number for number in range(600))
    stuck = scenario.start_worker(hangs=1)
    scenario.wait_until(lambda: "hangs now" in stuck.output())

    scenario.end_worker(stuck)
    scenario.start_worker()
    scenario.wait_for_recovery()

    outcome = scenario.finish()
    record(outcome)
    assert outcome.exit_s <= GRACE_S
    assert outcome.repeated <= BATCH_PAGES


@pytest.mark.parametrize(
    ("poison", "reason"), [(b"hang", "timeout"), (b"crash", "bug")], ids=["hangs", "crashes"]
)
def test_a_page_on_which_every_process(
    scenario: Scenario, record: Record, poison: bytes, reason: str
) -> None:
    scenario.environment |= {"FAULT_HANGS": "always", "WINNOW_STUCK_SECONDS": "5"}
    scenario.prepare(pages=600)
    scenario.fill([poison + b" here always"])
    scenario.fill(b"page after %d" % number for number in range(600))
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    # once with its batch, twice alone; then it is a dead letter, and the others have gone on
    assert outcome.restarts == MAX_CRASHES
    assert scenario.reasons()[reason] == 1
    assert outcome.repeated <= MAX_CRASHES * BATCH_PAGES
