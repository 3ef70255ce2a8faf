"""Queries that look for one page each: from its title, and from its first sentence."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from lab.sets.tasks import Task
from models.errors import InvalidPage
from models.page import prepare

LEAST_TITLE_WORDS: Final = 3
SENTENCE_WORDS: Final = range(8, 31)
_WORD: Final = re.compile(r"\w+")
_TITLE_PARTS: Final = re.compile(r"\s+[|·•\u2013\u2014:«»/>-]+\s+|[|»]|::")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[\u3002\uff01\uff1f])")


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query and the page that it looks for."""

    page_id: str
    words: tuple[str, ...]


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def title_of(task: Task) -> tuple[str, ...]:
    """Return the words of the longest part of the page's title; none if they are too few."""
    try:
        element = LexborHTMLParser(prepare(task.page).markup).css_first("title")
    except InvalidPage:
        return ()
    parts = [words_of(part) for part in _TITLE_PARTS.split(element.text() if element else "")]
    longest = max(parts, key=len)
    return tuple(longest) if len(set(longest)) >= LEAST_TITLE_WORDS else ()


def sentence_of(task: Task) -> tuple[str, ...]:
    """Return the words of the first sentence of the gold text that is long enough."""
    for sentence in _SENTENCE_END.split(task.wanted.text):
        words = words_of(sentence)
        if len(words) in SENTENCE_WORDS:
            return tuple(words)
    return ()


def unique(items: Iterable[KnownItem]) -> list[KnownItem]:
    """Return the items that have words, and no other item's."""
    found = [item for item in items if item.words]
    counts = Counter(item.words for item in found)
    return [item for item in found if counts[item.words] == 1]
