"""Who wrote a page, by the first source that names somebody."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from models.page.names import declared_author, is_login, marked_author, seen_author
from models.page.statements import NOTHING, Stated, Statements, is_beside

_NAMES: Final = (
    "meta:author",
    "meta:article:author",
    "meta:dc.creator",
    "meta:dcterms.creator",
    "meta:parsely-author",
    "meta:sailthru.author",
    "meta:citation_author",
    "meta:article:author_name",
    "meta:og:author",
    "meta:byl",
    "meta:cxenseparse:author",
)
_CARD_LABEL: Final = "meta:twitter:label1"
_CARD_VALUE: Final = "meta:twitter:data1"
_LABEL: Final = re.compile(
    r"\W*(?:(?:written|posted|published)\s+)?(?:by|author|von|par|por)\W*", re.IGNORECASE
)
_FAR: Final = (
    *("ritten by", "Written By", "WRITTEN BY", "osted by", "Posted By", "uthor:", "AUTHOR:"),
    *("By:", "BY:", "erfasst von", "utor:", "utorin:", "uteur:", "uteur :"),
)
_MAX_FAR: Final = 100
_MAX_BYLINE: Final = 200


def author_of(statements: Statements, headline: int | None) -> Stated:
    """Return the names, as the page writes them.

    A page that is no text somebody wrote has the author that it declares. The name of an account
    is taken where no other name stands.
    """
    account = NOTHING
    for value, source in _stated(statements, headline):
        if not value:
            continue
        if not is_login(value):
            return Stated(value, source)
        account = account if account.value else Stated(value, source)
    return account


def _stated(statements: Statements, headline: int | None) -> Iterator[tuple[str, str]]:
    declared = statements.declared
    yield declared_author(statements.linked.author), "json-ld:author"
    yield from ((declared_author(declared[name]), name) for name in _NAMES if name in declared)
    if declared.get(_CARD_LABEL, "").lower() == "written by":
        yield declared_author(declared.get(_CARD_VALUE, "")), _CARD_VALUE
    if statements.is_written:
        yield from _shown(statements, headline)


def _shown(statements: Statements, headline: int | None) -> Iterator[tuple[str, str]]:
    for name, text, _ in statements.marked("itemprop:author", "itemprop:creator"):
        yield marked_author(text), name
    by_rel = [(name, text, block) for name, text, block in statements.marked("rel:author")]
    by_class = [(name, text, block) for name, text, block in statements.marked("class:author")]
    yield from _beside(by_rel, headline)
    lines = statements.beside(headline)
    for label, text in pairwise(lines):
        if _LABEL.fullmatch(label):
            yield marked_author(text), "byline"
    yield from _beside(by_class, headline)
    yield from ((seen_author(text), "byline") for text in lines if len(text) <= _MAX_BYLINE)
    yield from ((marked_author(text), name) for name, text, _ in by_rel)
    far = statements.blocks.lines_with(_FAR, _MAX_FAR)
    yield from ((seen_author(text), "byline") for text in far)
    yield from ((marked_author(text), name) for name, text, _ in by_class)


def _beside(marks: list[tuple[str, str, int]], headline: int | None) -> Iterator[tuple[str, str]]:
    return (
        (marked_author(text), name) for name, text, block in marks if is_beside(block, headline)
    )
