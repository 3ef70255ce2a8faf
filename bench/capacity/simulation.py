"""One simulated day: a crawl, a group, pods that come and go."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import simpy

from bench.capacity.crawls import DAY_S, Rate
from bench.capacity.group import Group, Member, Steps, Times
from bench.capacity.scalers import SYNC_S, Rule, Scaler, Seen

ARRIVAL_S: Final = 3.0  # seconds between simulated arrivals
SAMPLE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Case:
    """Parameters of a simulation.

    Attributes:
        rate: rate over time, in units of one process's capacity.
        deaths_per_pod_day: killed pods per pod and day.
    """

    rate: Rate
    rule: Rule
    times: Times
    partitions: int = 12
    seconds: float = DAY_S
    deaths_per_pod_day: float = 1.0
    first_pods: int = 3
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """Result of a simulation.

    Attributes:
        repeats: pages cleaned twice.
        series: time, lag in pages and pods, sampled.
    """

    published: int
    done: int
    lag: int
    wait_p50_s: float
    wait_p99_s: float
    wait_max_s: float
    hours: float
    pod_hours: float
    repeats: int
    rebalances: int
    most_pods: int
    series: list[tuple[float, int, int]] = field(default_factory=list)

    @property
    def mean_pods(self) -> float:
        """Mean number of pods, which are the cost."""
        return self.pod_hours / self.hours


class Pod:
    """One pod of one process; it costs from its start."""

    def __init__(self, number: int, begun: float) -> None:
        """Start outside of the group."""
        self.number = number
        self.begun = begun
        self.member: Member | None = None
        self.busy_s_before = 0.0


class Day:
    """State of one run."""

    def __init__(self, case: Case) -> None:
        """Set up the state at time 0."""
        self.case = case
        self.env = simpy.Environment()
        self.group = Group(self.env, case.times, case.partitions)
        self.chooser = random.Random(case.seed)
        self.pods: list[Pod] = []
        self.pod_seconds = 0.0
        self.most_pods = 0
        self.series: list[tuple[float, int, int]] = []
        self._started = 0

    def run(self) -> Outcome:
        """Run the simulation."""
        for step in (self._crawl(), self._scale(), self._sample()):
            self.env.process(step)
        self._set_pods(self.case.first_pods)
        self.env.run(until=self.case.seconds)
        for pod in list(self.pods):
            self.pod_seconds += self.env.now - pod.begun
        group, waits = self.group, self.group.waits
        return Outcome(
            group.published,
            group.done,
            group.lag,
            waits.quantile_s(0.5),
            waits.quantile_s(0.99),
            waits.most_s,
            self.case.seconds / 3600,
            self.pod_seconds / 3600,
            group.repeats,
            group.rebalances,
            self.most_pods,
            self.series,
        )

    def _crawl(self) -> Steps:
        share = 1 / self.case.times.page_s / self.case.partitions * ARRIVAL_S
        while True:
            mean = self.case.rate(self.env.now) * share
            self.group.publish([self._count(mean) for _ in range(self.case.partitions)])
            yield self.env.timeout(ARRIVAL_S)

    def _count(self, mean: float) -> int:
        """Return a Poisson number of arrivals, by its normal approximation."""
        return max(0, round(self.chooser.gauss(mean, mean**0.5)))

    def _scale(self) -> Steps:
        scaler = Scaler(self.case.rule)
        while True:
            yield self.env.timeout(SYNC_S)
            self._set_pods(scaler.pods(self.env.now, self._seen()))

    def _seen(self) -> Seen:
        utilizations = []
        for pod in self.pods:
            if pod.member is not None:
                used = pod.member.busy_s - pod.busy_s_before
                pod.busy_s_before = pod.member.busy_s
                utilizations.append(min(1.0, used / SYNC_S))
        return Seen(self.group.lag, len(self.pods), utilizations, self.case.partitions)

    def _set_pods(self, wanted: int) -> None:
        while len(self.pods) < wanted:
            self._started += 1
            pod = Pod(self._started, self.env.now)
            self.pods.append(pod)
            self.env.process(self._live(pod))
        while len(self.pods) > wanted:
            self._end(self.pods[-1])
        self.most_pods = max(self.most_pods, len(self.pods))

    def _live(self, pod: Pod) -> Steps:
        yield self.env.timeout(self.case.times.pod_s + self.case.times.start_s)
        if pod not in self.pods:
            return
        pod.member = Member(self.group, pod.number)
        self.group.join(pod.member)
        if not self.case.deaths_per_pod_day:
            return
        yield self.env.timeout(self.chooser.expovariate(self.case.deaths_per_pod_day / DAY_S))
        if pod not in self.pods:
            return
        self.group.die(pod.member)
        pod.member = None
        pod.busy_s_before = 0.0
        self.env.process(self._live(pod))  # the kubelet restarts it

    def _end(self, pod: Pod) -> None:
        self.pods.remove(pod)
        self.pod_seconds += self.env.now - pod.begun
        if pod.member is not None:
            self.group.leave(pod.member)

    def _sample(self) -> Steps:
        while True:
            self.series.append((self.env.now, self.group.lag, len(self.pods)))
            yield self.env.timeout(SAMPLE_S)


def simulate(cases: Sequence[Case]) -> list[Outcome]:
    """Run the cases, one after another."""
    return [Day(case).run() for case in cases]
