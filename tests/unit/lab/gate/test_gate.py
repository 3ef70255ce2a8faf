"""The gate lets gains through and stops losses."""

from collections.abc import Mapping

import pytest

from winnow.lab.gate.floors import (
    NOISE_POINTS,
    Measurement,
    RegressionError,
    measured,
    pinned,
    read_floors,
    violations,
    write_floors,
)
from winnow.lab.measure.run import SetFacts
from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import Costs, score_page
from winnow.lab.sets.gold import GoldPage


def a_measurement(digest: str = "d", **engines: Mapping[str, float]) -> Measurement:
    figures = {name: {"set": {"occ_f": 60.0, **values}} for name, values in engines.items()}
    return Measurement({"set": digest}, figures)


def test_gate_passes_when_figures_are_the_same_or_better() -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0, "almost_empty": 2.0})

    assert violations(floors, floors) == []
    assert violations(floors, a_measurement(hybrid={"occ_f": 95.0, "almost_empty": 0.0})) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"occ_f": 89.94, "almost_empty": 2.0}, "hybrid on set: occ F 89.94, pinned 90.00"),
        ({"occ_f": 90.0, "almost_empty": 2.1}, "almost empty % 2.10, pinned 2.00"),
    ],
)
def test_gate_stops_a_loss_beyond_the_noise(values: Mapping[str, float], message: str) -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0, "almost_empty": 2.0})

    (violation,) = violations(floors, a_measurement(hybrid=values))

    assert violation.endswith(message)


def test_gate_lets_a_loss_inside_the_noise_through() -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0})

    assert violations(floors, a_measurement(hybrid={"occ_f": 90.0 - 0.9 * NOISE_POINTS})) == []


def test_gate_stops_when_the_pages_differ_from_the_pages_of_the_floors() -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0})

    (violation,) = violations(floors, a_measurement("other", hybrid={"occ_f": 99.0}))

    assert violation.startswith("set: the pages differ")


def test_gate_stops_engines_that_came_or_went_unpinned() -> None:
    found = violations(a_measurement(old={}), a_measurement(new={}))

    assert found == ["new: no floors; pin it", "old: not measured"]


def test_gate_stops_when_documents_have_more_faults() -> None:
    def counted(**faults: float) -> Measurement:
        return Measurement({"set": "d"}, {}, faults=faults)

    floors = counted(holes=2.0, cuts=5.0)

    assert violations(floors, counted(holes=2.0, cuts=1.0)) == []
    assert violations(floors, counted(holes=3.0, cuts=5.0)) == [
        "holes: 3.00 in 1,000 documents, pinned 2.00"
    ]
    assert violations(floors, counted(holes=2.0)) == ["cuts: not measured"]
    assert pinned(floors, counted(holes=2.04, cuts=1.0), note=None).faults == {
        "holes": 2.0,
        "cuts": 1.0,
    }
    with pytest.raises(RegressionError, match="holes"):
        pinned(floors, counted(holes=3.0, cuts=5.0), note=None)


def test_gate_stops_an_engine_below_keeping_everything_even_when_it_was_pinned_there() -> None:
    floors = a_measurement(everything={"occ_f": 70.0}, perplexity={"occ_f": 69.0})

    (violation,) = violations(floors, floors)

    assert violation == "perplexity on set: occ F 69.00, below keeping everything (70.00)"


def test_gate_stops_when_a_set_or_a_group_or_a_figure_is_gone_or_has_no_floor() -> None:
    engine = {"set": {"occ_f": 90.0, "word_f1": 80.0}, "set/folder": {"occ_f": 70.0}}
    whole = Measurement({"set": "d"}, {"hybrid": engine})
    part = Measurement({"set": "d"}, {"hybrid": {"set": {"occ_f": 90.0}}})

    gone, unpinned = violations(whole, part), violations(part, whole)
    (no_set,) = violations(Measurement({"set": "d", "other": "e"}, whole.figures), whole)

    assert gone == [
        "hybrid on set: word F1 not measured",
        "hybrid on set/folder: occ F not measured",
    ]
    assert unpinned == [
        "hybrid on set: word F1 has no floor; pin it",
        "hybrid on set/folder: occ F has no floor; pin it",
    ]
    assert no_set.startswith("other: the pages differ")


def test_pinning_refuses_to_forget_a_floor_without_a_decision_note() -> None:
    floors, fewer = a_measurement(hybrid={}, contrast={}), a_measurement(hybrid={})

    with pytest.raises(RegressionError, match="contrast: not measured"):
        pinned(floors, fewer, note=None)
    assert pinned(floors, fewer, note="0070-x.md").figures == fewer.figures


def test_pinning_again_and_again_does_not_wear_a_floor_down_by_the_noise() -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0, "almost_empty": 1.0})
    less = a_measurement(hybrid={"occ_f": 90.0 - NOISE_POINTS, "almost_empty": 1.0 - NOISE_POINTS})

    again = pinned(floors, less, note=None)

    assert again.figures["hybrid"]["set"] == {"occ_f": 90.0, "almost_empty": 1.0 - NOISE_POINTS}
    # of other pages the figures are new, and may differ by the noise
    others = a_measurement("other", hybrid={"occ_f": 89.96, "almost_empty": 1.0})
    assert pinned(floors, others, note=None) == others


def test_pinning_refuses_to_lower_a_floor_without_a_decision_note() -> None:
    floors, worse = a_measurement(hybrid={"occ_f": 90.0}), a_measurement(hybrid={"occ_f": 80.0})

    with pytest.raises(RegressionError, match=r"occ F 80\.00, pinned 90\.00"):
        pinned(floors, worse, note=None)
    lowered = pinned(floors, worse, note="0070-x.md")
    assert (lowered.figures, lowered.lowered_by) == (worse.figures, "0070-x.md")


def test_pinning_takes_what_it_finds_when_there_were_no_floors() -> None:
    found = a_measurement(hybrid={"occ_f": 10.0})

    assert pinned(None, found, note=None) == found


def test_pinning_refuses_lower_floors_when_a_page_was_changed_too() -> None:
    floors = a_measurement(hybrid={"occ_f": 90.0})

    with pytest.raises(RegressionError):
        pinned(floors, a_measurement("other", hybrid={"occ_f": 80.0}), note=None)


def test_floors_survive_their_file() -> None:
    floors = {
        "sample": a_measurement(hybrid={"occ_f": 90.0}),
        "full": pinned(None, a_measurement(x={}), "0070-x.md"),
    }

    assert read_floors(write_floors(floors)) == floors


def test_floors_of_another_noise_bound_are_refused() -> None:
    with pytest.raises(ValueError, match="noise bound"):
        read_floors(b'{"noise_points": 5.0}')


def test_measured_rounds_the_pinned_figures_of_every_engine_and_group() -> None:
    page = GoldPage("set/1", "set", "the grain stays")
    run = Run("hybrid", (score_page("the grain", page, Costs()),))

    found = measured([run], [SetFacts("set", 1, "d")], {"holes": 1.0})

    assert found == Measurement(
        {"set": "d"},
        {"hybrid": {"set": {"occ_f": 80.0, "word_f1": 80.0, "almost_empty": 0.0}}},
        faults={"holes": 1.0},
    )
