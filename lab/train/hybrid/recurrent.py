"""A small recurrent network: what it reads, and how it is trained.

It reads the columns of a block that count most for it, squeezed to numbers between -1 and 1, and
single words, over windows of a page (`lab/train/hybrid/network.py` has the layers).
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

# rounds over the pages; more of them fit the pages that are seen and lose on others
_ROUNDS: Final = 12
# those after which columns are chosen
_TRIAL_ROUNDS: Final = 4
# of the columns of a window while it learns: no column may be all that tells content
_COLUMNS_DROPPED: Final = 0.4
# of the words of a window, and windows that lose all their words of a kind
_WORDS_DROPPED: Final = 0.4
_SILENT: Final = 0.2
# rows that means and deviations are from
_SCALED: Final = 60_000
_LEAST_DEVIATION: Final = 0.05


@dataclass(frozen=True, slots=True)
class Network:
    """A trained network.

    Attributes:
        columns: of the first stage, that it reads.
        scales: what each of these is squeezed by: `x / (|x| + scale)`.
        weights: of the layers, by name; those of words are whole steps.
        words: that it knows, in rising order.
        step: the value of one.
    """

    columns: Rows
    scales: Floats
    weights: Weights
    words: Hashes
    step: float

    def log_odds(self, corpus: Corpus, chosen: Choice) -> Floats:
        """Return the log-odds of the blocks of the chosen samples, else zero."""
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
    """Return those columns that count most, by training a short time on all of them."""
    return np.sort(_ranked(corpus, chosen, np.random.default_rng(seed))[:HYBRID_COLUMNS])


def fit(corpus: Corpus, chosen: Choice, seed: int, columns: Rows) -> Network:
    """Train on these columns of the chosen samples."""
    random = np.random.default_rng(seed)
    reading = _Reading.of(corpus, chosen, columns, random)
    names = np.array([sample.site for sample in corpus.samples])
    sites = np.unique(names, return_inverse=True)[1]
    known = known_words(corpus.block_words, chosen[corpus.page], sites[corpus.page])
    reading = replace(reading, words=_matrices(corpus, known))
    weights = reading.folded(_trained(corpus, chosen, reading, _ROUNDS, random))
    steps, step = in_steps(weights["words"])
    weights["words"] = (steps * step).astype(np.float32)
    return Network(columns, reading.scales, weights, known, step)


def _ranked(corpus: Corpus, chosen: Choice, random: np.random.Generator) -> Rows:
    """Return all columns, those first that a network makes most of."""
    every = np.arange(corpus.features.shape[1])
    reading = _Reading.of(corpus, chosen, every, random)
    weights = _trained(corpus, chosen, reading, _TRIAL_ROUNDS, random)
    # columns that are nearly always the same are brought to a smaller deviation than others
    size = np.sqrt((weights["input"] ** 2).sum(axis=1)) * reading.spread
    return np.argsort(-size, kind="stable")


def _trained(
    corpus: Corpus, chosen: Choice, reading: "_Reading", rounds: int, random: np.random.Generator
) -> Weights:
    pages = np.nonzero(chosen)[0]
    windows = windows_of(corpus.offsets, pages)
    # a page weighs about one
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
    """Return (blocks, known words) for words of texts and of labels."""
    shape = len(corpus.content), len(known)
    return [csr_matrix(kind.among(known), shape=shape) for kind in corpus.block_words]


def _rows(words: Sequence[csr_matrix], batch: Batch) -> list[csr_matrix]:
    """Return the rows of the blocks of a batch, without padding."""
    return [kind[batch.blocks[batch.is_block]] for kind in words]


def _added(words: Sequence[csr_matrix], batch: Batch, weights: Floats) -> Floats:
    """Return what words add to the first layer of every block of a batch."""
    added = np.zeros((*batch.is_block.shape, HYBRID_INPUT), np.float32)
    for kind in words:
        added[batch.is_block] += kind @ weights
    return added


def _of_words(words: Sequence[csr_matrix], batch: Batch, count: int, added: Floats) -> Floats:
    """Return the gradient of the words for that of what they add."""
    of_blocks, none = added[batch.is_block], np.zeros((count, HYBRID_INPUT), np.float32)
    return sum((kind.T @ of_blocks for kind in words), none)


def _some(
    words: Sequence[csr_matrix], batch: Batch, random: np.random.Generator
) -> Sequence[csr_matrix]:
    """Drop words, and all of some windows: blocks of other languages have no known word."""
    window = batch.window[batch.is_block]
    for kind in words:
        is_heard = random.random(batch.count) >= _SILENT
        of_words = np.repeat(is_heard[window], np.diff(kind.indptr))
        kind.data *= of_words * dropout(kind.data.shape, random, _WORDS_DROPPED)
    return words


def dropout(shape: tuple[int, ...], random: np.random.Generator, share: float) -> Floats:
    """Return what values are multiplied with: 0, or what makes up for those."""
    is_kept = random.random(shape, np.float32) >= share
    return np.asarray(is_kept / np.float32(1 - share), np.float32)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is read of blocks: columns as numbers of about the same size, and known words.

    Attributes:
        columns: which ones.
        scales: what each is squeezed by.
        mean: of the squeezed columns.
        deviation: what they are divided by.
        spread: their standard deviation over that, at most 1.
        words: matrices of texts and of labels, none if words are not read.
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
        """Return weights that do the same with squeezed columns as they are."""
        layer = weights["input"] / self.deviation[:, None]
        bias = weights["input_bias"] - self.mean @ layer
        return weights | {"input": layer.astype(np.float32), "input_bias": bias.astype(np.float32)}


def _scale(column: Floats) -> float:
    sizes = np.abs(column[column != 0])
    return float(np.median(sizes)) if len(sizes) else 1.0
