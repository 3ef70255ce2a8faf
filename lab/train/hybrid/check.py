"""Check that the trained network and the kernel's give the same results on pages."""

from dataclasses import replace
from typing import Final

import numpy as np

from winnow.lab.train.hybrid.file import file_of
from winnow.lab.train.hybrid.fit import Boosters
from winnow.lab.train.hybrid.matrix import Choice, Corpus, doubted
from winnow.lab.train.hybrid.score import Cut
from winnow.lab.train.hybrid.templates import Known, Templates, probability
from winnow.models.engines.hybrid import HybridModel

# pages compared, and their maximum blocks: on longer pages the kernel joins neighbours
_PAGES: Final = 200
_MOST_BLOCKS: Final = 1024
# tolerance of a probability: the kernel approximates exponentials by a polynomial
_TOLERANCE: Final = 2e-3


def check_kernel(corpus: Corpus, chosen: Choice, trees: Boosters) -> float:
    """Return the largest difference of probabilities between training and kernel.

    Raises:
        RuntimeError: it is larger than rounding errors, or no page was compared.
    """
    few = chosen & (np.diff(corpus.offsets) <= _MOST_BLOCKS)
    few[np.nonzero(few)[0][_PAGES:]] = False
    none = Known(np.zeros(0, np.int8), np.zeros(0, np.uint8), np.zeros(0, np.uint8))
    alone = replace(trees, share=1.0, templates=Templates(np.zeros(0, np.uint32), none, None))
    pages = [corpus.samples[number].blocks for number in np.nonzero(few)[0]]
    if not pages:
        raise RuntimeError("no page to compare training and kernel on")
    served = [page.probabilities for page in HybridModel(file_of(alone, Cut())).judge(pages)]
    trained = doubted(corpus, few, probability(trees.network.log_odds(corpus, few)))
    trained = trained[corpus.rows(few)]
    difference = float(np.abs(np.concatenate(served) - trained).max())
    if not difference <= _TOLERANCE:
        raise RuntimeError(
            f"the kernel's probabilities differ from training's by up to {difference:.4f}: compare "
            "lab/train/hybrid/network.py with models/kernel/src/engines/hybrid/recurrent"
        )
    return difference
