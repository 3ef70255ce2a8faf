"""Differences of a reference engine from the others, with bootstrap intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.lab.measure.bootstrap import Interval, Statistic, paired_difference
from winnow.lab.measure.runs import Run, groups_of


@dataclass(frozen=True, slots=True)
class Difference:
    """Reference minus other on the pages of one group, in points of 100."""

    other: str
    group: str
    interval: Interval

    @property
    def is_sure(self) -> bool:
        """Whether the interval excludes zero."""
        return self.interval.low > 0 or self.interval.high < 0


def differences(reference: Run, others: Sequence[Run], statistic: Statistic) -> list[Difference]:
    """Return the differences from all other engines, by group.

    Raises:
        ValueError: the runs have different pages or orders.
    """
    found = []
    for other in others:
        for group in groups_of([reference]):
            difference = paired_difference(
                [score for score in reference.scores if score.group == group],
                [score for score in other.scores if score.group == group],
                statistic,
            )
            found.append(Difference(other.engine, group, _points(difference)))
    return found


def _points(share: Interval) -> Interval:
    return Interval(share.value * 100, share.low * 100, share.high * 100)
