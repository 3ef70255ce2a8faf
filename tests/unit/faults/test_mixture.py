"""The plan of a mixture of faults."""

import subprocess
import sys

import pytest

from tests.faults.mixture import BOUNDS, LONG, SHORT, Kind, Size, plan

SEEDS = range(1, 21)


def test_a_seed_gives_the_same_plan_in_another_process() -> None:
    program = "from tests.faults.mixture import *; print(*plan(7, LONG), sep='\\n')"
    environment = {"PYTHONHASHSEED": "123", "PYTHONPATH": ":".join(sys.path)}

    output = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout

    assert output.splitlines() == [str(fault) for fault in plan(7, LONG)]


def test_seeds_give_different_plans() -> None:
    plans = {plan(seed, LONG) for seed in SEEDS}

    assert len(plans) == len(SEEDS)


@pytest.mark.parametrize("size", [LONG, SHORT])
def test_a_plan_has_the_wanted_number_of_faults_and_some_begin_together(size: Size) -> None:
    for seed in SEEDS:
        times = [fault.at_s for fault in plan(seed, size)]

        assert len(times) == size.single + size.at_once
        assert times == sorted(times)
        assert max(times.count(each) for each in times) >= size.at_once


def test_every_kind_falls_within_its_bounds_and_within_the_mixture() -> None:
    faults = [fault for seed in SEEDS for fault in plan(seed, LONG)]

    assert {fault.kind for fault in faults} == set(Kind)
    for fault in faults:
        bounds = BOUNDS[fault.kind]
        assert 0 <= fault.at_s <= LONG.length_s
        assert bounds.shortest_s <= fault.lasts_s <= bounds.longest_s
        assert fault.amount in bounds.amounts


def test_a_line_of_the_plan_names_fault_time_and_duration() -> None:
    lines = "\n".join(str(fault) for seed in SEEDS for fault in plan(seed, LONG))

    assert " s  broker frozen (target " in lines
    assert ", amount -7200) for " in lines
