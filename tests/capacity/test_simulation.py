"""The simulated group: no page is lost, waits match queueing theory, rules keep their limits."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

simpy = pytest.importorskip("simpy", reason="in the environment of make test-capacity")

from bench.capacity.crawls import CRAWLS  # noqa: E402 - needs simpy
from bench.capacity.group import Group, Member, Times  # noqa: E402
from bench.capacity.scalers import Rule, Scaler, Seen, by_cpu, by_lag  # noqa: E402
from bench.capacity.simulation import Case, Day  # noqa: E402

TIMES = Times(page_s=0.05, pod_s=5.0, start_s=4.0, pause_s=2.0, session_s=60.0)
RULES = (
    Rule("fixed", fixed=4),
    Rule("lag", lag_per_pod=100),
    Rule("cpu", cpu=0.8),
    Rule("both", lag_per_pod=1000, cpu=0.8),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("crawl", CRAWLS)
def test_published_pages_are_done_or_lag(crawl: str, rule: Rule) -> None:
    case = Case(CRAWLS[crawl], rule, TIMES, seconds=7200.0, deaths_per_pod_day=100.0)
    day = Day(case)

    outcome = day.run()

    waiting = sum(partition.pages for partition in day.group.partitions)
    in_hand = outcome.lag - waiting
    assert outcome.published == outcome.done + outcome.lag
    assert day.group.waits.pages == outcome.done > 1000
    assert 0 <= in_hand <= len(day.group.members) * 128 * 16
    assert outcome.repeats > 0
    assert outcome.rebalances > 4


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_one_process_waits_as_an_m_d_1_queue(load: float) -> None:
    env = simpy.Environment()
    times = Times(page_s=1.0, pod_s=0.0, start_s=0.0, pause_s=0.0, session_s=60.0)
    group = Group(env, times, partitions=1, batch_pages=1)
    chooser = random.Random(3)

    def arrivals() -> Iterator[Any]:
        while True:
            yield env.timeout(chooser.expovariate(load))
            group.publish([1])

    env.process(arrivals())
    group.join(Member(group, 1))
    env.run(until=200_000)

    # Pollaczek and Khinchine: the wait before the service, of one unit, and the service
    assert group.waits.mean_s == pytest.approx(load / (2 * (1 - load)) + 1, rel=0.05)


@pytest.mark.parametrize("rule", RULES[1:], ids=lambda rule: rule.name)
def test_no_rule_asks_for_more_pods_than_partitions(rule: Rule) -> None:
    scaler = Scaler(rule)
    pods = 1
    for step in range(200):
        pods = scaler.pods(step * 15.0, Seen(10**9, pods, [1.0] * pods, partitions=5))

    assert pods == 5


def test_pods_are_removed_one_per_minute_after_the_quiet_window() -> None:
    scaler = Scaler(Rule("lag", lag_per_pod=100, stable_s=300.0))
    scaler.pods(0.0, Seen(1000, 10, [1.0] * 10, partitions=12))
    pods, course = 10, []
    for step in range(1, 41):
        pods = scaler.pods(step * 15.0, Seen(0, pods, [0.0] * pods, partitions=12))
        course.append(pods)

    assert course[:20] == [10] * 20
    assert course[20::4] == [9, 8, 7, 6, 5]


@pytest.mark.parametrize("page_s", [0.001, 0.002453, 0.002877, 0.05])
def test_a_member_that_never_waits_is_busy_in_every_window(page_s: float) -> None:
    env = simpy.Environment()
    group = Group(env, replace(TIMES, page_s=page_s), partitions=1)
    member = Member(group, 1)
    group.join(member)
    group.publish([10**6])
    env.run(until=30)
    seen = []
    for window in range(1, 20):
        before = member.busy_s
        env.run(until=30 + 15 * window)
        seen.append(member.busy_s - before)

    assert seen == pytest.approx([15.0] * 19)


def test_a_dead_member_holds_its_partitions_until_its_session_ends() -> None:
    env = simpy.Environment()
    group = Group(env, TIMES, partitions=2)
    first, second = Member(group, 1), Member(group, 2)
    group.join(first)
    group.join(second)
    env.run(until=10)
    group.die(second)
    group.publish([10, 10])
    env.run(until=10 + TIMES.session_s - 1)
    assert group.lag == 10
    env.run(until=10 + TIMES.session_s + TIMES.pause_s + 2)
    assert group.lag == 0


@pytest.mark.parametrize(
    ("lag", "pods", "wanted"), [(0, 3, 0), (250, 3, 3), (310, 3, 3), (301, 1, 4), (5000, 3, 12)]
)
def test_lag_is_divided_by_the_threshold_within_a_tolerance(
    lag: int, pods: int, wanted: int
) -> None:
    assert by_lag(Seen(lag, pods, (), partitions=12), 100) == wanted


@pytest.mark.parametrize(
    ("utilizations", "pods", "wanted"),
    [([0.8], 1, 1), ([1.0, 1.0], 2, 3), ([0.2, 0.2, 0.2], 3, 1), ([1.0, 1.0], 4, 4)],
)
def test_utilization_counts_pods_that_start_as_idle(
    utilizations: list[float], pods: int, wanted: int
) -> None:
    assert by_cpu(Seen(0, pods, utilizations, partitions=12), 0.8) == wanted
