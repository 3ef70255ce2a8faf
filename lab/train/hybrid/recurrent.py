"""A small recurrent network: its inputs and its training.

It reads the most useful columns of a block, scaled to between -1 and 1, and single words, over
windows of a page (the layers are in `lab/train/hybrid/network.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from scipy.sparse import csr_matrix

from winnow.lab.train.hybrid.embedding import Hashes, in_steps, known_words
from winnow.lab.train.hybrid.matrix import Choice, Corpus, Floats, Rows
from winnow.lab.train.hybrid.network import Inputs, Learner, Targets, judged
from winnow.lab.train.hybrid.weights import Weights, squeezed, start
from winnow.lab.train.hybrid.windows import WINDOWS, Batch, batches_of, windows_of
from winnow.models._kernel.lab import HYBRID_COLUMNS, HYBRID_INPUT

# epochs; more of them overfit
_ROUNDS: Final = 12
# epochs before columns are chosen
_TRIAL_ROUNDS: Final = 4
# share of a window's columns dropped in training, so that no single column decides
_COLUMNS_DROPPED: Final = 0.4
# share of a window's words dropped, and of windows that lose all their words of a kind
_WORDS_DROPPED: Final = 0.4
_SILENT: Final = 0.2
# rows for means and deviations
_SCALED: Final = 60_000
_LEAST_DEVIATION: Final = 0.05


@dataclass(frozen=True, slots=True)
class Network:
    """A trained network.

    Attributes:
        columns: columns of the first stage that it reads.
        scales: scale of each column: `x / (|x| + scale)`.
        weights: weights of the layers, by name; weights of words are integers times `step`.
        words: known words, in rising order.
        step: value of a step.
    """

    columns: Rows
    scales: Floats
    weights: Weights
    words: Hashes
    step: float

    def log_odds(self, corpus: Corpus, chosen: Choice) -> Floats:
        """Return the log-odds of the blocks of the chosen samples; zero for others."""
        odds = np.zeros(len(corpus.content), np.float32)
        features = corpus.features[:, self.columns]
        words = _matrices(corpus, self.words)
        layers = {name: value for name, value in self.weights.items() if name != "words"}
        for batch in batches_of(windows_of(corpus.offsets, np.nonzero(chosen)[0]), None):
            values = squeezed(batch.padded(features), self.scales)
            added = _added(_rows(words, batch), batch, self.weights["words"])
            found = np.asarray(judged(layers, Inputs.of(batch, values, added, None)))
            odds[batch.blocks[batch.is_block]] = found[batch.is_block, 0]
        return odds


def best_columns(corpus: Corpus, chosen: Choice, seed: int) -> Rows:
    """Return the most useful columns, found by a short training on all of them."""
    return np.sort(_ranked(corpus, chosen, np.random.default_rng(seed))[:HYBRID_COLUMNS])


def fit(corpus: Corpus, chosen: Choice, seed: int, columns: Rows) -> Network:
    """Train on these columns of the chosen samples."""
    random = np.random.default_rng(seed)
    reading = _Reading.of(corpus, chosen, columns, random)
    names = np.array([sample.site for sample in corpus.samples])
    sites = np.unique(names, return_inverse=True)[1]
    # the made-up words of copies are not words
    of_pages = chosen & ~corpus.is_copy
    known = known_words(corpus.block_words, of_pages[corpus.page], sites[corpus.page])
    reading = replace(reading, words=_matrices(corpus, known))
    weights = reading.folded(_trained(corpus, chosen, reading, _ROUNDS, random))
    steps, step = in_steps(weights["words"])
    weights["words"] = (steps * step).astype(np.float32)
    return Network(columns, reading.scales, weights, known, step)


def _ranked(corpus: Corpus, chosen: Choice, random: np.random.Generator) -> Rows:
    """Return all columns, ordered by their effect in a network."""
    every = np.arange(corpus.features.shape[1])
    reading = _Reading.of(corpus, chosen, every, random)
    weights = _trained(corpus, chosen, reading, _TRIAL_ROUNDS, random)
    # nearly constant columns get a smaller deviation than others
    size = np.sqrt((weights["input"] ** 2).sum(axis=1)) * reading.spread
    return np.argsort(-size, kind="stable")


def _trained(
    corpus: Corpus, chosen: Choice, reading: "_Reading", rounds: int, random: np.random.Generator
) -> Weights:
    pages = np.nonzero(chosen)[0]
    windows = windows_of(corpus.offsets, pages)
    # a page has a weight of about one
    share = len(pages) / corpus.weight[corpus.rows(chosen)].sum()
    labels, weight = corpus.content[:, None], corpus.weight[:, None] * share
    count = reading.words[0].shape[1] if reading.words else 0
    features = corpus.features[:, reading.columns]
    batches = [batch for _ in range(rounds) for batch in batches_of(windows, random)]
    learner = Learner(start(len(reading.columns), count, random), len(batches))
    for batch in batches:
        values = reading.normal(batch.padded(features))
        kept = dropout((WINDOWS, len(reading.columns)), random, _COLUMNS_DROPPED)
        words = _some(_rows(reading.words, batch), batch, random)
        added = _added(words, batch, np.asarray(learner.weights["words"]))
        learner.step(
            Inputs.of(batch, values * batch.per_window(kept), added, random),
            Targets(batch.padded(labels), batch.padded(weight) / np.float32(batch.count)),
            partial(_of_words, words, batch, count),
        )
    return learner.trained()


def _matrices(corpus: Corpus, known: Hashes) -> list[csr_matrix]:
    """Return matrices (blocks, known words) for words of texts and of labels."""
    shape = len(corpus.content), len(known)
    return [csr_matrix(kind.among(known), shape=shape) for kind in corpus.block_words]


def _rows(words: Sequence[csr_matrix], batch: Batch) -> list[csr_matrix]:
    """Return the rows of a batch's blocks, without padding."""
    return [kind[batch.blocks[batch.is_block]] for kind in words]


