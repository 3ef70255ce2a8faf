"""Drawings of the simulation: cost against waiting for each rule, and pods over a day."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Final

from bench.capacity.simulation import Outcome

WIDTH, HEIGHT = 400, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 34, 42
COLOURS: Final = (
    *("#1b6ca8", "#c2571a", "#3a7d44", "#7b4b94", "#b00020", "#0b7a75"),
    *("#8a6d1b", "#d0478b", "#555555", "#4a6fe3", "#93a31b"),
)
STYLE: Final = (
    "text{font:12px sans-serif;fill:#333}.name{font-weight:bold}.grid{stroke:#ddd}"
    ".line{fill:none;stroke-width:1.4}"
)
LEAST_WAIT_S: Final = 0.1


def costs(outcomes: Mapping[str, Mapping[str, Outcome]]) -> str:
    """Return a panel per crawl: mean pods on x, p99 of the wait on y."""
    rules = list(next(iter(outcomes.values())))
    panels = []
    for place, (crawl, by_rule) in enumerate(outcomes.items()):
        most_pods = 1.1 * max(each.mean_pods for each in by_rule.values())
        top = max(log10(max(each.wait_p99_s, LEAST_WAIT_S)) for each in by_rule.values()) + 0.2
        parts = _frame(crawl, "pods on average", "p99 wait, s")
        low = log10(LEAST_WAIT_S)
        for power in range(int(low), int(top) + 1):
            y = _y((power - low) / (top - low))
            parts += [_grid(y), _text(LEFT - 6, y + 4, f"{10.0**power:g}", "end")]
        for quarter in range(1, 5):
            pods = most_pods * quarter / 4
            parts.append(_text(_x(quarter / 4), HEIGHT - BOTTOM + 16, f"{pods:.1f}", "middle"))
        for number, outcome in enumerate(by_rule.values()):
            wait = log10(max(outcome.wait_p99_s, LEAST_WAIT_S))
            x, y = _x(outcome.mean_pods / most_pods), _y((wait - low) / (top - low))
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{COLOURS[number]}"/>')
        panels.append(f'<g transform="translate({place * WIDTH} 0)">{"".join(parts)}</g>')
    return _file(panels, rules, len(outcomes) * WIDTH)


def days(by_rule: Mapping[str, Outcome], partitions: int) -> str:
    """Return a panel per rule: pods and lag over a day."""
    panels = []
    for place, (rule, outcome) in enumerate(by_rule.items()):
        parts = _frame(rule, "hours", "pods (blue), lag / maximum lag (orange)")
        last = outcome.series[-1][0]
        most_lag = max(1, *(lag for _, lag, _ in outcome.series))
        for quarter in range(5):
            y = _y(quarter / 4)
            parts += [_grid(y), _text(LEFT - 6, y + 4, f"{partitions * quarter / 4:g}", "end")]
            parts.append(
                _text(
                    _x(quarter / 4),
                    HEIGHT - BOTTOM + 16,
                    f"{last / 3600 * quarter / 4:.0f}",
                    "middle",
                )
            )
        pods = [(at / last, pods / partitions) for at, _, pods in outcome.series[::4]]
        lag = [(at / last, lag / most_lag) for at, lag, _ in outcome.series[::4]]
        parts += [_line(lag, COLOURS[1]), _line(pods, COLOURS[0])]
        parts.append(_text(WIDTH - RIGHT, TOP - 16, f"maximum lag {most_lag:,}", "end"))
        panels.append(f'<g transform="translate({place * WIDTH} 0)">{"".join(parts)}</g>')
    return _file(panels, [], len(by_rule) * WIDTH)


def _frame(name: str, across: str, up: str) -> list[str]:
    return [
        f'<text x="{LEFT}" y="{TOP - 16}" class="name">{escape(name)}</text>',
        _text(WIDTH / 2, HEIGHT - 8, across, "middle"),
        f'<g transform="translate(14 {HEIGHT / 2}) rotate(-90)">{_text(0, 0, up, "middle")}</g>',
    ]


def _file(panels: Sequence[str], legend: Sequence[str], width: int) -> str:
    rows = -(-len(legend) // 4)
    height = HEIGHT + rows * 20 + 10
    words = []
    for number, name in enumerate(legend):
        x, y = 20 + number % 4 * width / 4, HEIGHT + 6 + number // 4 * 20
        words.append(f'<circle cx="{x:.0f}" cy="{y}" r="5" fill="{COLOURS[number]}"/>')
        words.append(_text(x + 12, y + 4, name, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f"{''.join([*panels, *words])}</svg>\n"
    )


def _x(share: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share


def _grid(y: float) -> str:
    return f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'


def _line(points: Sequence[tuple[float, float]], colour: str) -> str:
    joined = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in points)
    return f'<polyline points="{joined}" class="line" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
