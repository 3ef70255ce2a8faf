"""The figures of a summary, by their names in tables, floors and options."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from winnow.lab.measure.summary import Summary


class Better(Enum):
    """Whether high or low values of a column are good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a summary.

    Attributes:
        key: its name in JSON and in options.
        title: its name in tables.
        of: summary -> value; None if the pages have no such data.
        scale: factor in tables (100 for shares).
    """

    key: str
    title: str
    of: Callable[[Summary], float | None]
    better: Better = Better.HIGHER
    scale: float = 100.0


FIGURES: Final = (
    Figure("occ_precision", "occ P", lambda s: s.occ.precision),
    Figure("occ_recall", "occ R", lambda s: s.occ.recall),
    Figure("occ_f", "occ F", lambda s: s.occ.f),
    Figure("voc_precision", "voc P", lambda s: s.voc.precision),
    Figure("voc_recall", "voc R", lambda s: s.voc.recall),
    Figure("voc_f", "voc F", lambda s: s.voc.f),
    Figure("aligned_precision", "LCS P", lambda s: s.aligned.precision),
    Figure("aligned_recall", "LCS R", lambda s: s.aligned.recall),
    Figure("aligned_f", "LCS F", lambda s: s.aligned.f),
    Figure("word_f1", "word F1", lambda s: s.word_f1),
    Figure("word_similarity", "word sim.", lambda s: s.word_similarity),
    Figure("char_similarity", "char sim.", lambda s: s.char_similarity),
    Figure("cosine", "cosine", lambda s: s.cosine, Better.LOWER, 1.0),
    Figure("euclidean", "euclid", lambda s: s.euclidean, Better.LOWER, 1.0),
    Figure("kl", "KL", lambda s: s.kl, Better.LOWER, 1.0),
    Figure("empty", "empty %", lambda s: s.empty, Better.LOWER),
    Figure("almost_empty", "almost empty %", lambda s: s.almost_empty, Better.LOWER),
    Figure("passages_kept", "with kept %", lambda s: s.passages.kept if s.passages else None),
    Figure(
        "passages_leaked",
        "without leaked %",
        lambda s: s.passages.leaked if s.passages else None,
        Better.LOWER,
    ),
    Figure("passages_f", "passages F", lambda s: s.passages.f if s.passages else None),
    Figure("clean_ms", "CPU ms", lambda s: s.clean_ms, Better.LOWER, 1.0),
    Figure("parse_ratio", "x parse", lambda s: s.parse_ratio or None, Better.LOWER, 1.0),
)
FIGURE: Final[Mapping[str, Figure]] = {figure.key: figure for figure in FIGURES}
# the figures that fit on a terminal
MAIN_FIGURES: Final = tuple(
    FIGURE[key]
    for key in (
        *("occ_precision", "occ_recall", "occ_f", "voc_f", "aligned_f", "word_f1"),
        *("word_similarity", "almost_empty", "passages_f", "parse_ratio"),
    )
)


def scaled(figure: Figure, summary: Summary) -> float | None:
    """Return the figure scaled for tables."""
    value = figure.of(summary)
    return None if value is None else value * figure.scale
