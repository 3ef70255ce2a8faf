"""The gate: compare figures of engines on fixed pages with pinned floors.

Figures are deterministic, so a drop comes from a change of the code or of a model, not from chance.
The noise bound covers only rounding in the file and floating point on other machines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from winnow.lab.measure.figures import FIGURE, Better, scaled
from winnow.lab.measure.run import SetFacts
from winnow.lab.measure.runs import Run, groups_of
from winnow.lab.measure.summary import summarise
from winnow.models.errors import WinnowError

# the pinned figures; a ceiling where less is better
PINNED: Final = tuple(FIGURE[key] for key in ("occ_f", "word_f1", "almost_empty"))
NOISE_POINTS: Final = 0.05  # points of 100
BASELINE_ENGINE: Final = "everything"

Figures = Mapping[str, Mapping[str, Mapping[str, float]]]  # engine -> group -> figure -> points


class RegressionError(WinnowError):
    """Floors would be lowered without a decision note."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Figures, and the digests of the pages they come from.

    Attributes:
        digests: set -> hex SHA-256 of its pages and gold texts.
        figures: points of 100, rounded to two digits.
        lowered_by: the decision note that let floors fall when they were pinned; empty if none.
        faults: of documents with default options, per 1,000 documents, by kind.
    """

    digests: Mapping[str, str]
    figures: Figures
    lowered_by: str = ""
    faults: Mapping[str, float] = field(default_factory=dict)


def read_floors(document: bytes) -> dict[str, Measurement]:
    """Return the floors of each selection of pages from a file of `write_floors`.

    Raises:
        ValueError: the file is malformed, or was pinned with another noise bound.
    """
    parsed: dict[str, Any] = orjson.loads(document)
    if parsed.pop("noise_points", None) != NOISE_POINTS:
        raise ValueError(
            f"the floors were pinned with another noise bound than {NOISE_POINTS} points"
        )
    return {
        name: Measurement(
            floors["digests"], floors["figures"], floors["lowered_by"], floors["faults"]
        )
        for name, floors in parsed.items()
    }


def write_floors(floors: Mapping[str, Measurement]) -> bytes:
    """Return the floors as a stable, readable JSON document."""
    selections = {
        name: {
            "digests": f.digests,
            "figures": f.figures,
            "faults": f.faults,
            "lowered_by": f.lowered_by,
        }
        for name, f in floors.items()
    }
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps({"noise_points": NOISE_POINTS, **selections}, option=options)


def measured(
    runs: Sequence[Run], sets: Sequence[SetFacts], faults: Mapping[str, float]
) -> Measurement:
    """Return the pinned figures of all engines on all groups, with the faults of documents."""
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for run in runs:
        for group in groups_of(runs):
            summary = summarise([score for score in run.scores if score.group == group])
            values = {f.key: round(scaled(f, summary) or 0.0, 2) for f in PINNED}
            figures.setdefault(run.engine, {})[group] = values
    return Measurement({facts.name: facts.digest for facts in sets}, figures, faults=faults)


def violations(floors: Measurement, found: Measurement) -> list[str]:
    """Return why a measurement does not pass, one line each; empty when it does."""
    changed = [
        f"{name}: the pages differ from the pages of the floors; pin again"
        for name in sorted(floors.digests.keys() | found.digests.keys())
        if floors.digests.get(name) != found.digests.get(name)
    ]
    if changed:
        return changed
    unpinned = _lacking(floors, found, "no floors; pin it", "has no floor; pin it")
    return [
        *unpinned,
        *_gone(floors, found),
        *_drops(floors, found),
        *_more_faults(floors, found),
        *_below_everything(found),
    ]


def pinned(floors: Measurement | None, found: Measurement, note: str | None) -> Measurement:
    """Return the measurement as the new floors; on the same pages no floor may fall, even by noise.

    `note` names the decision note that says why floors may fall or be removed.

    Raises:
        RegressionError: a floor would fall or be removed without a note.
    """
    if floors is None or note is not None:
        return replace(found, lowered_by=note or "")
    losses = [*_gone(floors, found), *_drops(floors, found), *_more_faults(floors, found)]
    if losses:
        raise RegressionError("\n".join(losses))
    if floors.digests != found.digests:
        return found
    figures = {
        engine: {group: dict(values) for group, values in groups.items()}
        for engine, groups in found.figures.items()
    }
    for engine, group, key, floor in _cells(floors.figures):
        better = max if FIGURE[key].better is Better.HIGHER else min
        figures[engine][group][key] = better(floor, figures[engine][group][key])
    faults = {kind: min(count, floors.faults[kind]) for kind, count in found.faults.items()}
    return replace(found, figures=figures, faults=faults)


def _gone(floors: Measurement, found: Measurement) -> list[str]:
    return _lacking(found, floors, "not measured", "not measured")


def _lacking(less: Measurement, more: Measurement, engine_says: str, cell_says: str) -> list[str]:
    """Yield the engines, and of shared engines the cells, that only one side has."""
    engines = [f"{name}: {engine_says}" for name in more.figures if name not in less.figures]
    cells = [
        f"{engine} on {group}: {FIGURE[key].title} {cell_says}"
        for engine, group, key, _ in _cells(more.figures)
        if engine in less.figures and key not in less.figures[engine].get(group, {})
    ]
    return [*engines, *cells]


def _drops(floors: Measurement, found: Measurement) -> Iterator[str]:
    for engine, group, key, floor in _cells(floors.figures):
        value = found.figures.get(engine, {}).get(group, {}).get(key)
        if value is None:
            continue
        worse = floor - value if FIGURE[key].better is Better.HIGHER else value - floor
        if not worse <= NOISE_POINTS:  # NaN does not pass
            title = FIGURE[key].title
            yield f"{engine} on {group}: {title} {value:.2f}, pinned {floor:.2f}"


def _more_faults(floors: Measurement, found: Measurement) -> Iterator[str]:
    for kind in sorted(floors.faults.keys() | found.faults.keys()):
        pinned, count = floors.faults.get(kind), found.faults.get(kind)
        if pinned is None or count is None:
            yield f"{kind}: {'no floors; pin it' if pinned is None else 'not measured'}"
        elif count > pinned + NOISE_POINTS:
            yield f"{kind}: {count:.2f} in 1,000 documents, pinned {pinned:.2f}"


def _below_everything(found: Measurement) -> Iterator[str]:
    everything = found.figures.get(BASELINE_ENGINE, {})
    for engine, group, key, value in _cells(found.figures):
        kept = everything.get(group, {}).get("occ_f", 0.0)
        if key == "occ_f" and value < kept:
            yield f"{engine} on {group}: occ F {value:.2f}, below keeping everything ({kept:.2f})"


def _cells(figures: Figures) -> Iterator[tuple[str, str, str, float]]:
    for engine, groups in figures.items():
        for group, values in groups.items():
            for key, value in values.items():
                yield engine, group, key, value
