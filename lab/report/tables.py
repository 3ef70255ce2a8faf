"""Page scores of several engines -> tables for the terminal, the report and JSON."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from winnow.lab.measure.figures import FIGURES, Better, Figure, scaled
from winnow.lab.measure.runs import Run, groups_of, languages_of, page_types_of
from winnow.lab.measure.scores import PageScore
from winnow.lab.measure.summary import summarise


@dataclass(frozen=True, slots=True)
class Column:
    """Heading of a column, and whether high or low values are good."""

    title: str
    better: Better


@dataclass(frozen=True, slots=True)
class Table:
    """Engines as rows, figures or groups of pages as columns; None for a missing value."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]

    def is_best(self, row: int, column: int) -> bool:
        """Whether a cell has the best value of its column, including ties."""
        better = self.columns[column].better
        value = self.rows[row][1][column]
        if better is Better.NEITHER or value is None or len(self.rows) == 1:
            return False
        values = [v for _, cells in self.rows if (v := cells[column]) is not None]
        return value == (max(values) if better is Better.HIGHER else min(values))


def by_group(runs: Sequence[Run], figure: Figure) -> Table:
    """Return engines by groups, with the mean of the groups, all with the same weight.

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
    """Return engines by page types; the first column is all pages with a type."""
    title = f"{figure.title} by page type"
    return _by_label(runs, figure, title, page_types_of(runs), lambda score: score.page_type)


def by_language(runs: Sequence[Run], figure: Figure) -> Table:
    """Return engines by languages; the first column is all pages with a language."""
    title = f"{figure.title} by language"
    return _by_label(runs, figure, title, languages_of(runs), lambda score: score.language)


def in_full(runs: Sequence[Run], group: str, figures: Sequence[Figure] = FIGURES) -> Table:
    """Return engines by the figures that are defined for the pages of a group."""
    summaries = [summarise(_in_group(run, group)) for run in runs]
    said = [f for f in figures if any(f.of(summary) is not None for summary in summaries)]
    rows = tuple(
        (run.engine, tuple(scaled(figure, summary) for figure in said))
        for run, summary in zip(runs, summaries, strict=True)
    )
    columns = tuple(Column(figure.title, figure.better) for figure in said)
    return Table(f"{group} ({summaries[0].pages} pages)", columns, rows)


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
