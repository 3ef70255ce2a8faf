"""Check engines against the floors in lab/gate/baseline.json, or pin new floors.

    python -m winnow.lab.gate sample|full [--pages FOLDER] [--update] [--allow-regression NOTE]

The tests run `sample`; `full` has all pages of sites of the test part. NOTE is the decision note
that says why floors may fall.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from winnow.lab.gate.floors import (
    Measurement,
    RegressionError,
    pinned,
    read_floors,
    violations,
    write_floors,
)
from winnow.lab.gate.pages import SELECTIONS, measure

ROOT: Final = Path(__file__).resolve().parents[2]
FLOORS: Final = Path(__file__).with_name("baseline.json")
NOTES: Final = ROOT / "docs" / "decisions"


def update(selection: str, found: Measurement, note: Path | None) -> None:
    """Write the floors; refuse to lower one without a decision note."""
    if note is not None and (note.resolve().parent != NOTES or not note.is_file()):
        sys.exit(f"{note}: not a decision note in {NOTES.relative_to(ROOT)}")
    floors = read_floors(FLOORS.read_bytes()) if FLOORS.exists() else {}
    try:
        new = pinned(floors.get(selection), found, note.name if note else None)
    except RegressionError as error:
        sys.exit(f"{error}\nnot pinned: use --allow-regression NOTE if a decision note says why")
    FLOORS.write_bytes(write_floors({**floors, selection: new}))


def main() -> None:
    """Exit with 1 when an engine is below a floor."""
    parser = argparse.ArgumentParser()
    parser.add_argument("selection", choices=SELECTIONS)
    parser.add_argument("--pages", type=Path, default=ROOT.parent / "shared" / "pages")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--allow-regression", type=Path, metavar="NOTE")
    arguments = parser.parse_args()
    found = measure(arguments.selection, arguments.pages)
    if arguments.update:
        update(arguments.selection, found, arguments.allow_regression)
        return
    problems = violations(read_floors(FLOORS.read_bytes())[arguments.selection], found)
    print("\n".join(problems) or f"{arguments.selection}: every engine is at its floors or above")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
