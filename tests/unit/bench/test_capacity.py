"""The capacity model: the needs of a rate, and how well one process predicts two."""

import pytest

from bench.capacity.model import Stated, capacity, check, page_cpu_us
from bench.capacity.waits import Waits
from bench.speed.stream_parts import part_of

COSTS = {
    "page_cpu_us": 1400.0,
    "page_bytes": 70_000.0,
    "document_bytes": 4_000.0,
    "stats_bytes": 1_000.0,
    "redis_bytes": 3_000.0,
    "pss_mib": 200.0,
    "private_mib": 150.0,
}


def test_a_rate_needs_cores_by_cpu_and_brokers_by_bytes() -> None:
    needs = capacity(1000, COSTS, pod_mib=512, stated=Stated(0.7, 0.05))

    assert needs.processes == 2
    assert needs.partitions == 3
    assert needs.memory_gib == 1.0
    assert needs.brokers_in_mb == pytest.approx(3 * 75.0)
    assert needs.brokers_out_mb == pytest.approx(70.0 + 2 * 75.0)
    assert needs.redis_mb == pytest.approx(3.0)
    assert needs.million_pages == pytest.approx(1400 / 0.7 / 3600 * 0.05)


def test_ten_times_the_pages_need_ten_times_the_bytes_for_the_same_price() -> None:
    one, ten = (capacity(rate, COSTS, 512, Stated()) for rate in (1000, 10_000))

    assert ten.brokers_in_mb == pytest.approx(10 * one.brokers_in_mb)
    assert ten.million_pages == one.million_pages


def test_figures_far_from_the_forecast_are_marked() -> None:
    two = COSTS | {"page_cpu_us": 2100.0, "pss_mib": 350.0}

    rows = check({"1": COSTS, "2": two}).splitlines()

    assert rows[0] == "| CPU per page, µs | 1,400 | 2,100 | +50% **off** |"
    assert rows[1] == "| memory of both (PSS), MiB | 350 | 350 | +0% |"


def test_the_cpu_of_a_page_comes_from_the_last_measures() -> None:
    assert 100 < page_cpu_us() < 100_000


def test_quantiles_of_waits_are_accurate_to_five_percent() -> None:
    waits = Waits()
    for wait in range(1, 1001):
        waits.add(wait / 10, 3)

    assert waits.pages == 3000
    assert waits.mean_s == pytest.approx(50.05)
    assert waits.quantile_s(0.5) == pytest.approx(50.0, rel=0.05)
    assert waits.quantile_s(0.99) == pytest.approx(99.0, rel=0.05)
    assert waits.quantile_s(1.0) == waits.most_s == 100.0


def test_code_outside_the_stream_is_other() -> None:
    assert part_of(None) == "other"
