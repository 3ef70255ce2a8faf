# ruff: noqa: RUF001 - letters and signs of other scripts are what pages write
"""The title of a page: its headline, confirmed by what the page calls itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from models.page.lines import line
from models.page.statements import Stated, Statements, linked

# what parts the title of a page from the name of its site
_BORDER: Final = re.compile(r"\s+(?:[|\-–—·•»«/~>›]|::)\s+|[|»›]\s+|\s*｜\s*")
_MAX_PARTS: Final = 8
_MAX_HEADINGS: Final = 16
_WORD: Final = re.compile(r"\w+")
_LETTERS: Final = re.compile(r"\W+")
# Share of words that a headline and a title have in common, of the shorter one; .3 to .7 differ by
# less than a percent of pages.
_LEAST_SHARED: Final = 0.5
# shorter names of sites stand inside other words
_LEAST_NAME: Final = 4


@dataclass(frozen=True, slots=True)
class Title:
    """A title; `headline`: order of the block that shows it, or of the first heading, if any."""

    stated: Stated
    headline: int | None


def title_of(statements: Statements) -> Title:
    """Choose the title.

    A heading that says what the page calls itself, or most of it, decides; else what the page calls
    itself without the name of the site.
    """
    named = list(_named(statements))
    sites = _site_keys(statements)
    heads = _heads(statements, sites, level=1) or _heads(statements, sites, level=2)
    tops = [head for head in heads if head[1] == 1]
    parts = {_key(part) for stated in named for part in _runs(stated.value)} - sites - {""}
    for order, level, text in _confirmed(tops, heads, parts, named):
        return Title(Stated(text, f"h{level}"), order)
    first = tops[0][0] if tops else None
    for stated in named:
        if short := _without_site(stated.value, sites):
            return Title(Stated(short, stated.source), first)
    if named:
        last = named[-1]
        short = _without_tail(last.value)
        return Title(Stated(short, last.source) if short else named[0], first)
    for order, level, text in tops or heads[:1]:
        return Title(Stated(text, f"h{level}"), order)
    return Title(Stated(), None)


def _heads(statements: Statements, sites: set[str], level: int) -> list[tuple[int, int, str]]:
    """Return the headings of a level that do not name the site."""
    found = [heading for heading in statements.headings if heading[1] == level][:_MAX_HEADINGS]
    lines = ((order, level, line(text)) for order, _, text in found)
    return [head for head in lines if _key(head[2]) not in sites and _WORD.search(head[2])]


def _named(statements: Statements) -> Iterator[Stated]:
    """Yield what the page calls itself, its `title` last."""
    for stated in (
        statements.first(("meta:og:title",)),
        linked(line(statements.linked.headline), "headline"),
        statements.first(("title",)),
    ):
        if stated.value:
            yield stated


def _site_keys(statements: Statements) -> set[str]:
    """Return the names of the site: declared ones, and the labels of its host."""
    host = statements.host
    names = (
        *(statements.declared.get(name, "") for name in ("meta:og:site_name",)),
        statements.declared.get("meta:application-name", ""),
        statements.linked.publisher,
        host,
        *host.split(".")[:-1],
    )
    return {_key(name[:200]) for name in names} - {""}


def _confirmed(
    tops: Sequence[tuple[int, int, str]],
    heads: Sequence[tuple[int, int, str]],
    parts: set[str],
    named: Sequence[Stated],
) -> Iterator[tuple[int, int, str]]:
    """Yield the headings that the page's own names confirm, the best first."""
    yield from (head for head in tops if _key(head[2]) in parts)
    words = [_words(stated.value) for stated in named]
    shares = [(_shared(_words(head[2]), words), head) for head in tops]
    share, best = max(shares, key=lambda each: each[0], default=(0.0, None))
    if best and share >= _LEAST_SHARED:
        yield best
    if not tops:
        yield from (head for head in heads if _key(head[2]) in parts)


def _shared(own: set[str], named: Iterable[set[str]]) -> float:
    """Return the largest share of words in common, 1 where nothing could be."""
    shares = [len(own & words) / min(len(own), len(words)) for words in named if own and words]
    return max(shares, default=0.0)


def _runs(text: str) -> Iterator[str]:
    """Yield a text and all runs of its parts between borders."""
    parts = _BORDER.split(text, _MAX_PARTS)
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield " ".join(parts[start:end])


def _without_site(text: str, sites: set[str]) -> str:
    """Return a title without the name of the site at its end or start; empty if there is none."""
    borders = list(_BORDER.finditer(text))
    if not borders:
        return ""
    first, last = borders[0], borders[-1]
    if _names_site(text[last.end() :], sites):
        return text[: last.start()].strip()
    return text[first.end() :].strip() if _names_site(text[: first.start()], sites) else ""


def _names_site(part: str, sites: set[str]) -> bool:
    key = _key(part)
    return key in sites or any(
        (site in key or key in site) for site in sites if min(len(site), len(key)) >= _LEAST_NAME
    )


def _without_tail(text: str) -> str:
    """Return a title without its last part; empty if it has one part."""
    borders = list(_BORDER.finditer(text))
    return text[: borders[-1].start()].strip() if borders else ""


def _key(text: str) -> str:
    return _LETTERS.sub("", text.casefold())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
