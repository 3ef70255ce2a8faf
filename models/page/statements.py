"""What a page states about itself, gathered once from its declarations, marks and linked data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from models._kernel import Blocks
from models.page.lines import line
from models.page.linkeddata import linked_data

# Blocks around the headline in which a byline stands. Of 8 and 12 to 16 none is better than another
# on the half of WCXB's sites that served for making the rules.
_BEFORE: Final = 8
_AFTER: Final = 14
# what has an author and a date, of the types that an engine tells apart; empty: it does not
_WRITTEN: Final = frozenset({"", "article", "forum", "documentation"})


@dataclass(frozen=True, slots=True)
class Stated:
    """A value and where the page says it; both empty if it says nothing."""

    value: str = ""
    source: str = ""


NOTHING: Final = Stated()


class Statements:
    """The statements of one page.

    Attributes:
        declared: by name, the first of each; see `models._kernel.Blocks.declared`.
        article_tags: every `article:tag`.
        is_written: whether the page may have an author and a date of its own: no shop, no list.
    """

    def __init__(self, url: str, blocks: Blocks, page_type: str = "") -> None:
        """Gather them; `page_type` is what an engine takes the page for, if it tells types."""
        pairs = blocks.declared  # made anew whenever it is asked for, linked data and all
        self.url: Final = url
        self.blocks: Final = blocks
        self.declared: Final = dict(reversed(pairs))
        self.linked: Final = linked_data([text for name, text in pairs if name == "json-ld"])
        self.article_tags: Final = [text for name, text in pairs if name == "meta:article:tag"]
        self.is_written: Final = page_type in _WRITTEN
        self.is_typed: Final = bool(page_type)

    @cached_property
    def host(self) -> str:
        """The name of the host; empty if the address has none."""
        try:
            return (urlsplit(self.url).hostname or "").removeprefix("www.")
        except ValueError:
            return ""

    @cached_property
    def path(self) -> str:
        """The path of the address."""
        try:
            return urlsplit(self.url).path
        except ValueError:
            return ""

    @cached_property
    def headings(self) -> list[tuple[int, int, str]]:
        """Order, level and text of the headings."""
        return self.blocks.headings

    @cached_property
    def marks(self) -> list[tuple[str, str, int]]:
        """Name, value and block of the marked elements."""
        return self.blocks.marks

    def first(self, names: Iterable[str], max_chars: int = 512) -> Stated:
        """Return the first declaration of some that is a line."""
        for name in names:
            if name in self.declared and (value := line(self.declared[name], max_chars)):
                return Stated(value, name)
        return NOTHING

    def marked(self, *names: str) -> Iterator[tuple[str, str, int]]:
        """Yield the marks of some names."""
        return (mark for mark in self.marks if mark[0] in names)

    def beside(self, headline: int | None) -> list[str]:
        """Return the lines around a headline: those behind it, then those before it, upwards."""
        if headline is None:
            return []
        after = self.blocks.texts(headline + 1, headline + 1 + _AFTER)
        before = self.blocks.texts(max(headline - _BEFORE, 0), headline + 1)
        return [each for text in (*after, *reversed(before)) for each in text.split("\n")]


def is_beside(block: int, headline: int | None) -> bool:
    """Whether a block stands by a headline."""
    return headline is not None and headline - _BEFORE <= block <= headline + _AFTER


def linked(value: str, name: str) -> Stated:
    """Return a value of the linked data, with its property for a source."""
    return Stated(value, f"json-ld:{name}") if value else NOTHING
