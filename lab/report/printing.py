"""Tables of an evaluation on the terminal, and the same figures as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from winnow.lab.measure.differences import Difference
from winnow.lab.measure.figures import FIGURES
from winnow.lab.measure.runs import Run, groups_of, languages_of, page_types_of
from winnow.lab.measure.scores import PageScore
from winnow.lab.measure.summary import summarise
from winnow.lab.measure.sweep import Sweep
from winnow.lab.report.tables import Table


def print_table(console: Console, table: Table) -> None:
    """Print engines as rows and figures as columns, with the best of each column in bold."""
    grid = Grid(title=Text(table.title), box=box.SIMPLE_HEAD, title_justify="left")
    grid.add_column("engine", no_wrap=True)
    for column in table.columns:
        grid.add_column(_head(column.title), justify="right")
    for row, (engine, cells) in enumerate(table.rows):
        texts = [
            Text(_text(value), "bold" if table.is_best(row, column) else "")
            for column, value in enumerate(cells)
        ]
        grid.add_row(Text(engine), *texts)
    console.print(grid)


def print_differences(
    console: Console, reference: str, differences: Sequence[Difference], groups: Sequence[str]
) -> None:
    """Print the differences of the reference from the others; intervals without zero are bold."""
    title = f"{reference} minus the others, occ F, with 95 % bootstrap intervals over pages"
    grid = Grid(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left")
    grid.add_column("engine", no_wrap=True)
    for group in groups:
        grid.add_column(_head(group), justify="right", no_wrap=True)
    rows: dict[str, list[Text]] = {}
    for difference in differences:
        found = difference.interval
        text = f"{found.value:+.1f} ({found.low:+.1f} {found.high:+.1f})"
        rows.setdefault(difference.other, []).append(
            Text(text, "bold" if difference.is_sure else "")
        )
    for engine, texts in rows.items():
        grid.add_row(Text(engine), *texts)
    console.print(grid)


def figures_json(
    runs: Sequence[Run],
    failed: Mapping[str, int],
    differences: Sequence[Difference],
    sweeps: Sequence[Sweep],
) -> dict[str, Any]:
    """Return all figures of the tables, unscaled, for `--json`."""
    groups, types, languages = groups_of(runs), page_types_of(runs), languages_of(runs)
    return {
        "pages": len(runs[0].scores),
        "engines": {
            run.engine: {
                "failed": failed.get(run.engine, 0),
                "groups": {
                    group: _figures([s for s in run.scores if s.group == group]) for group in groups
                },
                "page_types": {
                    name: _figures([s for s in run.scores if s.page_type == name]) for name in types
                },
                "languages": {
                    name: _figures([s for s in run.scores if s.language == name])
                    for name in languages
                },
            }
            for run in runs
        },
        "differences": [
            {
                "other": difference.other,
                "group": difference.group,
                "occ_f_points": difference.interval.value,
                "low": difference.interval.low,
                "high": difference.interval.high,
            }
            for difference in differences
        ],
        "sweeps": [
            {
                "title": sweep.title,
                "option": sweep.option,
                "curves": {curve.label: curve.points for curve in sweep.curves},
            }
            for sweep in sweeps
        ],
    }


def _figures(scores: Sequence[PageScore]) -> dict[str, float | None]:
    summary = summarise(scores)
    return {"pages": summary.pages, **{figure.key: figure.of(summary) for figure in FIGURES}}


def _head(title: str) -> Text:
    """Return a title with line breaks before folder names, because columns are narrow."""
    return Text(title.replace("/", "/\n"))


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"
