"""The drawing of a soak: one panel a measure, each with its verdict."""

from xml.etree import ElementTree as ET

import pytest

from tests.soak.drawing import BAD, Line, Panel, draw, round_top, sentence
from tests.soak.trend import fit

TIMES_S = [5.0 * number for number in range(120)]
SVG = "{http://www.w3.org/2000/svg}"


def a_line(slope: float = 0.0, label: str = "worker 0") -> Line:
    values = [100 + slope * time_s / 3600 for time_s in TIMES_S]
    return Line(label, TIMES_S, values, fit(TIMES_S, values, tolerance=5))


def test_every_line_is_drawn_with_its_trend() -> None:
    panels = [
        Panel("memory, MiB", "MiB", [a_line(), a_line(label="worker 1")]),
        Panel("lag, pages", "pages", [a_line(label="group")]),
    ]

    root = ET.fromstring(draw("two <workers>", panels))

    assert len(root.findall(f"{SVG}g")) == 2
    assert len(root.findall(f".//{SVG}polyline")) == 3
    assert len(root.findall(f".//{SVG}line[@class='trend']")) == 3
    assert "two <workers>" in "".join(root.itertext())


def test_points_lie_within_their_panel() -> None:
    root = ET.fromstring(draw("x", [Panel("memory", "MiB", [a_line(slope=1000)])]))

    drawn = root.find(f".//{SVG}polyline")
    assert drawn is not None
    points = [tuple(map(float, each.split(","))) for each in drawn.attrib["points"].split()]
    assert len(points) == len(TIMES_S)
    assert all(64 <= x <= 444 and 50 <= y <= 206 for x, y in points)
    assert points[0][1] > points[-1][1]  # up is more


def test_zeros_alone_can_be_drawn() -> None:
    values = [0.0] * len(TIMES_S)
    line = Line("group", TIMES_S, values, fit(TIMES_S, values, tolerance=1))

    ET.fromstring(draw("x", [Panel("lag", "pages", [line])]))


@pytest.mark.parametrize(
    ("value", "top"), [(0, 1), (0.9, 1), (16, 16), (91.4, 100), (128.7, 160), (593, 600)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert round_top(value) == pytest.approx(top)


def test_a_growing_line_is_marked() -> None:
    assert BAD in draw("x", [Panel("memory", "MiB", [a_line(slope=60)])])
    assert BAD not in draw("x", [Panel("memory", "MiB", [a_line()])])


def test_the_sentence_has_the_figures_of_a_line() -> None:
    assert sentence(a_line(slope=60), "MiB") == ("worker 0: growing, +60.00 ± 0.00 MiB/h at 109.9")
