"""Weights for doubtful gold labels, by the same rules for all sets.

A third of the engine's loss on pages labelled by people comes from the gold text: it stops in the
middle of an article, has text that is not on the page, or has half a paragraph. Such pages and
blocks get lower weights in training; `python -m winnow.lab.train.hybrid.doubts` lists them.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Choice = npt.NDArray[np.bool_]

# blocks that are partly in the gold, by more than a few words of noise
_HALF: Final = (0.2, 0.8)
_HALF_WORDS: Final = 8
# minimum paragraphs of one parent that are content, and after them that are not
_PROSE_WORDS: Final = 12
_LEAST_HEAD: Final = 2
_LEAST_TAIL: Final = 2
_HEAD_CONTENT: Final = 0.7
# share of gold that is not on the page: where a page's weight begins to fall, and is lowest
_MISSING: Final = (0.1, 0.5)
# their weights
_HALF_WEIGHT: Final = 0.3
_TAIL_WEIGHT: Final = 0.2
_PAGE_WEIGHT: Final = 0.25


@dataclass(frozen=True, slots=True)
class Doubts:
    """Doubtful labels of a page.

    Attributes:
        missing: share of the gold text's words that the page does not have.
        halves: blocks that are partly in the gold text.
        tails: paragraphs after the last one in the gold, in a run of similar ones.
    """

    missing: float
    halves: Choice
    tails: Choice

    @property
    def trust(self) -> Floats:
        """The weight of each block, 0 to 1."""
        usual, worst = _MISSING
        of_page = np.interp(self.missing, [usual, worst], [1.0, _PAGE_WEIGHT])
        of_blocks = np.where(self.halves, _HALF_WEIGHT, 1.0)
        of_blocks *= np.where(self.tails, _TAIL_WEIGHT, 1.0)
        return (of_page * of_blocks).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labelled blocks of a page, one value per block.

    Attributes:
        content: share of its words in the gold text.
        comment: share of its words in readers' comments.
        words: number of its words.
        is_prose: whether it is running text with few links.
        parents: equal for blocks of equal elements in one parent.
        missing: share of the gold text's words that no block has.
    """

    content: Floats
    comment: Floats
    words: npt.NDArray[np.int32]
    is_prose: Choice
    parents: npt.NDArray[np.int64]
    missing: float


def doubts(page: Labelled) -> Doubts:
    """Return the doubtful labels of a page."""
    low, high = _HALF
    is_half = (page.content > low) & (page.content < high) & (page.words >= _HALF_WORDS)
    return Doubts(page.missing, is_half, _tails(page))


def _tails(page: Labelled) -> Choice:
    tails = np.zeros(len(page.content), bool)
    prose = np.nonzero(page.is_prose & (page.words >= _PROSE_WORDS))[0]
    for parent in np.unique(page.parents[prose]):
        run = prose[page.parents[prose] == parent]
        held = np.nonzero(page.content[run] >= _HALF[1])[0]
        if len(held) < _LEAST_HEAD or len(held) < _HEAD_CONTENT * (held[-1] + 1):
            continue
        tail = run[held[-1] + 1 :]
        is_dropped = (page.content[tail] <= _HALF[0]) & (page.comment[tail] <= _HALF[0])
        if len(tail) >= _LEAST_TAIL and is_dropped.all():
            tails[tail] = True
    return tails
