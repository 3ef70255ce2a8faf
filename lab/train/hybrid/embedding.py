"""Embedding of single words of blocks and of the labels around them, added to the first layer.

It is trained with the network; the kernel reads it as integers times a step
(`models/kernel/src/engines/hybrid/recurrent/embedding.rs`).
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import hybrid_block_words

Floats = npt.NDArray[np.floating[Any]]
Choice = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.intp]

# minimum sites with a word: rarer words show a page's topic, not a block's role
_LEAST_SITES: Final = 6
_MOST: Final = 127


@dataclass(frozen=True, slots=True)
class BlockWords:
    """The words of all blocks, of one kind: words of texts, or of labels.

    Attributes:
        hashes: word hashes, block after block, with repetitions.
        ends: the words of block i are `ends[i]` to `ends[i + 1]`.
    """

    hashes: Hashes
    ends: Rows

    def among(self, known: Hashes) -> tuple[Floats, Rows, Rows]:
        """Return the known words; each of n words of a block has the weight 1 / sqrt(n).

        Returns:
            Weights, indices of known words, and ends of blocks, as the rows of a sparse matrix.
        """
        places = np.minimum(np.searchsorted(known, self.hashes), max(0, len(known) - 1))
        is_known = known[places] == self.hashes if len(known) else np.zeros(len(places), bool)
        before = np.concatenate([[0], np.cumsum(is_known)])
        ends = before[self.ends]
        counts = np.diff(ends)
        share = np.repeat(1 / np.sqrt(np.maximum(1, counts)), counts).astype(np.float32)
        return share, places[is_known], ends


def block_words(pages: Iterable[Blocks]) -> tuple[BlockWords, BlockWords]:
    """Return the words of the texts and of the labels of all blocks of these pages."""
    of_pages = [hybrid_block_words(page) for page in pages]
    text, labels = (_joined([page[kind] for page in of_pages]) for kind in range(2))
    return text, labels


def _joined(pages: list[tuple[bytes, bytes]]) -> BlockWords:
    counts, hashes = (
        np.frombuffer(b"".join(page[part] for page in pages), np.uint32) for part in range(2)
    )
    return BlockWords(hashes, np.concatenate([[0], np.cumsum(counts, dtype=np.intp)]))


def no_words(blocks: int) -> tuple[BlockWords, BlockWords]:
    """Return blocks without words."""
    none = BlockWords(np.zeros(0, np.uint32), np.zeros(blocks + 1, np.intp))
    return none, none


def known_words(
    words: Iterable[BlockWords],
    chosen: Choice,
    sites: Rows,
    least: int = _LEAST_SITES,
) -> Hashes:
    """Return, in rising order, the words that at least `least` sites of chosen blocks have.

    Args:
        words: words of all blocks, of several kinds.
        chosen: the blocks to use.
        sites: site number of each block.
        least: minimum number of sites.
    """
    count = int(sites.max(initial=0)) + 1
    known = []
    for kind in words:
        of_block = np.diff(kind.ends)
        is_chosen = np.repeat(chosen, of_block)
        site = np.repeat(sites, of_block)[is_chosen]
        different, numbers = np.unique(kind.hashes[is_chosen], return_inverse=True)
        pairs = np.unique(numbers * count + site)
        seen = np.bincount(pairs // count, minlength=len(different))
        known.append(different[seen >= least])
    return np.unique(np.concatenate(known))


def in_steps(rows: Floats) -> tuple[Floats, float]:
    """Return rows as integers from -127 to 127, and the value of a step."""
    step = float(np.float32(np.abs(rows).max(initial=0) / _MOST or 1))
    return np.rint(rows / step), step


def packed_words(words: Hashes, rows: Floats, step: float) -> bytes:
    """Return the number of words, the value of a step, and one row of integers per word."""
    packed = np.zeros(len(words), [("word", "<u4"), ("steps", "i1", rows.shape[1])])
    packed["word"] = words
    packed["steps"] = np.rint(rows / step)
    return struct.pack("<If", len(words), step) + packed.tobytes()
