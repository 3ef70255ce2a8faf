from pathlib import Path

import pytest

from winnow.lab.downstream.energy import Work, break_even, kg_co2, table
from winnow.lab.downstream.indexes import Costs, costs_in
from winnow.lab.downstream.variants import VARIANTS


def test_equation_9() -> None:
    assert kg_co2(1000, 10) == pytest.approx(3.41)


def test_break_even_is_cost_over_savings() -> None:
    assert break_even(2.0, query_kg=1.0, base_query_kg=1.5) == pytest.approx(4.0)


def test_cleaning_without_savings_never_pays() -> None:
    assert break_even(2.0, query_kg=1.5, base_query_kg=1.5) is None


def test_costs_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "costs.tsv").write_text("raw\t10\t1,2\t3,4\n")

    (costs,) = costs_in(tmp_path).values()

    assert (costs.index_bytes, costs.build_ns, costs.search_ns) == (10, (1, 2), (3, 4))


def test_table_compares_the_cost_of_cleaning_with_savings_per_query() -> None:
    works = {name: Work(0.001, None) for name in VARIANTS}
    costs = {name: Costs(1, (1,), (10**9 if name == "raw" else 5 * 10**8,)) for name in VARIANTS}

    found = dict(table(works, costs, 10, 7).rows)

    # a million pages are 1000 s of CPU, a million queries save 50 s
    assert found["hybrid"] == ("1.0", "0.28", "0.0009", "not counted", "0.0000", "20.0 M")
    assert found["raw"][-1] == "-"


def test_joules_are_read_when_the_processor_has_counters() -> None:
    works = {name: Work(0.001, 0.018) for name in VARIANTS}
    costs = {name: Costs(1, (1,), (10**9,)) for name in VARIANTS}

    found = dict(table(works, costs, 10, 7).rows)

    assert found["hybrid"][3:] == ("0.005 kWh", "0.0001", "never")
