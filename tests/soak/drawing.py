"""Samples and their trends -> one SVG of small multiples: a panel for each measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

from tests.soak.trend import Trend, Verdict

PANEL_WIDTH: Final = 460
PANEL_HEIGHT: Final = 240
COLUMNS: Final = 2
TOP: Final = 60
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 64, 16, 50, 34
TICKS: Final = 4
ANCHORS: Final = ("start", "middle", "middle", "middle", "end")
ROUND: Final = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # with TICKS parts that can be read
COLOURS: Final = ("#1b6ca8", "#c2571a", "#3a7d44", "#7b4b94")
INK: Final = "#333"
BAD: Final = "#b00020"
STYLE: Final = (
    f"text{{font:12px sans-serif;fill:{INK}}}"
    ".head{font-size:16px}.name{font-weight:bold}"
    ".grid{stroke:#ddd}.samples{fill:none;stroke-width:1.2;opacity:.75}"
    ".trend{stroke-width:2;stroke-dasharray:7 4}"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One measure of one process, or of all: its samples, and the line through them."""

    label: str
    times_s: Sequence[float]
    values: Sequence[float]
    trend: Trend


@dataclass(frozen=True, slots=True)
class Panel:
    """One measure, with a line for each process."""

    title: str
    unit: str
    lines: Sequence[Line]


def draw(title: str, panels: Sequence[Panel]) -> str:
    """Return a whole SVG file."""
    rows = -(-len(panels) // COLUMNS)
    width, height = COLUMNS * PANEL_WIDTH, TOP + rows * PANEL_HEIGHT
    parts = [f'<text x="16" y="32" class="head">{escape(title)}</text>']
    for number, panel in enumerate(panels):
        row, column = divmod(number, COLUMNS)
        shift = f"translate({column * PANEL_WIDTH} {TOP + row * PANEL_HEIGHT})"
        parts.append(f'<g transform="{shift}">{"".join(_panel(panel))}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="white"/>{"".join(parts)}</svg>\n'
    )


def sentence(line: Line, unit: str) -> str:
    """Return the verdict on a line with its numbers."""
    trend = line.trend
    slope = f"{trend.slope:+.2f} ± {trend.margin:.2f}"
    level = f"at {trend.at(line.times_s[-1]):,.1f}"
    return f"{line.label}: {trend.verdict}, {slope} {unit}/h {level}"


def round_top(value: float) -> float:
    """Return the least round number that is not below a value."""
    power = 10.0 ** floor(log10(value)) if value > 0 else 1.0
    return next(power * step for step in ROUND if power * step >= value)


def _panel(panel: Panel) -> list[str]:
    last_s = max(line.times_s[-1] for line in panel.lines)
    top = round_top(max(max(line.values) for line in panel.lines))
    right, bottom = PANEL_WIDTH - MARGIN_RIGHT, PANEL_HEIGHT - MARGIN_BOTTOM

    def at(time_s: float, value: float) -> str:
        x = MARGIN_LEFT + (right - MARGIN_LEFT) * time_s / last_s
        return f"{x:.1f},{bottom - (bottom - MARGIN_TOP) * value / top:.1f}"

    parts = [f'<text x="{MARGIN_LEFT}" y="14" class="name">{escape(panel.title)}</text>']
    for tick in range(TICKS + 1):
        value = top * tick / TICKS
        y = bottom - (bottom - MARGIN_TOP) * tick / TICKS
        x = MARGIN_LEFT + (right - MARGIN_LEFT) * tick / TICKS
        parts += [
            f'<line x1="{MARGIN_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" class="grid"/>',
            _label(MARGIN_LEFT - 6, y + 4, f"{value:,.4g}", "end"),
            _label(x, bottom + 18, f"{last_s * tick / TICKS / 60:.1f} min", ANCHORS[tick]),
        ]
    for number, line in enumerate(panel.lines):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(at(*each) for each in zip(line.times_s, line.values, strict=True))
        ends = [at(each, line.trend.at(each)).split(",") for each in (line.trend.start_s, last_s)]
        (x1, y1), (x2, y2) = ends
        fill = BAD if line.trend.verdict is Verdict.GROWING else colour
        parts += [
            f'<polyline points="{points}" class="samples" stroke="{colour}"/>',
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="trend" stroke="{colour}"/>',
            _label(MARGIN_LEFT, 29 + 14 * number, sentence(line, panel.unit), "start", fill),
        ]
    return parts


def _label(x: float, y: float, words: str, anchor: str, fill: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="fill:{fill}">'
        f"{escape(words)}</text>"
    )
