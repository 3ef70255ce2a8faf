"""Known-item queries: from titles, headlines, links to a page and first sentences."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.sets.tasks import Task
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import decode

LEAST_TITLE_WORDS: Final = 3
SENTENCE_WORDS: Final = range(8, 31)
_WORD: Final = re.compile(r"\w+")
_TITLE_PARTS: Final = re.compile(r"\s+[|·•\u2013\u2014:«»/>-]+\s+|[|»]|::")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[\u3002\uff01\uff1f])")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query and its one relevant page."""

    page_id: str
    words: Words


@dataclass(frozen=True, slots=True)
class Named:
    """The title and headline of a page, and its links.

    Attributes:
        title: words of the longest part of its title; empty if too few.
        headline: words of its first `h1`; empty if too few.
        links: address of each link in normal form, and its words.
    """

    title: Words = ()
    headline: Words = ()
    links: tuple[tuple[str, Words], ...] = ()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def named(page: Page) -> Named:
    """Return title, headline and links of a page; empty for a page without markup."""
    try:
        tree = LexborHTMLParser(decode(page).markup)
    except InvalidPage:
        return Named()
    title, headline = tree.css_first("title"), tree.css_first("h1")
    parts = [words_of(part) for part in _TITLE_PARTS.split(title.text() if title else "")]
    links = (
        (address_of(urljoin(page.url, link.attributes.get("href") or "")), words_of(link.text()))
        for link in (tree.css("a[href]") if page.url else ())
    )
    return Named(
        _if_enough(max(parts, key=len)),
        _if_enough(words_of(headline.text(separator=" ")) if headline else []),
        tuple((address, tuple(words)) for address, words in links if _if_enough(words)),
    )


def address_of(url: str) -> str:
    """Return the normal form of a URL: without scheme, fragment and last slash."""
    return urldefrag(url).url.partition("://")[2].rstrip("/").removeprefix("www.")


def sentence_of(task: Task) -> Words:
    """Return the words of the first long enough sentence of the gold text."""
    for sentence in _SENTENCE_END.split(task.wanted.text):
        words = words_of(sentence)
        if len(words) in SENTENCE_WORDS:
            return tuple(words)
    return ()


def anchors(pages: Sequence[Task], names: Sequence[Named]) -> list[KnownItem]:
    """Return the most frequent link text to each page from other pages."""
    found: dict[str, Counter[Words]] = {address_of(t.page.url): Counter() for t in pages}
    for task, name in zip(pages, names, strict=True):
        own = address_of(task.page.url)
        for address, words in name.links:
            if address != own and address in found:
                found[address][words] += 1
    best = {
        address: min(counts, key=lambda words: (-counts[words], words))
        for address, counts in found.items()
        if counts and address
    }
    return [
        KnownItem(task.wanted.page_id, best.get(address_of(task.page.url), ())) for task in pages
    ]


def known_items(pages: Sequence[Task], names: Sequence[Named]) -> Mapping[str, list[KnownItem]]:
    """Return the queries by kind."""
    ids = [task.wanted.page_id for task in pages]
    return {
        "title": unique(KnownItem(i, n.title) for i, n in zip(ids, names, strict=True)),
        "headline": unique(KnownItem(i, n.headline) for i, n in zip(ids, names, strict=True)),
        "anchor": unique(anchors(pages, names)),
        "first sentence": unique(KnownItem(t.wanted.page_id, sentence_of(t)) for t in pages),
    }


def unique(items: Iterable[KnownItem]) -> list[KnownItem]:
    """Return the items with unique, non-empty words."""
    found = [item for item in items if item.words]
    counts = Counter(item.words for item in found)
    return [item for item in found if counts[item.words] == 1]


def _if_enough(words: Sequence[str]) -> Words:
    return tuple(words) if len(set(words)) >= LEAST_TITLE_WORDS else ()
