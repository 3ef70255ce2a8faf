"""Scaling rules for the number of pods: fixed, lag like KEDA, CPU like the HPA, or both.

The formula of Kubernetes' HPA: metric over target, rounded up, no change within a tolerance; then
stabilisation windows and policies as in the chart's `winnow.scaleBehavior`.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

TOLERANCE: Final = 0.1  # of the controller manager
SYNC_S: Final = 15.0  # period of the HPA's decisions
UP_STABLE_S: Final = 30.0
PERIOD_S: Final = 60.0
UP_PODS: Final = 2


@dataclass(frozen=True, slots=True)
class Seen:
    """Metrics for a scaler.

    Attributes:
        lag: uncommitted pages of the group.
        pods: number of pods, ready or not.
        utilizations: utilization of the CPU request, per ready pod.
        pages_per_s: recent rate of arrivals.
    """

    lag: int
    pods: int
    utilizations: Sequence[float]
    partitions: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for the number of pods of one process.

    Attributes:
        fixed: constant number of pods.
        lag_per_pod: KEDA's `lagThreshold`; None to ignore lag.
        cpu: target utilization; None to ignore CPU.
        stable_s: `scaleDown.stabilizationWindowSeconds`.
        down_pods: maximum pods removed per minute.
    """

    name: str
    fixed: int | None = None
    lag_per_pod: int | None = None
    cpu: float | None = None
    stable_s: float = 300.0
    down_pods: int = 1
    least: int = 1

    def wanted(self, seen: Seen) -> int:
        """Return the desired pods: the maximum over the metrics."""
        if self.fixed is not None:
            return self.fixed
        answers = [self.least]
        if self.lag_per_pod is not None:
            answers.append(by_lag(seen, self.lag_per_pod))
        if self.cpu is not None:
            answers.append(by_cpu(seen, self.cpu))
        return min(max(answers), seen.partitions)


def by_lag(seen: Seen, lag_per_pod: int) -> int:
    """Return the desired pods by KEDA's kafka trigger, without idle consumers."""
    lag = min(seen.lag, seen.partitions * lag_per_pod)
    if seen.pods and abs(lag / (lag_per_pod * seen.pods) - 1) <= TOLERANCE:
        return seen.pods
    return math.ceil(lag / lag_per_pod)


def by_cpu(seen: Seen, target: float) -> int:
    """Return the desired pods by utilization: for scale-up, unready pods count as idle."""
    ready = len(seen.utilizations)
    if not ready:
        return seen.pods
    used = sum(seen.utilizations)
    ratio = used / ready / target
    if abs(ratio - 1) <= TOLERANCE:
        return seen.pods
    if ratio > 1 and ready < seen.pods:
        ratio = used / seen.pods / target
        if ratio <= 1 + TOLERANCE:
            return seen.pods
        return math.ceil(ratio * seen.pods)
    return math.ceil(ratio * ready)


class Scaler:
    """Applies a rule over time, with windows and policies."""

    def __init__(self, rule: Rule) -> None:
        """Start without history."""
        self.rule = rule
        self._wanted: deque[tuple[float, int]] = deque()
        self._steps: deque[tuple[float, int]] = deque()

    def pods(self, now: float, seen: Seen) -> int:
        """Return the new number of pods."""
        self._wanted.append((now, self.rule.wanted(seen)))
        while self._wanted[0][0] < now - max(self.rule.stable_s, UP_STABLE_S):
            self._wanted.popleft()
        up = min(pods for at, pods in self._wanted if at >= now - UP_STABLE_S)
        down = max(pods for at, pods in self._wanted if at >= now - self.rule.stable_s)
        decided = min(max(seen.pods, up), down) if down < max(seen.pods, up) else max(seen.pods, up)
        decided = self._within_policies(now, seen.pods, decided)
        if decided != seen.pods:
            self._steps.append((now, decided - seen.pods))
        return decided

    def _within_policies(self, now: float, pods: int, decided: int) -> int:
        while self._steps and self._steps[0][0] <= now - PERIOD_S:
            self._steps.popleft()
        added = sum(step for _, step in self._steps if step > 0)
        removed = -sum(step for _, step in self._steps if step < 0)
        begun_up, begun_down = pods - added, pods + removed
        if decided > pods:
            return max(pods, min(decided, max(2 * begun_up, begun_up + UP_PODS)))
        return min(pods, max(decided, begun_down - self.rule.down_pods))
