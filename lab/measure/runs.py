"""The scores of one engine on all pages, and the groups, types and languages of pages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from winnow.lab.measure.scores import PageScore


@dataclass(frozen=True, slots=True)
class Run:
    """One engine and its score on every page, in the same order for all engines.

    Attributes:
        is_own: an engine of Winnow or its baseline, not another tool.
    """

    engine: str
    scores: tuple[PageScore, ...]
    is_own: bool = True


def groups_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the groups of pages, in order of appearance."""
    return tuple(dict.fromkeys(score.group for score in runs[0].scores))


def page_types_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the page types in the labels, the most frequent first."""
    return _most_frequent_first(score.page_type for score in runs[0].scores)


def languages_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the languages in the labels, the most frequent first."""
    return _most_frequent_first(score.language for score in runs[0].scores)


def _most_frequent_first(names: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))
