"""Quality of the confidence: a reliability diagram and a risk-coverage curve."""

from html import escape
from typing import Final

from winnow.lab.measure.confidence import BAD, LOWEST, Trust
from winnow.lab.report.markup import figures, html_page, section
from winnow.lab.report.svg import (
    Frame,
    Scale,
    around,
    drawing,
    line,
    svg_file,
    text,
    x_axis,
    y_axis,
)

_WIDTH: Final = 420.0
_HEIGHT: Final = 380.0
_CURVES: Final = (
    ".zero{stroke:#8a949e;stroke-dasharray:4}.curve{fill:none;stroke:#0b62b8;stroke-width:2}"
)


def confidence_report(title: str, found: Trust) -> str:
    """Return the static HTML page."""
    note = (
        f"{found.pages} pages of sites that training did not see, {found.bad} with F1 below {BAD}. "
        f"Spearman {found.spearman:.2f}; the lowest {LOWEST:.0%} by confidence hold "
        f"{found.bad_in_lowest:.0%} of the bad ones; calibration error "
        f"{found.calibration_error:.3f}."
    )
    drawn = [
        ("reliability", drawing(_WIDTH, _HEIGHT, "F1 against confidence", _reliability(found))),
        ("risk and coverage", drawing(_WIDTH, _HEIGHT, "risk against coverage", _risk(found))),
    ]
    sections = [
        f'<h1>{escape(title)}</h1><p class="note">{escape(note)}</p>',
        figures(
            "Curves",
            "Left: a point for each tenth of the pages; on the line, confidence equals F1. "
            "Right: the mean loss of the most confident pages.",
            drawn,
        ),
        section("Tenths of the pages", "By rising confidence.", _table(found)),
    ]
    return html_page(title, sections)


def confidence_figure(found: Trust) -> str:
    """Return both curves side by side as an SVG file."""
    label = "F1 against confidence, and risk against coverage"
    right = f'<g transform="translate({_WIDTH:.0f})">{"".join(_risk(found))}</g>'
    svg = drawing(2 * _WIDTH, _HEIGHT, label, [*_reliability(found), right])
    return svg_file(svg, _CURVES)


def _frame() -> Frame:
    return Frame(52, 34, _WIDTH - 24, _HEIGHT - 44)


def _reliability(found: Trust) -> list[str]:
    frame = _frame()
    low = min(value for one in found.bins for value in (one.confidence, one.f1))
    ends = max(0.0, low - 0.05), 1.0
    x, y = Scale(*ends, frame.left, frame.right), Scale(*ends, frame.bottom, frame.top)
    parts = [*x_axis(frame, x, "confidence"), *y_axis(frame, y, "mean F1 of a tenth of the pages")]
    parts.append(line(x(ends[0]), y(ends[0]), x(1), y(1), "zero"))
    points = [(x(one.confidence), y(one.f1)) for one in found.bins]
    return [*parts, *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" class="own"/>' for a, b in points)]


def _risk(found: Trust) -> list[str]:
    frame = _frame()
    x = Scale(0.0, 100.0, frame.left, frame.right)
    risks = [risk for _, risk in found.coverage]
    y = Scale(0.0, around(risks)[1], frame.bottom, frame.top)
    path = " ".join(f"{x(100 * share):.1f},{y(risk):.1f}" for share, risk in found.coverage)
    axes = [*x_axis(frame, x, "pages kept, %"), *y_axis(frame, y, "mean 1 - F1 of these")]
    last = text(frame.right, y(risks[-1]) - 8, f"all pages: {risks[-1]:.3f}", "title", "end")
    return [*axes, f'<polyline points="{path}" class="curve c0"/>', last]


def _table(found: Trust) -> str:
    rows = "".join(
        f"<tr><th>{one.confidence:.2f}</th><td>{one.f1:.2f}</td><td>{one.pages}</td></tr>"
        for one in found.bins
    )
    return (
        '<div class="scroll"><table><thead><tr><th>confidence</th><th>mean F1</th><th>pages</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )
