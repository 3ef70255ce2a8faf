"""The worst pages of an engine, for people to read."""

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import PageScore


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page of an engine, and the best other engine on it; `best_engine` may be empty."""

    score: PageScore
    best_engine: str
    best_f1: float


def worst_pages(reference: Run, others: Sequence[Run], count: int) -> list[WorstPage]:
    """Return the pages with the lowest F1 on multisets of tokens, the lowest first."""
    order = sorted(range(len(reference.scores)), key=lambda index: reference.scores[index].occ.f1)
    found = []
    for index in order[:count]:
        rivals = [(run.scores[index].occ.f1, run.engine) for run in others]
        best_f1, best_engine = max(rivals, default=(0.0, ""))
        found.append(WorstPage(reference.scores[index], best_engine, best_f1))
    return found
