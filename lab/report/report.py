"""Runs -> one static HTML file with tables and drawings."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from winnow.lab.measure.bootstrap import OCC_F
from winnow.lab.measure.differences import Difference, differences
from winnow.lab.measure.figures import FIGURE
from winnow.lab.measure.runs import Run, groups_of, languages_of, page_types_of
from winnow.lab.measure.scores import PageScore
from winnow.lab.measure.summary import summarise
from winnow.lab.measure.sweep import Sweep
from winnow.lab.measure.worst import worst_pages
from winnow.lab.report.markup import figures, glossary, html_page, section, table
from winnow.lab.report.plots import Point, Spread, curves, forest, scatter, spreads
from winnow.lab.report.tables import by_group, by_language, by_page_type, in_full

WORST_PAGES: Final = 20


@dataclass(frozen=True, slots=True)
class Provenance:
    """The head of the report: title, version and sets, one line each."""

    title: str
    lines: tuple[str, ...]


def html_report(runs: Sequence[Run], provenance: Provenance, sweeps: Sequence[Sweep] = ()) -> str:
    """Return the report as one HTML document.

    Differences are relative to the first run.
    """
    others = [run for run in runs[1:] if run.engine != runs[0].engine]
    found = differences(runs[0], others, OCC_F)
    sections = [
        _head(provenance),
        _quality(runs),
        _cost(runs),
        _distributions(runs),
        _differences(runs[0].engine, found, groups_of(runs)),
        _page_types(runs),
        _languages(runs),
        _sweeps(sweeps),
        _emptiness(runs),
        _in_full(runs),
        _worst(runs[0], others),
        glossary(),
    ]
    return html_page(provenance.title, sections)


def _head(provenance: Provenance) -> str:
    lines = "<br>".join(escape(entry) for entry in provenance.lines)
    return f'<h1>{escape(provenance.title)}</h1><p class="note">{lines}</p>'


def _quality(runs: Sequence[Run]) -> str:
    return section(
        "Quality by set",
        "F on multisets of tokens, x 100. Winnow's engines are blue; the best of each column is "
        "marked. Every group of pages has the same weight in a mean.",
        table(by_group(runs, FIGURE["occ_f"]), runs),
    )


def _cost(runs: Sequence[Run]) -> str:
    drawn = []
    for group in _main_groups(runs):
        points = []
        for run in runs:
            summary = summarise([s for s in run.scores if _belongs(s, group)])
            if summary.parse_ratio > 0:
                points.append(
                    Point(run.engine, summary.parse_ratio, 100 * summary.occ.f, run.is_own)
                )
        if len(points) > 1:
            drawing = scatter(points, "CPU, x parse of the page", "occ F")
            drawn.append((group, drawing))
    note = (
        "Up and to the left is better. The unit is a bare parse of the same page in the same run."
    )
    return figures("Cost against quality", note, drawn)


def _distributions(runs: Sequence[Run]) -> str:
    drawn = []
    for group in _main_groups(runs):
        rows = []
        for run in runs:
            values = [score.occ.f1 for score in run.scores if _belongs(score, group)]
            low, first, middle, third, high = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95])
            quantiles = (float(low), float(first), float(middle), float(third), float(high))
            rows.append(Spread(run.engine, quantiles, run.is_own))
        drawn.append((group, spreads(rows, "occ F1 of a page")))
    note = "From the 5 % to the 95 % quantile of pages; the bar is the middle half."
    return figures("How pages are spread", note, drawn)


def _differences(reference: str, found: Sequence[Difference], groups: Sequence[str]) -> str:
    drawn = []
    for group in groups:
        rows = [(d.other, d.interval) for d in found if d.group == group]
        if rows:
            drawn.append((group, forest(rows, f"{reference} minus the other, points of occ F")))
    note = (
        "95 % paired bootstrap intervals over pages. "
        "Green: significantly better; red: significantly worse."
    )
    return figures(f"Differences of {reference} from the others", note, drawn)


def _page_types(runs: Sequence[Run]) -> str:
    if not page_types_of(runs):
        return ""
    keys = ("word_f1", "passages_kept", "passages_leaked", "passages_f")
    tables = "".join(
        f"<h3>{escape(FIGURE[key].title)}</h3>{table(by_page_type(runs, FIGURE[key]), runs)}"
        for key in keys
        if any(score.passages.required for score in runs[0].scores) or key == "word_f1"
    )
    return section("By page type", "Only pages whose labels name a type.", tables)


def _languages(runs: Sequence[Run]) -> str:
    if not languages_of(runs):
        return ""
    keys = ("occ_f", "almost_empty")
    tables = "".join(
        f"<h3>{escape(FIGURE[key].title)}</h3>{table(by_language(runs, FIGURE[key]), runs)}"
        for key in keys
    )
    return section("By language", "Only pages whose labels name a language.", tables)


def _sweeps(sweeps: Sequence[Sweep]) -> str:
    drawn = [(sweep.title, curves(sweep.curves, sweep.option, "x 100")) for sweep in sweeps]
    return figures("Threshold curves", "The same pages with several values of an option.", drawn)


def _emptiness(runs: Sequence[Run]) -> str:
    return section(
        "Almost empty results",
        "Pages per 100 whose text has less than a tenth of the gold's characters.",
        table(by_group(runs, FIGURE["almost_empty"]), runs),
    )


def _in_full(runs: Sequence[Run]) -> str:
    tables = "".join(
        f"<details><summary>{escape(group.title)}</summary>{table(group, runs)}</details>"
        for group in (in_full(runs, name) for name in groups_of(runs))
    )
    return section("Every figure", "", tables)


def _worst(reference: Run, others: Sequence[Run]) -> str:
    rows = "".join(
        f'<tr><th><code>{escape(page.score.page_id)}</code></th><td class="left">'
        f"{escape(page.score.page_type)}</td><td>{100 * page.score.occ.f1:.1f}</td>"
        f"<td>{100 * page.score.occ.precision:.1f}</td><td>{100 * page.score.occ.recall:.1f}</td>"
        f'<td>{100 * page.best_f1:.1f}</td><td class="left">{escape(page.best_engine)}</td></tr>'
        for page in worst_pages(reference, others, WORST_PAGES)
    )
    heads = (
        '<th>page</th><th class="left">type</th><th>F1</th><th>P</th><th>R</th><th>best F1</th>'
        '<th class="left">of</th>'
    )
    listing = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead>{rows}</table></div>'
    title = f"The {WORST_PAGES} worst pages of {reference.engine}"
    return section(title, "With the best result of the other engines.", listing)


def _main_groups(runs: Sequence[Run]) -> list[str]:
    """Return the names of the sets, without folders inside them."""
    return list(dict.fromkeys(group.partition("/")[0] for group in groups_of(runs)))


def _belongs(score: PageScore, name: str) -> bool:
    return score.group.partition("/")[0] == name
