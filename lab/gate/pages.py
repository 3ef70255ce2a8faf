"""The fixed pages that the gate runs engines on: sites of the test part of the public sets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from winnow.lab.gate.floors import Measurement, measured
from winnow.lab.measure.engines import ENGINES, build_engine
from winnow.lab.measure.run import Evaluation
from winnow.lab.sets.conventions import CONVENTIONS
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks

SETS: Final = tuple(sorted(CONVENTIONS))
# the sample is small enough for every run of the tests, the full part for `make quality`
SELECTIONS: Final[Mapping[str, Selection]] = {
    "sample": Selection(part=Part.TEST, limit=40),
    "full": Selection(part=Part.TEST),
}


def measure(selection: str, folder: Path) -> Measurement:
    """Run every engine over the pages of a selection; `folder` holds the archives of `SETS`.

    Raises:
        LabelledError: an archive is missing or damaged.
    """
    evaluation = Evaluation({name: build_engine(name) for name in ENGINES})
    for name in SETS:
        source = folder / f"{name}.tar.zst"
        pages = tasks(source, gold_set_of(source), SELECTIONS[selection])
        evaluation.add_set(name, pages, {}, lambda _: None)
    return measured(evaluation.runs(), evaluation.sets)
