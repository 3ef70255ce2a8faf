"""Draw figures of engines: cost against quality, distributions, intervals, curves."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from winnow.lab.measure.bootstrap import Interval
from winnow.lab.measure.sweep import Curve
from winnow.lab.report.svg import (
    CHAR_WIDTH,
    LABEL_HEIGHT,
    Frame,
    Scale,
    around,
    drawing,
    line,
    text,
    x_axis,
    y_axis,
)

_WIDTH: Final = 620.0
_ROW: Final = 22.0
_BOLD: Final = 1.15  # width of bold labels relative to normal ones


@dataclass(frozen=True, slots=True)
class Point:
    """A labelled point; `is_own` highlights Winnow's engines."""

    label: str
    x: float
    y: float
    is_own: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """Five quantiles of a figure over pages: 5, 25, 50, 75 and 95 %."""

    label: str
    quantiles: tuple[float, float, float, float, float]
    is_own: bool


def scatter(points: Sequence[Point], x_title: str, y_title: str) -> str:
    """Draw labelled points; x is positive and on a logarithmic scale."""
    frame = Frame(44, 34, _WIDTH - 12, 380)
    xs = [point.x for point in points]
    x = Scale(min(xs) / 1.5, max(xs) * 2.5, frame.left, frame.right, is_log=True)
    y = Scale(*around([point.y for point in points]), frame.bottom, frame.top)
    parts = [*x_axis(frame, x, x_title), *y_axis(frame, y, y_title)]
    taken = [_box(x(p.x) - 5, y(p.y) - 5, 10, 10) for p in points]
    for point in sorted(points, key=lambda p: (not p.is_own, -p.y)):
        kind = "own" if point.is_own else "peer"
        parts.append(f'<circle cx="{x(point.x):.1f}" cy="{y(point.y):.1f}" r="5" class="{kind}"/>')
        parts.append(_label(point, x(point.x), y(point.y), taken, frame))
    return drawing(_WIDTH, frame.bottom + 44, f"{y_title} against {x_title}", parts)


def spreads(rows: Sequence[Spread], x_title: str) -> str:
    """Draw one line per row from the 5 % to the 95 % quantile, with a bar for the middle half."""
    frame = _rows_frame([_text_width(row.label, is_own=row.is_own) for row in rows])
    x = Scale(0, 100, frame.left, frame.right)
    parts = x_axis(frame, x, x_title)
    for number, row in enumerate(rows):
        y = frame.top + _ROW * (number + 0.5)
        kind = "own" if row.is_own else "peer"
        low, first, middle, third, high = (x(100 * quantile) for quantile in row.quantiles)
        parts.append(text(frame.left - 10, y + 4, row.label, f"label {kind}", "end"))
        parts.append(line(low, y, high, y, f"whisker {kind}"))
        parts.append(
            f'<rect x="{first:.1f}" y="{y - 6:.1f}" width="{max(third - first, 1):.1f}" height="12"'
            f' class="bar {kind}"/>'
        )
        parts.append(line(middle, y - 8, middle, y + 8, "median"))
    return drawing(frame.right + 16, frame.bottom + 44, f"distribution of {x_title}", parts)


def forest(rows: Sequence[tuple[str, Interval]], x_title: str) -> str:
    """Draw differences with their intervals around zero."""
    frame = _rows_frame([_text_width(label, is_own=False) for label, _ in rows])
    ends = [value for _, found in rows for value in (found.low, found.high)]
    x = Scale(*around([0.0, *ends]), frame.left, frame.right)
    parts = [*x_axis(frame, x, x_title), line(x(0), frame.top, x(0), frame.bottom, "zero")]
    for number, (label, found) in enumerate(rows):
        y = frame.top + _ROW * (number + 0.5)
        kind = "better" if found.low > 0 else "worse" if found.high < 0 else "unsure"
        parts.append(text(frame.left - 10, y + 4, label, "label", "end"))
        parts.append(line(x(found.low), y, x(found.high), y, f"whisker {kind}"))
        parts.append(f'<circle cx="{x(found.value):.1f}" cy="{y:.1f}" r="4" class="{kind}"/>')
    return drawing(frame.right + 16, frame.bottom + 44, x_title, parts)


def curves(drawn: Sequence[Curve], x_title: str, y_title: str) -> str:
    """Draw curves, labelled at their ends; x is logarithmic if it spans a power of ten above 0."""
    frame = Frame(44, 34, _WIDTH - 130, 340)
    xs = [x for one in drawn for x, _ in one.points]
    ys = [y for one in drawn for _, y in one.points]
    low, high = min(xs), max(xs)
    high = high if high > low else low + (abs(low) or 1.0) / 100
    x = Scale(low, high, frame.left, frame.right, is_log=0 < 10 * low <= high)
    y = Scale(*around(ys), frame.bottom, frame.top)
    parts = [*x_axis(frame, x, x_title), *y_axis(frame, y, y_title)]
    ends = _apart([y(one.points[-1][1]) for one in drawn])
    for number, (one, end) in enumerate(zip(drawn, ends, strict=True)):
        path = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in one.points)
        parts.append(f'<polyline points="{path}" class="curve c{number % 6}"/>')
        parts.append(text(frame.right + 8, end + 4, one.label, f"label c{number % 6}"))
    return drawing(_WIDTH, frame.bottom + 44, f"{y_title} against {x_title}", parts)


def _rows_frame(label_widths: Sequence[float]) -> Frame:
    """Return a frame with a line per label, and room for the longest label on the left."""
    left = max(156.0, 10 + max(label_widths))
    return Frame(left, 12, left + 448, 12 + _ROW * len(label_widths))


def _text_width(label: str, *, is_own: bool) -> float:
    return (_BOLD if is_own else 1.0) * CHAR_WIDTH * len(label)


_Box = tuple[float, float, float, float]


def _box(x: float, y: float, width: float, height: float) -> _Box:
    return x, y, x + width, y + height


def _label(point: Point, x: float, y: float, taken: list[_Box], frame: Frame) -> str:
    """Place the label where it covers nothing, near the point if possible."""
    width = _text_width(point.label, is_own=point.is_own)
    places = [
        (x + side * 9 - (width if side < 0 else 0), y + down)
        for down in (4.0, 16.0, -8.0, 28.0, -20.0, 40.0, -32.0)
        for side in (1, -1)
    ]
    best = min(
        places,
        key=lambda place: _cover(
            _box(place[0], place[1] - LABEL_HEIGHT + 3, width, LABEL_HEIGHT), taken, frame
        ),
    )
    taken.append(_box(best[0], best[1] - LABEL_HEIGHT + 3, width, LABEL_HEIGHT))
    return text(best[0], best[1], point.label, "label own" if point.is_own else "label peer")


def _cover(box: _Box, taken: Sequence[_Box], frame: Frame) -> float:
    """Return the area of a box that covers other boxes or lies outside the frame."""
    inside = _common(box, (frame.left, frame.top - 20, frame.right, frame.bottom))
    area = (box[2] - box[0]) * (box[3] - box[1])
    return sum(_common(box, other) for other in taken) + 10 * (area - inside)


def _common(box: _Box, other: _Box) -> float:
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def _apart(positions: Sequence[float]) -> list[float]:
    """Move positions down until their distances are at least the height of a label."""
    moved = list(positions)
    order = sorted(range(len(moved)), key=lambda index: moved[index])
    for above, below in itertools.pairwise(order):
        moved[below] = max(moved[below], moved[above] + LABEL_HEIGHT)
    return moved
