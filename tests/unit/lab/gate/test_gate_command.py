"""The gate as a command: it fails on a loss, and pins no loss without a note."""

from pathlib import Path

import pytest

from winnow.lab.gate import __main__ as gate
from winnow.lab.gate.floors import Measurement, pinned, read_floors, write_floors

NOTE = "0070-x.md"


def a_measurement(occ_f: float) -> Measurement:
    return Measurement({"set": "d"}, {"hybrid": {"set": {"occ_f": occ_f}}})


@pytest.fixture
def floors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    notes = tmp_path / "docs" / "decisions"
    notes.mkdir(parents=True)
    (notes / NOTE).touch()
    (tmp_path / NOTE).touch()
    path = tmp_path / "baseline.json"
    path.write_bytes(write_floors({"sample": a_measurement(90), "full": a_measurement(80)}))
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "FLOORS", path)
    monkeypatch.setattr(gate, "NOTES", notes)
    return path


def run(monkeypatch: pytest.MonkeyPatch, found: float, *arguments: str) -> object:
    """Run the command on pages of that figure; return its exit code."""
    monkeypatch.setattr(gate, "measure", lambda *_: a_measurement(found))
    monkeypatch.setattr("sys.argv", ["gate.py", *arguments])
    try:
        gate.main()
    except SystemExit as end:
        return end.code
    return 0


@pytest.mark.parametrize(
    ("selection", "found", "code"),
    [("sample", 90.0, 0), ("sample", 85.0, 1), ("full", 85.0, 0), ("full", 79.0, 1)],
)
@pytest.mark.usefixtures("floors")
def test_gate_fails_below_the_floors_of_the_selection(
    monkeypatch: pytest.MonkeyPatch, selection: str, found: float, code: int
) -> None:
    assert run(monkeypatch, found, selection) == code


def test_gate_pins_gains_of_one_selection(floors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, 95, "sample", "--update") == 0

    assert read_floors(floors.read_bytes()) == {
        "sample": a_measurement(95),
        "full": a_measurement(80),
    }


@pytest.mark.parametrize(
    ("note", "why"),
    [
        (None, "--allow-regression NOTE"),
        (NOTE, "not a decision note"),
        (f"docs/decisions/0071-{NOTE}", "not a decision note"),
    ],
    ids=["no note", "a file elsewhere", "a note that is not there"],
)
def test_gate_pins_no_loss_without_a_decision_note(
    floors: Path, monkeypatch: pytest.MonkeyPatch, note: str | None, why: str
) -> None:
    before = floors.read_bytes()
    given = [] if note is None else ["--allow-regression", str(floors.parent / note)]

    code = run(monkeypatch, 85, "sample", "--update", *given)

    assert why in str(code)
    assert floors.read_bytes() == before


def test_gate_names_the_note_that_let_a_floor_fall(
    floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = str(floors.parent / "docs/decisions" / NOTE)

    assert run(monkeypatch, 85, "sample", "--update", "--allow-regression", note) == 0

    assert read_floors(floors.read_bytes())["sample"] == pinned(None, a_measurement(85), NOTE)
