"""Workers that have done all pages -> the account of every page, and a row of the table."""

import sys
from dataclasses import replace

from tests.faults.account import Account
from tests.faults.harness import Outcome, Scenario


def settle(scenario: Scenario) -> tuple[Account, Outcome]:
    """Stop the workers and settle the account of all four topics."""
    scenario.wait_until(lambda: not scenario.ending)
    for worker in list(scenario.workers):
        scenario.end_worker(worker)
    settled = scenario.settle_account()
    sys.stdout.write(f"{replace(settled, lost=settled.lost[:20])}\n")
    outcome = Outcome(
        scenario.name,
        scenario.seed,
        settled.pages,
        settled.deleted,
        settled.skipped,
        len(settled.lost),
        settled.repeated,
        scenario.recovery_s,
        scenario.restarts,
        scenario.exit_s,
        scenario.peak_bytes,
        scenario.exit_codes,
    )
    return settled, outcome
