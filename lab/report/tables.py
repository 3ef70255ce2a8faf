"""Page scores of several engines to the tables that the terminal, the report and JSON show."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import fmean
from typing import Final

from lab.measure.scores import PageScore
from lab.measure.summary import Summary, summarise


class Better(Enum):
    """Which end of a column is the good one."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a summary.

    Attributes:
        key: its name in JSON and in options.
        title: its name in tables.
        of: summary -> value; None when the pages say nothing about it.
        scale: what tables multiply the value by (100 for shares).
    """

    key: str
    title: str
    of: Callable[[Summary], float | None]
    better: Better = Better.HIGHER
    scale: float = 100.0


FIGURES: Final = (
    Figure("occ_precision", "occ P", lambda s: s.occ.precision),
    Figure("occ_recall", "occ R", lambda s: s.occ.recall),
    Figure("occ_f", "occ F", lambda s: s.occ.f),
    Figure("voc_precision", "voc P", lambda s: s.voc.precision),
    Figure("voc_recall", "voc R", lambda s: s.voc.recall),
    Figure("voc_f", "voc F", lambda s: s.voc.f),
    Figure("aligned_precision", "LCS P", lambda s: s.aligned.precision),
    Figure("aligned_recall", "LCS R", lambda s: s.aligned.recall),
    Figure("aligned_f", "LCS F", lambda s: s.aligned.f),
    Figure("word_f1", "word F1", lambda s: s.word_f1),
    Figure("word_similarity", "word sim.", lambda s: s.word_similarity),
    Figure("char_similarity", "char sim.", lambda s: s.char_similarity),
    Figure("cosine", "cosine", lambda s: s.cosine, Better.LOWER, 1.0),
    Figure("euclidean", "euclid", lambda s: s.euclidean, Better.LOWER, 1.0),
    Figure("kl", "KL", lambda s: s.kl, Better.LOWER, 1.0),
    Figure("empty", "empty %", lambda s: s.empty, Better.LOWER),
    Figure("almost_empty", "almost empty %", lambda s: s.almost_empty, Better.LOWER),
    Figure("passages_kept", "with kept %", lambda s: s.passages.kept if s.passages else None),
    Figure(
        "passages_leaked",
        "without leaked %",
        lambda s: s.passages.leaked if s.passages else None,
        Better.LOWER,
    ),
    Figure("passages_f", "passages F", lambda s: s.passages.f if s.passages else None),
    Figure("clean_ms", "CPU ms", lambda s: s.clean_ms, Better.LOWER, 1.0),
    Figure("parse_ratio", "x parse", lambda s: s.parse_ratio or None, Better.LOWER, 1.0),
)
FIGURE: Final[Mapping[str, Figure]] = {figure.key: figure for figure in FIGURES}
# those that fit on a terminal
MAIN_FIGURES: Final = tuple(
    FIGURE[key]
    for key in (
        *("occ_precision", "occ_recall", "occ_f", "voc_f", "aligned_f", "word_f1"),
        *("word_similarity", "almost_empty", "passages_f", "parse_ratio"),
    )
)


@dataclass(frozen=True, slots=True)
class Run:
    """One engine and its score on every page, in the same order for all engines.

    Attributes:
        is_own: an engine of Winnow or its baseline, not another tool.
    """

    engine: str
    scores: tuple[PageScore, ...]
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class Column:
    """Head of a column and which end of it is good."""

    title: str
    better: Better


@dataclass(frozen=True, slots=True)
class Table:
    """Engines down, figures or groups of pages across; None where there is nothing to say."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]

    def is_best(self, row: int, column: int) -> bool:
        """Say whether a cell holds the best value of its column, ties included."""
        better = self.columns[column].better
        value = self.rows[row][1][column]
        if better is Better.NEITHER or value is None or len(self.rows) == 1:
            return False
        values = [v for _, cells in self.rows if (v := cells[column]) is not None]
        return value == (max(values) if better is Better.HIGHER else min(values))


def groups_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the groups of pages, in order of appearance."""
    return tuple(dict.fromkeys(score.group for score in runs[0].scores))


def page_types_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the page types that labels name, the most frequent first."""
    return _most_frequent_first(score.page_type for score in runs[0].scores)


def languages_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the languages that labels name, the most frequent first."""
    return _most_frequent_first(score.language for score in runs[0].scores)


def by_group(runs: Sequence[Run], figure: Figure) -> Table:
    """Return engines against groups, with the mean of the groups, each group counting alike.

    A set of several groups (`daniel/...`) has its own mean.
    """
    groups = groups_of(runs)
    sets = [name for name, members in _families(groups).items() if 1 < len(members) < len(groups)]
    rows = []
    for run in runs:
        values = [_value(figure, _in_group(run, group)) for group in groups]
        means = [
            _mean(v for group, v in zip(groups, values, strict=True) if _family(group) == name)
            for name in sets
        ]
        whole = [_mean(values)] if len(groups) > 1 else []
        rows.append((run.engine, (*values, *means, *whole)))
    titles = [*groups, *(f"mean {name}" for name in sets), *(["mean"] if len(groups) > 1 else [])]
    return Table(figure.title, _columns(titles, figure.better), tuple(rows))


def by_page_type(runs: Sequence[Run], figure: Figure) -> Table:
    """Return engines against page types, with all pages that have a type first."""
    title = f"{figure.title} by page type"
    return _by_label(runs, figure, title, page_types_of(runs), lambda score: score.page_type)


def by_language(runs: Sequence[Run], figure: Figure) -> Table:
    """Return engines against languages, with all pages that have one first."""
    title = f"{figure.title} by language"
    return _by_label(runs, figure, title, languages_of(runs), lambda score: score.language)


def in_full(runs: Sequence[Run], group: str, figures: Sequence[Figure] = FIGURES) -> Table:
    """Return engines against the figures that the pages of a group have something to say about."""
    summaries = [summarise(_in_group(run, group)) for run in runs]
    said = [f for f in figures if any(f.of(summary) is not None for summary in summaries)]
    rows = tuple(
        (run.engine, tuple(scaled(figure, summary) for figure in said))
        for run, summary in zip(runs, summaries, strict=True)
    )
    columns = tuple(Column(figure.title, figure.better) for figure in said)
    return Table(f"{group} ({summaries[0].pages} pages)", columns, rows)


def scaled(figure: Figure, summary: Summary) -> float | None:
    """Return the figure as tables show it."""
    value = figure.of(summary)
    return None if value is None else value * figure.scale


def _by_label(
    runs: Sequence[Run],
    figure: Figure,
    title: str,
    names: Sequence[str],
    label: Callable[[PageScore], str],
) -> Table:
    rows = []
    for run in runs:
        named = [score for score in run.scores if label(score)]
        values = [_value(figure, [s for s in named if label(s) == name]) for name in names]
        rows.append((run.engine, (_value(figure, named), *values)))
    return Table(title, _columns(["all", *names], figure.better), tuple(rows))


def _most_frequent_first(names: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def _columns(titles: Iterable[str], better: Better) -> tuple[Column, ...]:
    return tuple(Column(title, better) for title in titles)


def _families(groups: Iterable[str]) -> dict[str, list[str]]:
    families: dict[str, list[str]] = {}
    for group in groups:
        families.setdefault(_family(group), []).append(group)
    return families


def _family(group: str) -> str:
    return group.partition("/")[0]


def _in_group(run: Run, group: str) -> list[PageScore]:
    return [score for score in run.scores if score.group == group]


def _value(figure: Figure, scores: Sequence[PageScore]) -> float | None:
    return scaled(figure, summarise(scores)) if scores else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
