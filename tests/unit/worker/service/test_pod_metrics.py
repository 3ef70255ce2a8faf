"""The sum of the metrics of several processes."""

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from winnow.worker.service.metrics import ALL_METRICS, Metrics
from winnow.worker.service.pod import summed


def exposition(documents: int, share_kept: float) -> str:
    metrics = Metrics()
    metrics.pages.labels("document").inc(documents)
    metrics.share_kept.observe(share_kept)
    metrics.in_flight_pages.set(documents)
    metrics.build.info({"version": "1", "fingerprint": "f"})
    return generate_latest(metrics.registry).decode()


def values(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_summed_adds_counters_gauges_and_buckets_and_keeps_information() -> None:
    one = exposition(3, 0.25)
    other = exposition(4, 0.85).replace('fingerprint="f"', 'fingerprint="g"')

    total = values(summed([one, other]).decode())

    assert total["winnow_pages_totaldocument"] == 7
    assert total["winnow_in_flight_pages"] == 7
    assert total["winnow_share_kept_count"] == 2
    assert total["winnow_share_kept_bucket0.3"] == 1
    assert total["winnow_share_kept_bucket+Inf"] == 2
    assert (total["winnow_build_info1f"], total["winnow_build_info1g"]) == (1, 1)


def test_summed_keeps_a_label_that_only_one_process_has() -> None:
    metrics = Metrics()
    metrics.pages.labels("dead").inc()

    total = values(
        summed([exposition(3, 0.5), generate_latest(metrics.registry).decode()]).decode()
    )

    assert (total["winnow_pages_totaldocument"], total["winnow_pages_totaldead"]) == (3, 1)


def test_sum_of_one_process_equals_its_own_metrics() -> None:
    alone = exposition(3, 0.25)

    assert summed([alone]).decode() == alone


def test_only_metrics_of_the_closed_list_are_shown() -> None:
    families = text_string_to_metric_families(exposition(1, 0.5))

    assert {family.name for family in families} == {
        metric.name.removesuffix("_total") for metric in ALL_METRICS
    }
