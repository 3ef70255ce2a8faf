"""Numbers -> parts of a drawing: scales, ticks, axes and text as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

# mean width of a character of the labels in a wide font (DejaVu Sans), in units of the drawing
CHAR_WIDTH: Final = 7.2
LABEL_HEIGHT: Final = 14.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from values to positions.

    Attributes:
        low, high: values at both ends, low < high; both positive when `is_log`.
        start, end: positions of both ends.
    """

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a value, limited to the range."""
        share = (self._line(value) - self._line(self.low)) / (
            self._line(self.high) - self._line(self.low)
        )
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, count: int = 6) -> list[float]:
        """Return about `count` round values between the ends."""
        return (
            _log_ticks(self.low, self.high) if self.is_log else _ticks(self.low, self.high, count)
        )

    def _line(self, value: float) -> float:
        return log10(max(value, self.low * 1e-6)) if self.is_log else value


@dataclass(frozen=True, slots=True)
class Frame:
    """The area inside the axes."""

    left: float
    top: float
    right: float
    bottom: float


# the style of a drawing in a separate file
_STYLE: Final = (
    "svg{background:#fff}text{font:12px sans-serif;fill:#1d2329}.tick,.title{fill:#5c6670}"
    ".grid{stroke:#d9dee3}.own{fill:#0b62b8}"
)
# Smaller characters need no room in a drawing.
_LEAST_SIZE: Final = 1e-9


def around(values: Sequence[float], margin: float = 0.08) -> tuple[float, float]:
    """Return the minimum and maximum with some margin."""
    low, high = min(values), max(values)
    room = next(size for size in (high - low, abs(high), 1.0) if size > _LEAST_SIZE) * margin
    return low - room, high + room


def number(value: float) -> str:
    """Return a tick's label without unnecessary digits."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    """Return a label; `kind` is its CSS class."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
        f"{escape(content)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def x_axis(frame: Frame, scale: Scale, title: str) -> list[str]:
    """Return grid lines, ticks and title of the horizontal axis."""
    parts = []
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(line(x, frame.top, x, frame.bottom, "grid"))
        parts.append(text(x, frame.bottom + 16, number(tick), "tick", "middle"))
    middle = (frame.left + frame.right) / 2
    return [*parts, text(middle, frame.bottom + 34, title, "title", "middle")]


def y_axis(frame: Frame, scale: Scale, title: str) -> list[str]:
    """Return grid lines, ticks and title of the vertical axis; the title is above it."""
    parts = []
    for tick in scale.ticks():
        y = scale(tick)
        parts.append(line(frame.left, y, frame.right, y, "grid"))
        parts.append(text(frame.left - 8, y + 4, number(tick), "tick", "end"))
    return [*parts, text(frame.left, frame.top - 10, title, "title")]


def drawing(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    """Return an SVG element; `label` is for screen readers."""
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:{width:.0f}px" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def svg_file(svg: str, more: str = "") -> str:
    """Return an element of `drawing` as a separate file, with light colours."""
    opened = svg.index(">") + 1
    root = svg[:opened].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f"{root}<style>{_STYLE}{more}</style>{svg[opened:]}\n"


def _ticks(low: float, high: float, count: int) -> list[float]:
    rough = (high - low) / count
    power = 10.0 ** floor(log10(rough))
    step = min((power * factor for factor in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    return [i * step for i in range(ceil(low / step), floor(high / step) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]
