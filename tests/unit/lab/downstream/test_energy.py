from pathlib import Path

import pytest

from lab.downstream.energy import break_even, kg_co2
from lab.downstream.indexes import costs_in


def test_equation_9() -> None:
    assert kg_co2(1000, 10) == pytest.approx(3.41)


def test_break_even_is_cost_over_savings() -> None:
    assert break_even(2.0, query_kg=1.0, base_query_kg=1.5) == pytest.approx(4.0)


def test_what_saves_nothing_never_pays() -> None:
    assert break_even(2.0, query_kg=1.5, base_query_kg=1.5) is None


def test_costs_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "costs.tsv").write_text("raw\t10\t1,2\t3,4\n")

    (costs,) = costs_in(tmp_path).values()

    assert (costs.index_bytes, costs.build_ns, costs.search_ns) == (10, (1, 2), (3, 4))
