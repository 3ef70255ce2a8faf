"""The fixed pages of the gate: sites of the test part of the public sets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from winnow.lab.gate.floors import Measurement, measured
from winnow.lab.measure import integrity
from winnow.lab.measure.engines import ENGINES, build_engine
from winnow.lab.measure.faults import Fault
from winnow.lab.measure.integrity import WHOLE, Source
from winnow.lab.measure.run import Evaluation
from winnow.lab.sets.conventions import CONVENTIONS
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models import Cleaner

SETS: Final = tuple(sorted(CONVENTIONS))
# the sample is small enough for every run of the tests, the full part for `make quality`
SELECTIONS: Final[Mapping[str, Selection]] = {
    "sample": Selection(part=Part.TEST, limit=40),
    "full": Selection(part=Part.TEST),
}


def measure(selection: str, folder: Path) -> Measurement:
    """Run every engine over the pages of a selection, and count the faults of documents.

    `folder` holds the archives of `SETS`.

    Raises:
        LabelledError: an archive is missing or damaged.
    """
    evaluation = Evaluation({name: build_engine(name) for name in ENGINES})
    for name in SETS:
        source = folder / f"{name}.tar.zst"
        pages = tasks(source, gold_set_of(source), SELECTIONS[selection])
        evaluation.add_set(name, pages, {}, lambda _: None)
    return measured(evaluation.runs(), evaluation.sets, _faults(selection, folder))


def _faults(selection: str, folder: Path) -> dict[str, float]:
    sources = (folder / f"{name}.tar.zst" for name in SETS)
    pages = (
        Source(task.page, task.wanted.text)
        for source in sources
        for task in tasks(source, gold_set_of(source), SELECTIONS[selection])
    )
    counts = integrity.measure(pages, Cleaner())[WHOLE]
    return {str(fault): round(counts.per_thousand(fault), 2) for fault in Fault}
