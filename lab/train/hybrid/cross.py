"""Cross-validation: judge every page by trees trained without its fold."""

import numpy as np
import numpy.typing as npt

from winnow.lab.train.hybrid.fit import Predicted, Size, predict, train
from winnow.lab.train.hybrid.matrix import Choice, Corpus


def cross(
    corpus: Corpus, folds: npt.NDArray[np.int_], size: Size, known: Choice | None = None
) -> Predicted:
    """Train once per fold, on the other folds, and judge the fold.

    Args:
        corpus: the pages.
        folds: fold of each sample.
        size: size of the training.
        known: samples that may be in training; None for all.
    """
    parts = []
    for fold in np.unique(folds):
        tested = folds == fold
        seen = ~tested if known is None else known & ~tested
        parts.append(predict(corpus, tested, train(corpus, seen, size)))
    return Predicted(
        first=np.sum([part.first for part in parts], axis=0),
        second=np.sum([part.second for part in parts], axis=0),
        mixed=np.sum([part.mixed for part in parts], axis=0),
        content=np.sum([part.content for part in parts], axis=0),
        kinds=np.sum([part.kinds for part in parts], axis=0),
    )
