"""Try several values of an engine's option on the same pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from winnow.lab.measure.runs import Run, groups_of
from winnow.lab.measure.summary import summarise


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve through points ordered by x."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Curves of figures over the values of an engine's option."""

    title: str
    option: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """The `values` of an option to try, as text, increasing and above 0."""

    engine: str
    option: str
    values: tuple[str, ...]

    def run_name(self, value: str) -> str:
        """Return the engine with one value, in the format of `build_engine`."""
        return f"{self.engine}:{self.option}={value}"


def sweep_plan(text: str) -> SweepPlan:
    """Read `ENGINE.OPTION=VALUE,VALUE,...`.

    Raises:
        ValueError: the text is malformed, or has fewer than two values above 0.
    """
    name, equals, values = text.partition("=")
    engine, dot, option = name.partition(".")
    if not (equals and dot and engine and option):
        raise ValueError(f"{text!r} is not ENGINE.OPTION=VALUE,VALUE,...")
    ordered = sorted({value.strip() for value in values.split(",")}, key=_positive)
    if len(ordered) < 2:  # noqa: PLR2004 - a curve has two ends
        raise ValueError(f"{text!r} has fewer than two values")
    return SweepPlan(engine, option, tuple(ordered))


def swept(plan: SweepPlan, runs: Sequence[Run]) -> Sweep:
    """Return precision, recall and F, means over groups, as curves over the values."""
    by_name = {run.engine: run for run in runs}
    points: dict[str, list[tuple[float, float]]] = {"P": [], "R": [], "F": []}
    for value in plan.values:
        run = by_name[plan.run_name(value)]
        occ = [
            summarise([score for score in run.scores if score.group == group]).occ
            for group in groups_of([run])
        ]
        points["P"].append((float(value), 100 * fmean(ratios.precision for ratios in occ)))
        points["R"].append((float(value), 100 * fmean(ratios.recall for ratios in occ)))
        points["F"].append((float(value), 100 * fmean(ratios.f for ratios in occ)))
    curves = tuple(Curve(name, tuple(curve)) for name, curve in points.items())
    return Sweep(f"{plan.engine}: occ P, R, F, mean over groups", plan.option, curves)


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError(f"{text!r} is not above 0")
    return value
