"""Count what the published features ask about the text of a block."""

import re
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.alignment import TRIMMED


class Count(IntEnum):
    """Columns of the counts; up to `ENDS` they add up over the blocks below a node."""

    CHARS = 0
    WORDS = 1
    SENTENCES = 2
    PUNCTUATION = 3
    DIGITS = 4
    STOPWORDS = 5
    CAPITALS = 6  # words that start with an upper-case letter
    WORD_CHARS = 7
    COPYRIGHT = 8
    EMAIL = 9
    URL = 10
    YEAR = 11
    ENDS_PUNCTUATION = 12
    ENDS_QUESTION = 13


ADDING: Final = 12
_PUNCTUATION: Final = frozenset(".,?;:!")
_WORD: Final = re.compile(r"\w+", re.ASCII)
_SENTENCE_BORDER: Final = re.compile(r"(?<=[.?!;])\s+(\S)", re.ASCII)
_EMAIL: Final = re.compile(r"\b\w+@[\w.]+", re.ASCII)
_URL: Final = re.compile(r"(?:https?|ftp)://\S+\b", re.ASCII)
_YEAR: Final = re.compile(r"\b\d{4}\b", re.ASCII)
# the authors' list: NLTK's English one without apostrophes, their fragments, and a few more
# fmt: off
STOPWORDS: Final = frozenset(
    (
        "i", "me", "my", "myself", "we", "our", "ours", "ourselves", "you", "your", "yours",
        "yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself",
        "it", "its", "itself", "they", "them", "their", "theirs", "themselves", "what", "which",
        "who", "whom", "this", "that", "these", "those", "am", "is", "are", "was", "were", "be",
        "been", "being", "have", "has", "had", "having", "do", "does", "did", "doing", "a", "an",
        "the", "and", "but", "if", "or", "because", "as", "until", "while", "of", "at", "by",
        "for", "with", "about", "against", "between", "into", "through", "during", "before",
        "after", "above", "below", "to", "from", "up", "down", "in", "out", "on", "off", "over",
        "under", "again", "further", "then", "once", "here", "there", "when", "where", "why",
        "how", "all", "any", "both", "each", "few", "more", "most", "other", "some", "such", "no",
        "nor", "not", "only", "own", "same", "so", "than", "too", "very", "should", "cannot",
        "could", "ought", "would",
    )
)
# fmt: on


def counts_of(text: str) -> tuple[int, ...]:
    """Return one count for each member of `Count`; words are ASCII words, case is kept.

    A text without characters counts as one character, so that no share divides by zero.
    """
    trimmed = text.strip(TRIMMED)
    words = _WORD.findall(trimmed)
    borders = _SENTENCE_BORDER.finditer(trimmed)
    last = trimmed[-1:]
    return (
        max(len(trimmed), 1),
        len(words),
        1 + sum(border[1].isupper() for border in borders),
        sum(char in _PUNCTUATION for char in trimmed),
        sum(char.isdecimal() for char in trimmed),
        sum(word in STOPWORDS for word in words),
        sum(word[0].isupper() for word in words),
        sum(map(len, words)),
        "\N{COPYRIGHT SIGN}" in trimmed,
        _EMAIL.search(trimmed) is not None,
        _URL.search(trimmed) is not None,
        _YEAR.search(trimmed) is not None,
        last in _PUNCTUATION,
        last == "?",
    )


def counts_table(texts: list[str]) -> NDArray[np.int64]:
    """Return the counts of all blocks, (blocks, len(Count))."""
    rows = [counts_of(text) for text in texts]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(Count))
