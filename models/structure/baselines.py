"""Body Text Extraction (Finn, Kushmerick, Smyth 2001), the oldest system to compare with."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

_TOKEN: Final = re.compile(r"<[^>]*>|[^\s<]+")
_HIDDEN: Final = ["script", "style", "head", "noscript"]


def bte(markup: str) -> str:
    """Return the text of the stretch with the most words inside and the most tags outside."""
    page = LexborHTMLParser(markup)
    page.strip_tags(_HIDDEN)
    tokens = _TOKEN.findall(page.html or "")
    start, end = _densest([-1 if token.startswith("<") else 1 for token in tokens])
    return " ".join(token for token in tokens[start:end] if not token.startswith("<"))


def _densest(values: list[int]) -> tuple[int, int]:
    """Return the half-open range with the largest sum, the first one among equals."""
    best, best_range = 0, (0, 0)
    total, start = 0, 0
    for at, value in enumerate(values):
        if total <= 0:
            total, start = 0, at
        total += value
        if total > best:
            best, best_range = total, (start, at + 1)
    return best_range
