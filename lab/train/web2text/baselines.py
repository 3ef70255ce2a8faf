"""Older systems for comparison: Body Text Extraction and the word rules of Boilerpipe."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from winnow.lab.train.web2text.cleaneval import columns_of
from winnow.lab.train.web2text.figures import Labels
from winnow.models._kernel.lab import Leaves, web2text_column_names

_TOKEN: Final = re.compile(r"<[^>]*>|[^\s<]+")
_HIDDEN: Final = ["script", "style", "head", "noscript"]


def bte(markup: str) -> str:
    """Return the text of the range with the most words inside and the most tags outside.

    Finn, Kushmerick, Smyth 2001.
    """
    page = LexborHTMLParser(markup)
    page.strip_tags(_HIDDEN)
    tokens = _TOKEN.findall(page.html or "")
    start, end = _densest([-1 if token.startswith("<") else 1 for token in tokens])
    return " ".join(token for token in tokens[start:end] if not token.startswith("<"))


def word_rules(found: Leaves) -> Labels:
    """Label blocks by words and link density of their paragraph and its neighbours.

    The decision tree of Kohlschuetter, Fankhauser, Nejdl 2010 (algorithm 2), the base of
    Boilerpipe.
    """
    words = np.array([len(text.split()) for text in found.texts], dtype=np.int64)
    linked = words * _is(found, "block.is_link")
    paragraph_of = paragraphs_of(found)
    sizes = np.bincount(paragraph_of, weights=words).astype(np.float64)
    density = np.bincount(paragraph_of, weights=linked) / np.maximum(sizes, 1)
    return np.asarray(_is_content(sizes, density)[paragraph_of], np.int8)


def paragraphs_of(found: Leaves) -> NDArray[np.intp]:
    """Return the number of each block's paragraph, (blocks,): a run without a block break."""
    return np.asarray(np.cumsum(_is(found, "paragraph.is_first")) - 1, np.intp)


def _is(found: Leaves, column: str) -> NDArray[np.bool_]:
    """Return a column of booleans, (blocks,)."""
    return np.asarray(columns_of(found)[:, web2text_column_names().index(column)] > 0, np.bool_)


def _is_content(words: NDArray[np.float64], density: NDArray[np.float64]) -> NDArray[np.bool_]:
    previous, following = np.append(0, words[:-1]), np.append(words[1:], 0)
    density_before = np.append(0, density[:-1])
    after_text = (words > 16) | (following > 15) | (previous > 4)  # noqa: PLR2004 - the paper's
    after_links = (words > 40) | (following > 17)  # noqa: PLR2004 - the paper's
    rules = np.where(density_before <= 0.555556, after_text, after_links)  # noqa: PLR2004
    return np.asarray((density <= 0.333333) & rules, np.bool_)  # noqa: PLR2004


def _densest(values: list[int]) -> tuple[int, int]:
    """Return the first half-open range with the largest sum."""
    best, best_range = 0, (0, 0)
    total, start = 0, 0
    for at, value in enumerate(values):
        if total <= 0:
            total, start = 0, at
        total += value
        if total > best:
            best, best_range = total, (start, at + 1)
    return best_range
