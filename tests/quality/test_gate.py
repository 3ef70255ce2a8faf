"""Engines hold their pinned floors on the sample of development pages."""

from pathlib import Path

import pytest

from winnow.lab.gate.floors import read_floors, violations
from winnow.lab.gate.pages import measure

FLOORS = Path(__file__).resolve().parents[2] / "lab" / "gate" / "baseline.json"


@pytest.mark.quality
@pytest.mark.timeout(300)
def test_no_engine_falls_below_its_floors_on_the_sample(shared: Path) -> None:
    floors = read_floors(FLOORS.read_bytes())["sample"]

    found = measure("sample", shared / "pages")

    assert violations(floors, found) == []
