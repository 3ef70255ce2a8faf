"""Align a cleaned text with the blocks of its page, to label characters and blocks."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from winnow.models._kernel.lab import align_characters

# Java's `trim`, as in the published labels: all characters up to and including the space.
TRIMMED: Final = "".join(map(chr, range(0x21)))


def align(source: str, cleaned: str) -> NDArray[np.int32]:
    """Return the position in `cleaned` of each character of `source`, -1 without one.

    Case and kind of white space are ignored. Positions other than -1 are strictly increasing.

    Raises:
        ValueError: both texts are long and have too little in common to align in a minute.
    """
    return np.frombuffer(align_characters(source, cleaned), dtype="<i4")


def matched_chars(texts: Sequence[str], cleaned: str) -> NDArray[np.int64]:
    """Return how many characters of each block text are in the cleaned text, in order.

    The blocks are in document order, so a text that occurs twice on the page but once in the
    cleaned text is matched where it fits with its neighbours.
    """
    matched = align("".join(f"{text}\n" for text in texts), cleaned) >= 0
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64)
    counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(matched, dtype=np.int64)])
    starts = np.concatenate([np.zeros(1, np.int64), ends])[: len(texts)]
    return counts[ends - 1] - counts[starts] if len(texts) else counts[:0]


def content_labels(texts: Sequence[str], cleaned: str) -> NDArray[np.int8]:
    """Return 1 for each block with more than two thirds in the cleaned text, else 0.

    Two thirds are rounded down, and a block has at least one character: the published rule.
    """
    sizes = np.array([max(len(text.strip(TRIMMED)), 1) for text in texts], dtype=np.int64)
    return (matched_chars(texts, cleaned) > 2 * sizes // 3).astype(np.int8)
