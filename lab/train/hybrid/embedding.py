"""Single words of blocks and of the labels around them, and what they add to the first layer.

That is learnt with the network; the kernel reads it in whole steps
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

# sites that must have a word: rarer ones say what a page is about, not what a block is for
_LEAST_SITES: Final = 6
_MOST: Final = 127


@dataclass(frozen=True, slots=True)
class BlockWords:
    """The words of all blocks, of one kind: of their texts, or of labels.

    Attributes:
        hashes: block after block, repeated words as often as they stand there.
        ends: where those of a block begin and end: `ends[i]` to `ends[i + 1]`.
    """

    hashes: Hashes
    ends: Rows

    def among(self, known: Hashes) -> tuple[Floats, Rows, Rows]:
        """Return the known words: of n words of a block, each counts 1 / sqrt(n).

        Returns:
            What each counts, its place among the known ones, and where those of the blocks end:
            the rows of a sparse matrix.
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
    """Return so many blocks without a word."""
    none = BlockWords(np.zeros(0, np.uint32), np.zeros(blocks + 1, np.intp))
    return none, none


def known_words(
    words: Iterable[BlockWords],
    chosen: Choice,
    sites: Rows,
    least: int = _LEAST_SITES,
) -> Hashes:
    """Return the words, in rising order, that enough sites of the chosen blocks have.

    Args:
        words: of all blocks, of several kinds.
        chosen: blocks.
        sites: number of the site of each block.
        least: sites that are enough.
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
    """Return rows in whole steps, -127 to 127, and the value of a step."""
    step = float(np.float32(np.abs(rows).max(initial=0) / _MOST or 1))
    return np.rint(rows / step), step


def packed_words(words: Hashes, rows: Floats, step: float) -> bytes:
    """Return their number, the value of a step, and a row of whole steps a word."""
    packed = np.zeros(len(words), [("word", "<u4"), ("steps", "i1", rows.shape[1])])
    packed["word"] = words
    packed["steps"] = np.rint(rows / step)
    return struct.pack("<If", len(words), step) + packed.tobytes()
