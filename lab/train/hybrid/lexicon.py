"""Words of a page -> its type: one linear model per type over hashed words."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from winnow.lab.train.hybrid.corpus import Sample
from winnow.models._kernel.lab import HYBRID_BUCKETS, hybrid_page_words

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

# weight of the pages' losses relative to half of the squared weights
_LOSSES: Final = 0.05
_STEPS: Final = 100
_MOST: Final = 127


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The model for the kernel: weights as integers times `scale`.

    Attributes:
        weights: (buckets, types), -127 to 127.
        biases: (types,).
    """

    weights: npt.NDArray[np.int8]
    scale: float
    biases: Floats

    def scores(self, words: csr_matrix) -> Floats:
        """Return (pages, types)."""
        sums: Doubles = words @ self.weights.astype(np.float64)
        return (sums * self.scale + self.biases).astype(np.float32)


def words_of(samples: tuple[Sample, ...]) -> csr_matrix:
    """Return (pages, buckets): 1 if a page or one of its labels has a word in the bucket."""
    buckets = [
        np.sort(np.frombuffer(hybrid_page_words(each.blocks), np.uint32)) for each in samples
    ]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in buckets])])
    columns = np.concatenate(buckets).astype(np.int32)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(samples), HYBRID_BUCKETS))


def fit(words: csr_matrix, types: npt.NDArray[np.int_], weight: Floats, count: int) -> Lexicon:
    """Fit a multinomial logistic regression with an L2 penalty.

    Args:
        words: (pages, buckets).
        types: (pages,), 0 to `count` - 1.
        weight: weight of each page.
        count: number of types.
    """
    right = np.eye(count)[types]
    rows = words.T.tocsr()

    def loss(flat: Doubles) -> tuple[float, Doubles]:
        table = flat.reshape(HYBRID_BUCKETS + 1, count)
        scores = words @ table[:-1] + table[-1]
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        flow = (np.exp(logs) - right) * weight[:, None] * _LOSSES
        slope = np.vstack([rows @ flow + table[:-1], flow.sum(axis=0)])
        loss = -_LOSSES * (logs * right * weight[:, None]).sum() + (table[:-1] ** 2).sum() / 2
        return float(loss), slope.ravel()

    start = np.zeros((HYBRID_BUCKETS + 1) * count)
    found: Any = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    table = found.x.reshape(HYBRID_BUCKETS + 1, count)
    scale = float(np.float32(max(np.abs(table[:-1]).max(), 1e-9) / _MOST))
    steps = np.rint(table[:-1] / scale).astype(np.int8)
    return Lexicon(steps, scale, table[-1].astype(np.float32))
