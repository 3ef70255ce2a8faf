"""Train two stages, a network and boosted trees, and forests for comments and page types."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import lightgbm
import numpy as np
import numpy.typing as npt

from winnow.lab.sets.parts import fold_of
from winnow.lab.train.hybrid import lexicon, recurrent, templates
from winnow.lab.train.hybrid.lexicon import Lexicon
from winnow.lab.train.hybrid.matrix import Corpus, Floats, Rows, doubted, second_of
from winnow.lab.train.hybrid.recurrent import Network
from winnow.lab.train.hybrid.templates import Templates, log_odds, probability
from winnow.models._kernel import PAGE_TYPES
from winnow.models._kernel.lab import HYBRID_SURE
from winnow.models.engines.hybrid import PageType

_FOLDS: Final = 3
_TYPES: Final = tuple(map(PageType, PAGE_TYPES))
# weight of a page without a type, relative to WCXB: with more, news of unseen sites is recognized
# as articles more often, but fewer pages of other types are recognized
_UNTYPED: Final = 0.3
# the kernel reads trees of up to 16 leaves
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
    """Size and weights of the training.

    Attributes:
        rows: blocks for the trees; blocks of small weight are sampled, with a larger weight.
        trees: number of trees of the second stage.
        non_articles: weight in the trees of a page that its set labels as another type than
        article.
        share: share of the network in the result, 0 to 1.
        threads: networks trained in parallel; trees use one thread.
    """

    rows: int = 100_000
    trees: int = 100
    leaves: int = 15
    rate: float = 0.15
    non_articles: float = 2.0
    comment_trees: int = 40
    kind_trees: int = 25
    share: float = 0.4
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Boosters:
    """The trained parts."""

    network: Network
    trees: lightgbm.Booster
    share: float
    templates: Templates
    comments: lightgbm.Booster | None
    lexicon: Lexicon
    kinds: tuple[lightgbm.Booster, ...]


def train(corpus: Corpus, chosen: npt.NDArray[np.bool_], size: Size) -> Boosters:
    """Train both stages on the chosen samples.

    The trees read log-odds of networks trained on other sites. Templates are learned from the mean
    of these log-odds and the log-odds of trees trained on other sites.
    """
    folds = _folds(corpus)
    columns = recurrent.best_columns(corpus, chosen, size.seed)

    def others(fold: int) -> Floats:
        own = chosen & (folds == fold)
        return recurrent.fit(corpus, chosen & ~own, size.seed, columns).log_odds(corpus, own)

    # each network has one thread and its own random numbers, so their order has no effect
    with ThreadPoolExecutor(size.threads) as threads:
        whole = threads.submit(recurrent.fit, corpus, chosen, size.seed, columns)
        odds = np.sum([*threads.map(others, range(_FOLDS))], axis=0)
        network = whole.result()
    first = probability(odds)
    around, pages = second_of(corpus, chosen, first)
    both = np.hstack([corpus.features, around])
    words = _lexicon(corpus, chosen)
    second = first.copy()
    for fold in range(_FOLDS):
        own = chosen & (folds == fold)
        pages[own, -len(_TYPES) :] = _lexicon(corpus, chosen & ~own).scores(corpus.vocabulary[own])
        inner = replace(size, rows=size.rows * (_FOLDS - 1) // _FOLDS)
        rows = _unsure(first, corpus.rows(own))
        of_others = content_trees(corpus, both, chosen & ~own, inner)
        second[rows] = probability(_odds(of_others, both[rows]))
    return Boosters(
        network,
        content_trees(corpus, both, chosen, size),
        size.share,
        templates.fit(corpus, chosen, _mixed(size.share, second, odds), _settings(size)),
        _comments(corpus, chosen, size),
        words,
        _kinds(corpus, chosen, pages, size),
    )


@dataclass(frozen=True, slots=True)
class Predicted:
    """Probabilities; zero for samples that were not chosen.

    Attributes:
        first: from the network, one row per block.
        second: from the trees where the network is unsure, else from the network.
        mixed: from both, by the mean of their log-odds.
        content: `mixed`, changed by templates and roles.
        kinds: of the page types, (pages, types).
    """

    first: Floats
    second: Floats
    mixed: Floats
    content: Floats
    kinds: Floats


def predict(corpus: Corpus, chosen: npt.NDArray[np.bool_], trees: Boosters) -> Predicted:
    """Judge the chosen samples like the kernel."""
    rows = corpus.rows(chosen)
    odds = trees.network.log_odds(corpus, chosen)
    first, second = np.zeros_like(odds), np.zeros_like(odds)
    first[rows] = second[rows] = probability(odds[rows])
    around, _ = second_of(corpus, chosen, first)
    unsure = _unsure(first, rows)
    of_trees = _odds(trees.trees, np.hstack([corpus.features[unsure], around[unsure]]))
    second[unsure] = probability(of_trees)
    _, pages = second_of(corpus, chosen, second)
    pages[:, -len(_TYPES) :] = trees.lexicon.scores(corpus.vocabulary)
    of_kinds = np.exp([kind.predict(pages, raw_score=True) for kind in trees.kinds])
    kinds = np.where(chosen, of_kinds / of_kinds.sum(axis=0), 0).T
    mixed, content = np.zeros_like(odds), np.zeros_like(odds)
    mixed[rows] = _mixed(trees.share, second[rows], odds[rows])
    content[rows] = trees.templates.adjusted(corpus, rows, mixed[rows])
    content = doubted(corpus, chosen, content)
    return Predicted(first, second, mixed, content, kinds.astype(np.float32))


def _unsure(first: Floats, rows: Rows) -> Rows:
    """Return the rows that trees judge, because the network is unsure of them."""
    return rows[(first[rows] > HYBRID_SURE) & (first[rows] < 1 - HYBRID_SURE)]


def _mixed(share: float, of_trees: Floats, odds: Floats) -> Floats:
    """Return the mean of the log-odds of trees and network, as probabilities."""
    return np.asarray(probability((1 - share) * log_odds(of_trees) + share * odds), np.float32)


def _folds(corpus: Corpus) -> npt.NDArray[np.int_]:
    """Return the fold of each sample; these folds differ from the folds of `--cross`."""
    return np.array([fold_of(f"inner {sample.site}", _FOLDS) for sample in corpus.samples])


def _settings(size: Size) -> dict[str, Any]:
    """Return the LightGBM settings of all trees."""
    return {**_TREES, "num_threads": 1, "seed": size.seed}


def content_trees(
    corpus: Corpus, features: Floats, chosen: npt.NDArray[np.bool_], size: Size
) -> lightgbm.Booster:
    """Train trees for content, on these columns of the chosen samples."""
    types = np.array([sample.page_type for sample in corpus.samples])
    is_article = np.isin(types, ["", PageType.ARTICLE])
    weights = corpus.weight * np.where(is_article, 1, size.non_articles)[corpus.page]
    return _fit(features, corpus.content, weights.astype(np.float32), corpus.rows(chosen), size)


def _odds(trees: lightgbm.Booster, rows: Floats) -> Floats:
    return np.asarray(trees.predict(rows, num_threads=1, raw_score=True), np.float32)


def _fit(
    features: Floats, labels: Floats, weights: Floats, rows: Rows, size: Size
) -> lightgbm.Booster:
    rows, weight = _sample(rows, weights[rows], size)
    parameters = {**_settings(size), "num_leaves": size.leaves, "learning_rate": size.rate}
    data = lightgbm.Dataset(features[rows], labels[rows], weight=weight, params=parameters)
    return lightgbm.train(parameters, data, size.trees)


def _sample(rows: Rows, weights: Floats, size: Size) -> tuple[Rows, Floats]:
    """Keep heavy rows, and a sample of light rows, scaled up to their total weight."""
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


def _comments(corpus: Corpus, chosen: npt.NDArray[np.bool_], size: Size) -> lightgbm.Booster | None:
    """Train trees for readers' comments, from the sets that mark them."""
    marked = [sample.family in {"dragnet", "page-signal"} for sample in corpus.samples]
    labelled = np.array(marked) & chosen
    if not labelled.any():
        return None
    small = replace(size, trees=size.comment_trees, leaves=15)
    return _fit(corpus.features, corpus.comment, corpus.weight, corpus.rows(labelled), small)


def _page_types(corpus: Corpus, numbers: Rows) -> tuple[npt.NDArray[np.int_], Floats]:
    """Return types and weights; a page without a type from WCXB counts as an article."""
    names = [corpus.samples[number].page_type for number in numbers]
    types = [_TYPES.index(PageType(name or PageType.ARTICLE)) for name in names]
    return np.array(types), np.where(np.array(names) != "", 1.0, _UNTYPED).astype(np.float32)


def _lexicon(corpus: Corpus, chosen: npt.NDArray[np.bool_]) -> Lexicon:
    numbers = np.nonzero(chosen)[0]
    return lexicon.fit(corpus.vocabulary[numbers], *_page_types(corpus, numbers), len(_TYPES))


def _kinds(
    corpus: Corpus, chosen: npt.NDArray[np.bool_], pages: Floats, size: Size
) -> tuple[lightgbm.Booster, ...]:
    """Train one forest per page type."""
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
