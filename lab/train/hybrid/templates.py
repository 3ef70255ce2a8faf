"""Knowledge of page templates: the share of content of each, and the error of the trees on it.

A block's template is the hash of its element and the nearest two labelled ancestors, 0 if there are
fewer (`models/kernel/src/engines/hybrid/templates.rs`). A small forest corrects probabilities with
the known templates. In its training, a page itself is left out of the known templates, as for pages
of users.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeVar

import lightgbm
import numpy as np
import numpy.typing as npt

from winnow.lab.train.hybrid.matrix import Choice, Corpus, Floats, Rows
from winnow.models._kernel.lab import HYBRID_MARGIN

Doubles = npt.NDArray[np.float64]
Odds = TypeVar("Odds", Floats, Doubles)

# steps in the file: a signed and an unsigned byte
_SURPRISE_STEPS: Final = 127
_CONTENT_STEPS: Final = 255
# upper limit of a template's page count
_MOST_PAGES: Final = 15
# each mean includes one extra page without surprise and with this share of content
_USUAL_CONTENT: Final = 0.3
# templates with less surprise are left out
_LEAST_SURPRISE: Final = 4
# smaller than the forests of the stages, because it has only five columns
_FOREST: Final[dict[str, Any]] = {
    "num_leaves": 15,
    "learning_rate": 0.1,
    "feature_fraction": 0.6,
    "min_data_in_leaf": 100,
    "max_bin": 255,
}
_TREES: Final = 20


@dataclass(frozen=True, slots=True)
class Known:
    """Means over the pages of a template, one row each, as integers.

    Attributes:
        surprise: label minus probability, -127 to 127.
        content: share of words that are content, 0 to 255.
        pages: number of pages; 0 for an unknown template.
    """

    surprise: npt.NDArray[np.int8]
    content: npt.NDArray[np.uint8]
    pages: npt.NDArray[np.uint8]

    def __getitem__(self, rows: Rows | Choice) -> "Known":
        """Return some of the rows."""
        return Known(self.surprise[rows], self.content[rows], self.pages[rows])


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of a parameter file.

    Attributes:
        hashes: in rising order, one row of `known` each.
        forest: None if no template has two pages.
    """

    hashes: npt.NDArray[np.uint32]
    known: Known
    forest: lightgbm.Booster | None

    def adjusted(self, corpus: Corpus, rows: Rows, probabilities: Floats) -> Floats:
        """Return the probabilities of the rows with the kernel's correction."""
        changed = probabilities.copy()
        if self.forest is None or not len(self.hashes):
            return changed
        hashes = corpus.templates[rows]
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        found = np.nonzero(self.hashes[places] == hashes)[0]
        if len(found):
            odds = log_odds(probabilities[found])
            columns = _columns(odds, corpus.words[rows[found]], self.known[places[found]])
            odds += self.forest.predict(columns, num_threads=1, raw_score=True)
            changed[found] = probability(odds)
        return changed


def fit(
    corpus: Corpus, chosen: Choice, probabilities: Floats, settings: dict[str, Any]
) -> Templates:
    """Collect the templates of the chosen samples.

    Args:
        corpus: all samples.
        chosen: samples to learn from.
        probabilities: one per row, from training without the site of the row.
        settings: defaults of LightGBM for this forest.
    """
    rows = corpus.rows(chosen)
    rows = rows[corpus.templates[rows] != 0]
    words, labels = corpus.words[rows].astype(np.float64), corpus.content[rows]
    # each page with the template has one vote: the mean over its words
    votes = corpus.templates[rows].astype(np.uint64) << 32 | corpus.page[rows].astype(np.uint64)
    pairs, vote = np.unique(votes, return_inverse=True)
    weight = np.bincount(vote, words)
    surprise = np.bincount(vote, words * (labels - probabilities[rows])) / weight
    content = np.bincount(vote, words * labels) / weight
    hashes, place = np.unique((pairs >> 32).astype(np.uint32), return_inverse=True)
    pages = np.bincount(place).astype(np.float64)
    surprises = np.bincount(place, surprise).astype(np.float64)
    contents = np.bincount(place, content).astype(np.float64)
    known = _known(surprises, contents, pages)
    others = _known(surprises[place] - surprise, contents[place] - content, pages[place] - 1)[vote]
    is_known = others.pages > 0
    forest = None
    if is_known.any():
        learned, held_out = rows[is_known], others[is_known]
        odds = log_odds(probabilities[learned])
        data = lightgbm.Dataset(
            _columns(odds, corpus.words[learned], held_out),
            corpus.content[learned],
            weight=corpus.weight[learned],
            init_score=odds,
        )
        forest = lightgbm.train({**settings, **_FOREST}, data, _TREES)
    kept = known.pages > 0
    return Templates(hashes[kept], known[kept], forest)


def _known(surprises: Doubles, contents: Doubles, pages: Doubles) -> Known:
    """Return sums over pages as means that include one extra page."""
    surprise = np.rint(_SURPRISE_STEPS * surprises / (pages + 1))
    content = np.rint(_CONTENT_STEPS * (contents + _USUAL_CONTENT) / (pages + 1))
    counted = np.where(np.abs(surprise) < _LEAST_SURPRISE, 0, np.minimum(pages, _MOST_PAGES))
    return Known(surprise.astype(np.int8), content.astype(np.uint8), counted.astype(np.uint8))


def _columns(odds: Doubles, words: Floats, known: Known) -> Doubles:
    """Return a row per template, in the format of `templates.rs`."""
    return np.stack([odds, words, known.surprise, known.content, known.pages], axis=1)


def log_odds(probabilities: Floats) -> Doubles:
    """Return log-odds of probabilities clipped away from 0 and 1."""
    clipped = np.clip(probabilities.astype(np.float64), HYBRID_MARGIN, 1 - HYBRID_MARGIN)
    return np.asarray(np.log(clipped / (1 - clipped)))


def probability(odds: Odds) -> Odds:
    """Return log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)), odds.dtype)
