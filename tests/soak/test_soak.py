"""Workers under load for a long time: none of their resources may grow."""

import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.faults.crawl import Crawler, crawled_pages
from tests.faults.harness import Scenario
from tests.services.processes import ServerProcess
from tests.services.redis_servers import RedisServer
from tests.soak.drawing import Line, Panel, draw, sentence
from tests.soak.samples import MEASURES, PARTS
from tests.soak.trend import Verdict, fit
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.topics import TopicNames

MINUTES: Final = float(os.environ.get("SOAK_MINUTES", "30"))
PAGES_PER_S: Final = float(os.environ.get("SOAK_PAGES_PER_S", "40"))
WORKERS: Final = 2
EVERY_S: Final = min(5.0, MINUTES * 0.4)
LAG_TOLERANCE: Final = 1000.0  # pages per hour
DRAWING: Final = Path(__file__).resolve().parents[2] / "build" / "soak.svg"
# starting, finishing the rest and reading everything, on a busy machine
AROUND_S: Final = 1800


@pytest.fixture
def scenario(
    kafka_bootstrap: str,
    unique_name: str,
    server_folder: Path,
    start_redis: Callable[..., RedisServer],
) -> Iterator[Scenario]:
    """Real workers, in the memory that the chart gives them."""
    names = TopicNames(
        *(f"{unique_name}.{each}" for each in ("pages", "documents", "stats", "dead"))
    )
    connection = Connection(tuple(kafka_bootstrap.split(",")))
    scenario = Scenario("soak", connection, names, unique_name, server_folder / unique_name)
    scenario.program = ("tests.soak.child",)
    scenario.environment["WINNOW_REDIS_URL"] = start_redis().url
    yield scenario
    scenario.kill_all()


@pytest.mark.soak
@pytest.mark.timeout(MINUTES * 60 + AROUND_S)
def test_nothing_grows_while_workers_work(scenario: Scenario) -> None:
    scenario.make_topics()
    pages = crawled_pages(scenario.seed, scenario.partitions)
    with Crawler(scenario.connection, scenario.names.pages, pages, PAGES_PER_S) as crawler:
        workers = [scenario.start_worker() for _ in range(WORKERS)]
        scenario.wait_ready(*workers)
        times_s, series = watch(scenario, workers)
        stored = crawler.stop()
    panels = judge(times_s, series)
    scenario.ends = log_ends(scenario)
    scenario.wait_until(scenario.is_done, AROUND_S / 2)
    codes = [scenario.end_worker(worker) for worker in list(scenario.workers)]
    settled = scenario.settle_account()

    assert scenario.restarts == 0
    assert codes == [0] * WORKERS
    assert crawler.problems == []
    assert (settled.pages, settled.lost, settled.repeated) == (stored, (), 0)
    assert settled.mistaken == settled.out_of_order == ()
    assert [line for panel in panels for line in grown(panel)] == []


def watch(
    scenario: Scenario, workers: list[ServerProcess]
) -> tuple[list[float], dict[tuple[str, str], list[float]]]:
    """Sample until the time is up; return when, and what by measure and process."""
    for worker in workers:
        MEASURES["tasks"].read(worker)  # the first answer is there at the first sample
    scenario.let_pass(EVERY_S)
    times_s: list[float] = []
    series: dict[tuple[str, str], list[float]] = defaultdict(list)
    begun_at = time.monotonic()
    while (now_s := time.monotonic() - begun_at) < MINUTES * 60:
        times_s.append(now_s)
        for number, worker in enumerate(workers):
            for name, measure in [*MEASURES.items(), *PARTS.items()]:
                series[name, f"worker {number}"].append(measure.read(worker))
        committed = sum(scenario.committed().values())  # before the ends: no lag is below 0
        series["lag", "group"].append(sum(log_ends(scenario).values()) - committed)
        scenario.let_pass(EVERY_S)
        assert scenario.restarts == 0, "a worker ended by itself"
    return times_s, series


def judge(times_s: list[float], series: dict[tuple[str, str], list[float]]) -> list[Panel]:
    """Fit lines, print the verdicts, write the drawing."""
    titles = {name: (each.title, each.unit, each.tolerance) for name, each in MEASURES.items()}
    titles["lag"] = ("lag", "pages", LAG_TOLERANCE)
    panels = []
    for name, (title, unit, tolerance) in titles.items():
        lines = [
            Line(label, times_s, values, fit(times_s, values, tolerance))
            for (measured, label), values in series.items()
            if measured == name
        ]
        heading = f"{title}, {unit}" if unit else title
        panels.append(Panel(f"{heading} (no harm up to +{tolerance:g}/h)", unit, lines))
    DRAWING.parent.mkdir(exist_ok=True)
    DRAWING.write_text(draw(f"{WORKERS} workers, {PAGES_PER_S:g} pages/s, {MINUTES:g} min", panels))
    words = [
        f"{panel.title}: {sentence(line, panel.unit)}" for panel in panels for line in panel.lines
    ]
    table = consists(times_s, series)
    sys.stdout.write("\n".join(["", *words, "", *table, "", f"drawing: {DRAWING}", ""]))
    return panels


def consists(times_s: list[float], series: dict[tuple[str, str], list[float]]) -> list[str]:
    """Return a table of what memory consists of: after the warm-up, at the end, and its slope."""
    rows = [f"{'':10}{'memory':20}{'warm':>10}{'end':>10}{'per hour':>20}"]
    for (name, label), values in series.items():
        if name in PARTS:
            trend, part = fit(times_s, values, math.inf), PARTS[name]
            slope = f"{trend.slope:+.1f} ± {trend.margin:.1f} {part.unit}"
            ends = f"{trend.level:10.1f}{trend.at(times_s[-1]):10.1f}"
            rows.append(f"{label:10}{part.title:20}{ends}{slope:>20}")
    return rows


def grown(panel: Panel) -> list[str]:
    """Return the verdicts on the lines that grow."""
    return [
        f"{panel.title}: {sentence(line, panel.unit)}"
        for line in panel.lines
        if line.trend.verdict is Verdict.GROWING
    ]


def log_ends(scenario: Scenario) -> dict[int, int]:
    """Return the offset after the last page of each partition."""
    with TopicReader(scenario.connection, scenario.group) as reader:
        return {number: span.end for number, span in reader.spans(scenario.names.pages).items()}
