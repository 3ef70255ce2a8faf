"""Two stages of boosted trees, one for comments, one a page type."""

from dataclasses import dataclass, replace
from typing import Any, Final

import lightgbm
import numpy as np
import numpy.typing as npt

from bench.quality.train import lexicon, recurrent, templates
from bench.quality.train.lexicon import Lexicon
from bench.quality.train.matrix import Corpus, Floats, Rows, second_of
from bench.quality.train.recurrent import Network
from bench.quality.train.templates import Templates, log_odds, probability
from models.evaluation.splits import fold_of
from models.hybrid import PageType

_FOLDS: Final = 3
_TYPES: Final = tuple(PageType)
# weight of a page without a type beside one of WCXB: more, and news of unseen sites passes for
# articles more often, but fewer of the other types are told
_UNTYPED: Final = 0.3
# the largest trees that the kernel reads have 32 leaves
_TREES: Final[dict[str, Any]] = {
    "objective": "cross_entropy",
    "max_depth": 8,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 60,
    "lambda_l2": 5.0,
    "max_bin": 127,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is trained, and what counts how much.

    Attributes:
        rows: blocks that the trees of a stage see; those of small weight are sampled and weigh
            more.
        trees: of each of the two stages.
        share: how much the network counts beside the second stage, 0 to 1.
    """

    rows: int = 100_000
    trees: int = 140
    leaves: int = 31
    rate: float = 0.12
    comment_trees: int = 40
    kind_trees: int = 25
    share: float = 0.4
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Boosters:
    """What training leaves."""

    first: lightgbm.Booster
    second: lightgbm.Booster
    network: Network
    share: float
    templates: Templates
    comments: lightgbm.Booster | None
    lexicon: Lexicon
    kinds: tuple[lightgbm.Booster, ...]


def train(corpus: Corpus, chosen: npt.NDArray[np.bool_], size: Size) -> Boosters:
    """Train both stages on the chosen samples.

    The second stage sees probabilities of the first that were made by trees of other sites.
    """
    first = _stage(corpus, corpus.features, chosen, size)
    folds = _folds(corpus)
    around, pages = second_of(corpus, chosen, _out_of_fold(corpus, corpus.features, chosen, size))
    both = np.hstack([corpus.features, around])
    second = _stage(corpus, both, chosen, size)
    words = _lexicon(corpus, chosen)
    for fold in range(_FOLDS):
        own = chosen & (folds == fold)
        pages[own, -len(_TYPES) :] = _lexicon(corpus, chosen & ~own).scores(corpus.vocabulary[own])
    return Boosters(
        first,
        second,
        recurrent.fit(corpus, chosen, size.seed),
        size.share,
        templates.fit(corpus, chosen, _out_of_fold(corpus, both, chosen, size), _settings(size)),
        _comments(corpus, chosen, both, size),
        words,
        _kinds(corpus, chosen, pages, size),
    )


@dataclass(frozen=True, slots=True)
class Predicted:
    """Probabilities, zero for samples that were not asked for.

    Attributes:
        first: of the first stage, a row a block.
        second: of the second stage.
        mixed: those and the network's, by the mean of their log-odds.
        content: those, changed by what is known of templates.
        kinds: of the types of page, (pages, types).
    """

    first: Floats
    second: Floats
    mixed: Floats
    content: Floats
    kinds: Floats


def predict(corpus: Corpus, chosen: npt.NDArray[np.bool_], trees: Boosters) -> Predicted:
    """Judge the chosen samples as the kernel does."""
    rows = corpus.rows(chosen)
    first = np.zeros(len(corpus.content), np.float32)
    first[rows] = _predict(trees.first, corpus.features[rows])
    around, _ = second_of(corpus, chosen, first)
    second = np.zeros(len(corpus.content), np.float32)
    second[rows] = _predict(trees.second, np.hstack([corpus.features[rows], around[rows]]))
    _, pages = second_of(corpus, chosen, second)
    pages[:, -len(_TYPES) :] = trees.lexicon.scores(corpus.vocabulary)
    odds = np.exp([kind.predict(pages, raw_score=True) for kind in trees.kinds])
    kinds = np.where(chosen, odds / odds.sum(axis=0), 0).T
    mixed = np.zeros(len(corpus.content), np.float32)
    beside = trees.network.log_odds(corpus, chosen)
    odds = (1 - trees.share) * log_odds(second[rows]) + trees.share * beside[rows]
    mixed[rows] = probability(odds)
    content = np.zeros(len(corpus.content), np.float32)
    content[rows] = trees.templates.adjusted(corpus, rows, mixed[rows])
    return Predicted(first, second, mixed, content, kinds.astype(np.float32))


def _folds(corpus: Corpus) -> npt.NDArray[np.int_]:
    return np.array([fold_of(sample.site, _FOLDS) for sample in corpus.samples])


def _out_of_fold(
    corpus: Corpus, features: Floats, chosen: npt.NDArray[np.bool_], size: Size
) -> Floats:
    """Return the probabilities of the chosen samples by trees of other sites, else zero."""
    folds = _folds(corpus)
    inner = replace(size, rows=size.rows * (_FOLDS - 1) // _FOLDS)
    probabilities = np.zeros(len(corpus.content), np.float32)
    for fold in range(_FOLDS):
        trees = _stage(corpus, features, chosen & (folds != fold), inner)
        own = corpus.rows(chosen & (folds == fold))
        probabilities[own] = _predict(trees, features[own])
    return probabilities


def _settings(size: Size) -> dict[str, Any]:
    """Return what all trees are trained with."""
    return {**_TREES, "num_threads": size.threads, "seed": size.seed}


def _stage(
    corpus: Corpus, features: Floats, chosen: npt.NDArray[np.bool_], size: Size
) -> lightgbm.Booster:
    return _fit(features, corpus.content, corpus.weight, corpus.rows(chosen), size)


def _predict(trees: lightgbm.Booster, rows: Floats) -> Floats:
    odds = np.asarray(trees.predict(rows, num_threads=1, raw_score=True))
    return np.asarray(probability(odds), np.float32)


def _fit(
    features: Floats, labels: Floats, weights: Floats, rows: Rows, size: Size
) -> lightgbm.Booster:
    rows, weight = _sample(rows, weights[rows], size)
    parameters = {**_settings(size), "num_leaves": size.leaves, "learning_rate": size.rate}
    data = lightgbm.Dataset(features[rows], labels[rows], weight=weight, params=parameters)
    return lightgbm.train(parameters, data, size.trees)


def _sample(rows: Rows, weights: Floats, size: Size) -> tuple[Rows, Floats]:
    """Keep heavy rows, and of light ones a share that weighs as much as all of them."""
    if len(rows) <= size.rows:
        return rows, weights
    low, high = 0.0, float(weights.max()) * 10
    for _ in range(40):
        middle = (low + high) / 2
        is_too_many = np.minimum(1, weights / middle).sum() > size.rows
        low, high = (middle, high) if is_too_many else (low, middle)
    chance = np.minimum(1, weights / high)
    kept = np.random.default_rng(size.seed).random(len(rows)) < chance
    return rows[kept], (weights / chance)[kept]


def _comments(
    corpus: Corpus, chosen: npt.NDArray[np.bool_], both: Floats, size: Size
) -> lightgbm.Booster | None:
    """Trees that tell readers' comments, from the sets that mark them."""
    marked = [sample.family in {"dragnet", "page-signal"} for sample in corpus.samples]
    labelled = np.array(marked) & chosen
    if not labelled.any():
        return None
    small = replace(size, trees=size.comment_trees, leaves=15)
    return _fit(both, corpus.comment, corpus.weight, corpus.rows(labelled), small)


def _page_types(corpus: Corpus, numbers: Rows) -> tuple[npt.NDArray[np.int_], Floats]:
    """Return types and weights; what stands in none of WCXB's types counts as an article."""
    names = [corpus.samples[number].page_type for number in numbers]
    types = [_TYPES.index(PageType(name or PageType.ARTICLE)) for name in names]
    return np.array(types), np.where(np.array(names) != "", 1.0, _UNTYPED).astype(np.float32)


def _lexicon(corpus: Corpus, chosen: npt.NDArray[np.bool_]) -> Lexicon:
    numbers = np.nonzero(chosen)[0]
    return lexicon.fit(corpus.vocabulary[numbers], *_page_types(corpus, numbers), len(_TYPES))


def _kinds(
    corpus: Corpus, chosen: npt.NDArray[np.bool_], pages: Floats, size: Size
) -> tuple[lightgbm.Booster, ...]:
    """One forest a page type."""
    numbers = np.nonzero(chosen)[0]
    types, weight = _page_types(corpus, numbers)
    parameters = {
        **_settings(size), "objective": "binary", "num_leaves": 8,
        "min_data_in_leaf": 8, "learning_rate": 0.15, "feature_fraction": 0.5,
    }  # fmt: skip
    return tuple(
        lightgbm.train(
            parameters,
            lightgbm.Dataset(pages[numbers], (types == place).astype(np.float32), weight=weight),
            size.kind_trees,
        )
        for place in range(len(_TYPES))
    )
