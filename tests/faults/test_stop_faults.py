"""Members are stopped at any moment of a rebalance, repeatedly."""

import random
import signal
import time
from dataclasses import dataclass, field
from typing import Final

import pytest

from tests.faults.conftest import Record
from tests.faults.harness import GRACE_S, Scenario
from tests.services.processes import ServerProcess

PAGES: Final = 1500
MORE_PAGES: Final = 600
PAGE_MS: Final = 15
REBALANCE_S: Final = 1.5  # from the start of a member, or the stop of one, to the end of its effect


@dataclass(slots=True)
class Rounds:
    """A group of two of which one or both are replaced each round.

    Attributes:
        unclean: code and output of each that did not end as it should.
    """

    scenario: Scenario
    moments: random.Random
    group: list[ServerProcess] = field(default_factory=list)
    unclean: list[str] = field(default_factory=list)

    def run(self, rounds: int) -> None:
        """Let a member join in every other round, and one leave in the others."""
        self.group = [self._start(), self._start()]
        for number in range(rounds):
            self.scenario.wait_ready(*self.group)
            if self.scenario.share_done() > 0.9:
                self.scenario.fill(b"page %d %d" % (number, page) for page in range(MORE_PAGES))
            if number % 2 == 0:
                self._stop_one_while_another_joins()
            else:
                self._stop_one_while_another_leaves()

    def _stop_one_while_another_joins(self) -> None:
        joining = self._start()
        self.scenario.wait_until(lambda: '"worker_started"' in joining.output())
        self._wait()
        self._end(self.group.pop(0))
        self.group.append(joining)

    def _stop_one_while_another_leaves(self) -> None:
        leaving, stopped = self.group
        self.group = []
        self.scenario.workers.remove(leaving)
        leaving.signal(signal.SIGTERM)
        self._wait()
        self._end(stopped)
        self._note(leaving, leaving.wait(GRACE_S + 30))
        self.group = [self._start(), self._start()]

    def _wait(self) -> None:
        time.sleep(self.moments.uniform(0.0, REBALANCE_S))

    def _start(self) -> ServerProcess:
        return self.scenario.start_worker(page_ms=PAGE_MS)

    def _end(self, worker: ServerProcess) -> None:
        self._note(worker, self.scenario.end_worker(worker))

    def _note(self, worker: ServerProcess, code: int) -> None:
        if code or "Traceback" in worker.output():
            self.unclean.append(f"exit code {code}\n{worker.output()[-3000:]}")


@pytest.mark.parametrize(
    ("seed", "rounds"),
    [(0, 6), (1, 50), (2, 50), (3, 50), (4, 50)],
    ids=["six rounds", "seed 1", "seed 2", "seed 3", "seed 4"],
)
def test_stopped_in_rebalances(scenario: Scenario, record: Record, seed: int, rounds: int) -> None:
    scenario.seed = seed
    scenario.prepare(PAGES, body_bytes=200)
    members = Rounds(scenario, random.Random(seed))

    members.run(rounds)

    outcome = scenario.finish()
    record(outcome)
    assert members.unclean == []
    assert outcome.restarts == 0
    assert outcome.exit_s <= GRACE_S
