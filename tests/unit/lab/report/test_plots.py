"""Drawings: well-formed, inside their frame, and saying what the figures say."""

import itertools
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.lab.measure.bootstrap import Interval
from winnow.lab.measure.sweep import Curve
from winnow.lab.report.plots import Point, Spread, curves, forest, scatter, spreads
from winnow.lab.report.svg import CHAR_WIDTH, Scale, around, number

VALUES = st.floats(min_value=-1e6, max_value=1e6)
COSTS = st.floats(min_value=0.01, max_value=1e5)


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def kinds(svg: str, tag: str) -> list[str]:
    return [element.attrib["class"] for element in parsed(svg).iter(tag)]


def test_scale_maps_ends_to_ends_and_keeps_the_rest_between() -> None:
    scale = Scale(0, 10, 100, 0)

    assert [scale(value) for value in (0, 5, 10, 99)] == [100, 50, 0, 0]


def test_log_scale_puts_equal_factors_at_equal_distances() -> None:
    scale = Scale(1, 100, 0, 10, is_log=True)

    assert scale(10) == pytest.approx(5)
    assert scale.ticks() == [1, 2, 5, 10, 20, 50, 100]


@given(VALUES, st.floats(min_value=1e-3, max_value=1e6))
def test_ticks_are_few_round_and_inside(low: float, width: float) -> None:
    ticks = Scale(low, low + width, 0, 1).ticks()

    assert 2 <= len(ticks) <= 14
    assert all(low - 1e-6 * width <= tick <= low + width * (1 + 1e-6) for tick in ticks)


def test_around_leaves_room_for_a_single_value() -> None:
    low, high = around([5.0])

    assert low < 5.0 < high


@pytest.mark.parametrize("values", [[0.0], [5e-324], [0.0, 5e-324], [-1e-300, 1e-300]])
def test_around_leaves_room_for_values_too_small_to_tell_apart(values: list[float]) -> None:
    low, high = around(values)

    assert low < min(values) <= max(values) < high
    assert Scale(low, high, 0, 1).ticks()


def test_number_shows_only_digits_of_a_tick() -> None:
    assert [number(value) for value in (0.5, 20.0, 12000.0)] == ["0.5", "20", "12,000"]


@given(st.lists(st.tuples(COSTS, VALUES), min_size=1, max_size=20))
def test_scatter_keeps_every_point_and_label_for_any_values(
    values: list[tuple[float, float]],
) -> None:
    points = [Point(f"tool <{i}>", x, y, i == 0) for i, (x, y) in enumerate(values)]

    svg = scatter(points, "cost", "quality & more")

    assert sorted(kinds(svg, "circle")) == sorted(["own"] + ["peer"] * (len(points) - 1))
    texts = {element.text for element in parsed(svg).iter("text")}
    assert {point.label for point in points} <= texts


@pytest.mark.parametrize("label", ["hybrid", "hybrid:training=open,comments=keep"])
def test_rows_leave_room_for_their_labels(label: str) -> None:
    quantiles = (0.0, 0.2, 0.4, 0.6, 1.0)

    for svg in (
        spreads([Spread(label, quantiles, True)], "x"),
        forest([(label, Interval(1, 0, 2))], "x"),
    ):
        (end,) = [float(e.attrib["x"]) for e in parsed(svg).iter("text") if e.text == label]
        _, _, width, _ = map(float, parsed(svg).attrib["viewBox"].split())
        assert end > CHAR_WIDTH * len(label) - 1
        assert all(float(e.attrib["x2"]) <= width for e in parsed(svg).iter("line"))


def test_scatter_labels_do_not_cover_each_other_when_points_coincide() -> None:
    svg = scatter([Point(f"tool-{i}", 10.0, 50.0, False) for i in range(4)], "x", "y")

    places = {
        (element.attrib["x"], element.attrib["y"])
        for element in parsed(svg).iter("text")
        if element.attrib["class"] == "label peer"
    }
    assert len(places) == 4


def test_spreads_draw_the_middle_half_as_a_bar() -> None:
    svg = spreads([Spread("engine", (0.0, 0.25, 0.5, 0.75, 1.0), True)], "F1")

    (bar,) = parsed(svg).iter("rect")
    whisker = next(e for e in parsed(svg).iter("line") if "whisker" in e.attrib["class"])
    reach = float(whisker.attrib["x2"]) - float(whisker.attrib["x1"])
    assert float(bar.attrib["width"]) == pytest.approx(reach / 2, abs=0.2)


def test_forest_distinguishes_better_worse_and_unsure() -> None:
    rows = [
        ("beaten", Interval(3, 1, 5)),
        ("level", Interval(0.5, -1, 2)),
        ("ahead", Interval(-2, -3, -1)),
    ]

    assert kinds(forest(rows, "points"), "circle") == ["better", "unsure", "worse"]


def test_curves_name_every_series_without_overlap() -> None:
    series = [Curve(name, ((10.0, 1.0), (100.0, 2.0))) for name in ("P", "R", "F")]

    svg = curves(series, "threshold", "x 100")

    heights = sorted(
        float(e.attrib["y"])
        for e in parsed(svg).iter("text")
        if e.attrib["class"].startswith("label")
    )
    assert len(heights) == 3
    assert all(b - a >= 13.9 for a, b in itertools.pairwise(heights))


@pytest.mark.parametrize(
    ("xs", "middle"),
    [((10.0, 100.0, 1000.0), 0.5), ((-1.0, 0.0, 3.0), 0.25), ((0.2, 0.4, 1.0), 0.25)],
)
def test_curves_are_logarithmic_when_they_span_a_power_of_ten_above_zero(
    xs: tuple[float, ...], middle: float
) -> None:
    svg = curves([Curve("F", tuple((x, x) for x in xs))], "threshold", "x 100")

    (line,) = parsed(svg).iter("polyline")
    left, inside, right = (float(pair.split(",")[0]) for pair in line.attrib["points"].split())
    assert (inside - left) / (right - left) == pytest.approx(middle, abs=1e-3)
