"""Try thresholds of an engine on labelled pages, and propose one."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from winnow.lab.measure.bootstrap import OCC_F, Interval, paired_difference
from winnow.lab.measure.scores import PageScore
from winnow.lab.measure.summary import Summary, summarise
from winnow.lab.measure.sweep import Curve
from winnow.models.options import CleanerOptions

# Proposals from few pages of cleaneval, daniel, dragnet and wcxb are often worse on the other pages
# of the set: 70 % of them from 1 page, 53 % from 3, 37 % from 5, 28 % from 8, 21 % from 10, and
# 16 % from 30.
FEWEST_PAGES: Final = 10


@dataclass(frozen=True, slots=True)
class Trial:
    """The scores at one threshold; `threshold` is None for the engine's own."""

    threshold: float | None
    scores: tuple[PageScore, ...]

    @property
    def summary(self) -> Summary:
        """The figures over all pages."""
        return summarise(self.scores)

    @property
    def name(self) -> str:
        """The threshold as text for tables."""
        return "its own" if self.threshold is None else f"{self.threshold:g}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposed threshold.

    Attributes:
        trial: the best one if it is significantly better, else the engine's own threshold.
        best: the trial with the best occ F.
        gain: occ F of `best` minus occ F of the engine's own threshold, as a share.
    """

    trial: Trial
    best: Trial
    gain: Interval

    @property
    def reason(self) -> str:
        """The reason for the proposal, as a sentence."""
        if self.best.threshold is None:
            return "the engine's own threshold: no other threshold has a better F"
        gain, low, high = (100 * each for each in (self.gain.value, self.gain.low, self.gain.high))
        found = f"{self.best.name} is {gain:+.2f} F from its own"
        if len(self.best.scores) < FEWEST_PAGES:
            few = f"fewer than {FEWEST_PAGES} pages are too few to decide"
            return f"the engine's own threshold: {found}, but {few}"
        found = f"{found}, 95 % interval {low:+.2f} to {high:+.2f}"
        if self.trial is self.best:
            return f"threshold {found}"
        return f"the engine's own threshold: {found}, which may be chance"


def propose(own: Trial, tried: Sequence[Trial]) -> Proposal:
    """Return the threshold with the best occ F if it is significantly better than the own one.

    Below `FEWEST_PAGES` pages the own threshold is proposed.

    Raises:
        ValueError: there are no pages, or the trials have different pages.
    """
    best = max((own, *tried), key=lambda trial: trial.summary.occ.f)
    gain = paired_difference(best.scores, own.scores, OCC_F)
    is_sure = gain.low > 0 and len(own.scores) >= FEWEST_PAGES
    return Proposal(best if is_sure else own, best, gain)


def options_of(options: CleanerOptions, threshold: float | None) -> dict[str, object]:
    """Return an options file: the engine, its threshold and other non-default options."""
    standard = CleanerOptions()
    changed = {
        field.name: getattr(options, field.name)
        for field in fields(options)
        if getattr(options, field.name) != getattr(standard, field.name)
        and field.name not in {"threshold", "limits"}
    }
    found: dict[str, object] = {"engine": options.engine, **changed}
    return found if threshold is None else {**found, "threshold": threshold}


def curves_of(tried: Sequence[Trial]) -> tuple[Curve, ...]:
    """Return precision, recall and F over the thresholds, x 100."""
    points: dict[str, list[tuple[float, float]]] = {"P": [], "R": [], "F": []}
    for trial in sorted(tried, key=lambda trial: trial.threshold or 0.0):
        occ = trial.summary.occ
        for name, value in (("P", occ.precision), ("R", occ.recall), ("F", occ.f)):
            points[name].append((trial.threshold or 0.0, 100 * value))
    return tuple(Curve(name, tuple(curve)) for name, curve in points.items())
