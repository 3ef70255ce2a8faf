"""What is known of the templates of pages: how much of one was content, and how wrong trees were.

A block's template is the hash of its element and the nearest two labelled ones, 0 where there are
fewer (`models/kernel/src/engines/hybrid/templates.rs`). A small forest says what a known template
changes.
It is trained on pages that were looked up without themselves: for it a template is known from other
pages, as it is for the page of a user.
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

# steps of the file, a signed and an unsigned byte
_SURPRISE_STEPS: Final = 127
_CONTENT_STEPS: Final = 255
# pages of a template are counted so far
_MOST_PAGES: Final = 15
# each mean counts one page more than there are: one without surprise, with this share of content
_USUAL_CONTENT: Final = 0.3
# templates that surprise by less are left out
_LEAST_SURPRISE: Final = 4
# smaller than the forests of the stages: it has five columns
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
    """Means over the pages of a template, a row each, in whole steps.

    Attributes:
        surprise: label less probability, -127 to 127.
        content: share of the words that are content, 0 to 255.
        pages: 0 for a template that nothing is known of.
    """

    surprise: npt.NDArray[np.int8]
    content: npt.NDArray[np.uint8]
    pages: npt.NDArray[np.uint8]

    def __getitem__(self, rows: Rows | Choice) -> "Known":
        """Return some of the rows."""
        return Known(self.surprise[rows], self.content[rows], self.pages[rows])


@dataclass(frozen=True, slots=True)
class Templates:
    """What a parameter file holds.

    Attributes:
        hashes: in rising order, a row of `known` each.
        forest: None if no template is known from two pages.
    """

    hashes: npt.NDArray[np.uint32]
    known: Known
    forest: lightgbm.Booster | None

    def adjusted(self, corpus: Corpus, rows: Rows, probabilities: Floats) -> Floats:
        """Return the probabilities of the rows as the kernel changes them."""
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
    """Gather what is known of all templates of the chosen samples.

    Args:
        corpus: all samples.
        chosen: those to learn from.
        probabilities: a row each, by training that did not see the site of the row.
        settings: of LightGBM, where this forest has none of its own.
    """
    rows = corpus.rows(chosen)
    rows = rows[corpus.templates[rows] != 0]
    words, labels = corpus.words[rows].astype(np.float64), corpus.content[rows]
    # one vote a page that has the template: the mean over its words there
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
        learned, told = rows[is_known], others[is_known]
        odds = log_odds(probabilities[learned])
        data = lightgbm.Dataset(
            _columns(odds, corpus.words[learned], told),
            corpus.content[learned],
            weight=corpus.weight[learned],
            init_score=odds,
        )
        forest = lightgbm.train({**settings, **_FOREST}, data, _TREES)
    kept = known.pages > 0
    return Templates(hashes[kept], known[kept], forest)


def _known(surprises: Doubles, contents: Doubles, pages: Doubles) -> Known:
    """Return sums over so many pages as means that count one more."""
    surprise = np.rint(_SURPRISE_STEPS * surprises / (pages + 1))
    content = np.rint(_CONTENT_STEPS * (contents + _USUAL_CONTENT) / (pages + 1))
    counted = np.where(np.abs(surprise) < _LEAST_SURPRISE, 0, np.minimum(pages, _MOST_PAGES))
    return Known(surprise.astype(np.int8), content.astype(np.uint8), counted.astype(np.uint8))


def _columns(odds: Doubles, words: Floats, known: Known) -> Doubles:
    """Return a row for each template, as `templates.rs` writes it."""
    return np.stack([odds, words, known.surprise, known.content, known.pages], axis=1)


def log_odds(probabilities: Floats) -> Doubles:
    """Return log-odds of probabilities that are kept a little from 0 and 1."""
    clipped = np.clip(probabilities.astype(np.float64), HYBRID_MARGIN, 1 - HYBRID_MARGIN)
    return np.asarray(np.log(clipped / (1 - clipped)))


def probability(odds: Odds) -> Odds:
    """Return the probabilities that log-odds stand for."""
    return np.asarray(1 / (1 + np.exp(-odds)), odds.dtype)
