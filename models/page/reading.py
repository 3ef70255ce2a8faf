"""A page to its blocks, and to its markup."""

from typing import Final, Literal

from winnow.models._kernel import Blocks, Reader, Rule, Source, Tree
from winnow.models._kernel import decode as decode_body
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.page.limits import DEFAULT_LIMITS, Limits

# Which blocks of a page to read: what a reader sees at first; the same, or all of a page that shows
# almost nothing; also hidden ones and those in `noscript`, with the elements around them. A rule
# reads the blocks that it judges.
Wanted = Literal["shown", "uncovered", "every"] | Rule

_NO_TEXT: Final = "URL, content type or robots tag is not valid text"


def read(reader: Reader, page: Page) -> Blocks:
    """Decode, check, parse and cut a page.

    Raises:
        InvalidPage: the body is empty, not text, or beyond the limits; or a header has half of a
            surrogate pair.
    """
    try:
        return reader.read(
            page.body,
            url=page.url,
            content_type=page.content_type,
            robots_tag=page.robots_tag,
        )
    except UnicodeEncodeError:  # its text quotes characters that cannot be written anywhere
        raise InvalidPage(Reason.UNDECODABLE, _NO_TEXT) from None


def blocks_of(
    page: Page, limits: Limits = DEFAULT_LIMITS, *, wanted: Wanted = "uncovered"
) -> Blocks:
    """Return the blocks of one page; raises as `read`."""
    return read(Reader(wanted, limits), page)


def decode(page: Page, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Return charset, form and markup of a page without parsing it; raises as `read`."""
    try:
        return decode_body(page.body, limits, url=page.url, content_type=page.content_type)
    except UnicodeEncodeError:
        raise InvalidPage(Reason.UNDECODABLE, _NO_TEXT) from None


def tree_of(markup: str, limits: Limits = DEFAULT_LIMITS) -> Tree:
    """Parse markup, for tools that use its tree; raises `InvalidPage` beyond the limits."""
    return Tree(markup, limits)