def _added(words: Sequence[csr_matrix], batch: Batch, weights: Floats) -> Floats:
    """Return the words' contribution to the first layer, per block of a batch."""
    added = np.zeros((*batch.is_block.shape, HYBRID_INPUT), np.float32)
    for kind in words:
        added[batch.is_block] += kind @ weights
    return added


def _of_words(words: Sequence[csr_matrix], batch: Batch, count: int, added: Floats) -> Floats:
    """Return the gradient of the words from the gradient of their contribution."""
    of_blocks, none = added[batch.is_block], np.zeros((count, HYBRID_INPUT), np.float32)
    return sum((kind.T @ of_blocks for kind in words), none)


def _some(
    words: Sequence[csr_matrix], batch: Batch, random: np.random.Generator
) -> Sequence[csr_matrix]:
    """Drop words, and all words of some windows: blocks in other languages have no known words."""
    window = batch.window[batch.is_block]
    for kind in words:
        is_heard = random.random(batch.count) >= _SILENT
        of_words = np.repeat(is_heard[window], np.diff(kind.indptr))
        kind.data *= of_words * dropout(kind.data.shape, random, _WORDS_DROPPED)
    return words


def dropout(shape: tuple[int, ...], random: np.random.Generator, share: float) -> Floats:
    """Return the factors of dropout: 0, or the scale of kept values."""
    is_kept = random.random(shape, np.float32) >= share
    return np.asarray(is_kept / np.float32(1 - share), np.float32)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Inputs from blocks: scaled columns and known words.

    Attributes:
        columns: numbers of the columns.
        scales: scale of each column.
        mean: mean of the scaled columns.
        deviation: divisor of the scaled columns.
        spread: their standard deviation over `deviation`, at most 1.
        words: matrices of texts and of labels; empty if words are not used.
    """

    columns: Rows
    scales: Floats
    mean: Floats
    deviation: Floats
    spread: Floats
    words: Sequence[csr_matrix] = ()

    @classmethod
    def of(
        cls, corpus: Corpus, chosen: Choice, columns: Rows, random: np.random.Generator
    ) -> "_Reading":
        rows = corpus.rows(chosen)
        rows = random.choice(rows, min(len(rows), _SCALED), replace=False)
        seen = corpus.features[np.ix_(rows, columns)]
        scales = np.array([_scale(column) for column in seen.T], np.float32)
        seen = squeezed(seen, scales)
        deviation = np.maximum(seen.std(axis=0), _LEAST_DEVIATION)
        return cls(columns, scales, seen.mean(axis=0), deviation, seen.std(axis=0) / deviation)

    def normal(self, values: Floats) -> Floats:
        """Return values of mean 0 and deviation 1."""
        return np.asarray((squeezed(values, self.scales) - self.mean) / self.deviation, np.float32)

    def folded(self, weights: Weights) -> Weights:
        """Return equivalent weights for scaled columns without normalisation."""
        layer = weights["input"] / self.deviation[:, None]
        bias = weights["input_bias"] - self.mean @ layer
        return weights | {"input": layer.astype(np.float32), "input_bias": bias.astype(np.float32)}


def _scale(column: Floats) -> float:
    sizes = np.abs(column[column != 0])
    return float(np.median(sizes)) if len(sizes) else 1.0
