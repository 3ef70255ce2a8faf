"""Gold text -> labels of blocks: the share of each block that is in the gold text."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

_WORD: Final = re.compile(r"\w+")
# minimum unmatched gold words for a search in another order
_LEAST_REST: Final = 8


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels, one value per block.

    Attributes:
        content: share of its words in the gold text, 0 to 1.
        comment: share of its words in the gold text of readers' comments, 0 to 1.
        words: number of its words.
        ids: word numbers, block after block; equal words have equal numbers.
        gold: counts in the gold text by word number; the last is for words outside of blocks.
    """

    content: npt.NDArray[np.float32]
    comment: npt.NDArray[np.float32]
    words: npt.NDArray[np.int32]
    ids: npt.NDArray[np.int32]
    gold: npt.NDArray[np.int32]


def align(texts: list[str], content: str, comments: str, *, by_character: bool) -> Labels:
    """Label blocks by a longest common subsequence of words (or characters) with the gold text."""
    blocks = [_words(text, by_character=by_character) for text in texts]
    gold = _words(content, by_character=by_character)
    said = _words(comments, by_character=by_character)
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    counts = np.zeros(len(numbers) + 1, np.int32)
    for word in gold:
        counts[numbers.get(word, len(numbers))] += 1
    return Labels(
        content=_shares(blocks, gold),
        comment=_shares(blocks, said),
        words=np.array([len(block) for block in blocks], np.int32),
        ids=np.array(ids, np.int32),
        gold=counts,
    )


def _words(text: str, *, by_character: bool) -> list[str]:
    if by_character:
        return [character for character in text if character.isalnum()]
    return _WORD.findall(text.lower())


def _shares(blocks: list[list[str]], gold: list[str]) -> npt.NDArray[np.float32]:
    hits = np.zeros(len(blocks), np.float32)
    if not gold:
        return hits
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    owners = [order for order, block in enumerate(blocks) for _ in block]
    wanted = [numbers.setdefault(word, len(numbers)) for word in gold]
    left: list[str] = list(gold)
    for step in LCSseq.opcodes(page, wanted):
        if step.tag == "equal":
            for at in range(step.src_start, step.src_end):
                hits[owners[at]] += 1
            for at in range(step.dest_start, step.dest_end):
                left[at] = "\0"
    _find_moved(blocks, left, hits)
    lengths = np.array([max(1, len(block)) for block in blocks], np.float32)
    return hits / lengths


def _find_moved(blocks: list[list[str]], left: list[str], hits: npt.NDArray[np.float32]) -> None:
    """Match whole blocks that the unmatched gold text has in another order."""
    if Counter(word != "\0" for word in left)[True] < _LEAST_REST:
        return
    rest = " " + " ".join(left) + " "
    for order, block in enumerate(blocks):
        if len(block) > 1 and hits[order] < len(block) / 2:
            wanted = " " + " ".join(block) + " "
            at = rest.find(wanted)
            if at >= 0:
                hits[order] = len(block)
                rest = rest[:at] + " \0 " + rest[at + len(wanted) :]
