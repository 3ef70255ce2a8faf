"""A calibration as one static HTML file: curves, table and proposal."""

from collections.abc import Sequence
from html import escape
from typing import Final

from winnow.lab.measure.calibration import Proposal, Trial, curves_of
from winnow.lab.measure.figures import FIGURE
from winnow.lab.report.markup import figures, html_page, section
from winnow.lab.report.plots import curves

# keys of the figures shown
SHOWN: Final = ("occ_precision", "occ_recall", "occ_f", "word_similarity", "almost_empty")


def calibration_report(engine: str, trials: Sequence[Trial], found: Proposal) -> str:
    """Return the page; the first trial is the engine's own threshold."""
    title = f"Thresholds of the engine {engine}"
    own, *tried = trials
    note = f"{len(own.scores)} pages. Proposed: {found.reason}."
    drawn = []
    if len(tried) > 1:
        svg = curves(curves_of(tried), "threshold", "occ P, R, F x 100")
        drawn = [(f"its own threshold: F {100 * own.summary.occ.f:.1f}", svg)]
    sections = [
        f'<h1>{escape(title)}</h1><p class="note">{escape(note)}</p>',
        figures("Curves", "Means over pages; F on the means.", drawn),
        section("Every threshold", "x 100; the proposed one is marked.", _table(trials, found)),
    ]
    return html_page(title, sections)


def _table(trials: Sequence[Trial], found: Proposal) -> str:
    heads = "".join(f"<th>{escape(FIGURE[key].title)}</th>" for key in SHOWN)
    rows = []
    for trial in trials:
        summary, mark = trial.summary, ' class="best"' if trial is found.trial else ""
        cells = "".join(
            f"<td{mark}>{100 * (FIGURE[key].of(summary) or 0.0):.1f}</td>" for key in SHOWN
        )
        rows.append(f"<tr><th>{escape(trial.name)}</th>{cells}</tr>")
    return (
        f'<div class="scroll"><table><thead><tr><th>threshold</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
