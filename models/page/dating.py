"""When a page was published and changed, by the first source that gives a date."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from models.page.dates import is_month_first, rfc3339, seen_date
from models.page.statements import NOTHING, Stated, Statements, is_beside

_PUBLISHED: Final = (
    "meta:article:published_time",
    "meta:datepublished",
    "meta:og:published_time",
    "meta:og:article:published_time",
    "meta:parsely-pub-date",
    "meta:dc.date.issued",
    "meta:dc.date.created",
    "meta:dc.date",
    "meta:dcterms.issued",
    "meta:dcterms.created",
    "meta:dcterms.date",
    "meta:sailthru.date",
    "meta:citation_publication_date",
    "meta:citation_date",
    "meta:article.published",
    "meta:article_date_original",
    "meta:cxenseparse:recs:publishtime",
    "meta:originalpublicationdate",
    "meta:publication_date",
    "meta:pubdate",
    "meta:publishdate",
    "meta:publish-date",
    "meta:published",
    "meta:release_date",
    "meta:date",
)
_MODIFIED: Final = (
    "meta:article:modified_time",
    "meta:datemodified",
    "meta:og:updated_time",
    "meta:og:modified_time",
    "meta:dcterms.modified",
    "meta:dc.date.modified",
    "meta:last-modified",
    "meta:lastmod",
    "meta:revised",
)
# A text that dates a change, in the languages whose dates are read.
_CHANGE: Final = re.compile(
    r"updat|modif|revis|edited|review|aktualis|geändert|stand:|mise à jour|mis à jour|actualiz"
    r"|atualiz|aggiorn|modific|обновл|更新|ενημερ",
    re.IGNORECASE,
)
_FAR: Final = (
    *("ublished", "PUBLISHED", "osted", "POSTED", "ublish date", "ost time", "eröffentlicht"),
    *("ublié", "ublicado", "ubblicato", "publikowano", "публиковано", "公開日", "投稿日"),
)
_MAX_FAR: Final = 100
_PATH: Final = re.compile(
    r"/(?P<y>(?:19|20)\d\d)(?P<s>[/_-]?)(?P<m>\d\d?)(?P=s)(?P<d>\d\d?)(?=[/_.-]|$)"
)
_MAX_LINE: Final = 200


@dataclass(frozen=True, slots=True)
class Dating:
    """The dates of a page."""

    published: Stated
    modified: Stated


def dating_of(statements: Statements, headline: int | None) -> Dating:
    """Return both dates.

    Where the only date that a page gives is that of a change, shown beside the headline, it is the
    date of both.
    """
    reader = _Reader(statements, headline)
    published = _first(reader.published())
    modified = _first(reader.modified())
    if not published.value and modified.source == "shown:changed":
        published = modified
    return Dating(published, modified)


def _first(found: Iterable[tuple[str, str]]) -> Stated:
    return next((Stated(value, source) for value, source in found if value), NOTHING)


class _Reader:
    def __init__(self, statements: Statements, headline: int | None) -> None:
        self._statements = statements
        self._headline = headline
        lang = statements.declared.get("lang", "")
        locale = statements.declared.get("meta:og:locale", "")
        self._lang = lang or locale
        tag = lang if "-" in lang or not locale else locale
        self._month_first = is_month_first(tag, statements.host)
        # what a front page shows are dates of other pages
        self._shows_own = statements.is_written and statements.path not in {"", "/"}
        self._shown = list(self._beside()) if self._shows_own else []

    def published(self) -> Iterator[tuple[str, str]]:
        own = self._statements
        yield from self._declared(_PUBLISHED)
        if own.linked.is_article or own.is_written:
            yield self._date(own.linked.published), "json-ld:datePublished"
        if self._shows_own:
            yield from self._seen()
        yield self._in_path(), "url"

    def _seen(self) -> Iterator[tuple[str, str]]:
        yield from self._marked("itemprop:datepublished", "itemprop:datecreated")
        yield from ((day, "shown") for day, is_change in self._shown if not is_change)
        yield from self._marked("time", "class:date", is_beside_only=True)
        if any(is_change for _, is_change in self._shown):
            return
        far = self._statements.blocks.lines_with(_FAR, _MAX_FAR)
        yield from ((self._shown_in(text), "shown") for text in far)
        yield from self._marked("time")

    def modified(self) -> Iterator[tuple[str, str]]:
        yield self._date(self._statements.linked.modified), "json-ld:dateModified"
        yield from self._declared(_MODIFIED)
        yield from self._marked("itemprop:datemodified")
        yield from ((day, "shown:changed") for day, is_change in self._shown if is_change)

    def _declared(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        declared = self._statements.declared
        return ((self._date(declared[name]), name) for name in names if name in declared)

    def _marked(self, *names: str, is_beside_only: bool = False) -> Iterator[tuple[str, str]]:
        for name, text, block in self._statements.marked(*names):
            is_here = is_beside(block, self._headline) or not is_beside_only
            if is_here and not (name == "class:date" and _CHANGE.search(text)):
                yield self._date(text) if name != "class:date" else self._shown_in(text), name

    def _beside(self) -> Iterator[tuple[str, bool]]:
        label = ""
        for text in self._statements.beside(self._headline):
            if len(text) <= _MAX_LINE and (day := self._shown_in(text)):
                yield day, _CHANGE.search(text) is not None or _CHANGE.search(label) is not None
            label = text if len(text) <= 30 else ""  # noqa: PLR2004 - "Last updated on:" and the like

    def _date(self, text: str) -> str:
        return rfc3339(text) or self._shown_in(text[:64])

    def _shown_in(self, text: str) -> str:
        return seen_date(text, self._lang, self._month_first)

    def _in_path(self) -> str:
        found = _PATH.search(self._statements.path)
        if not found:
            return ""
        try:
            return date(int(found["y"]), int(found["m"]), int(found["d"])).isoformat()
        except ValueError:
            return ""
