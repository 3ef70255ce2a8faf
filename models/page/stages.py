"""The three stages of a page, apart so that a caller can time them: prepare, parse, walk."""

from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from winnow.models._kernel import Blocks, Prepared, data_text, paragraphs, walk, walk_with_elements
from winnow.models._kernel import prepare as prepare_body
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.models.page.limits import DEFAULT_LIMITS, Limits

# without events lexbor does less work, and does not copy options into <selectedcontent>
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
# A page that shows fewer characters than this and conceals so many times more is drawn by scripts:
# its text stands in `noscript` or in elements that a script would open. Between 500 and 1,000
# characters and 2 and 10 times nothing changes on the training part of the development pages.
_LEAST_SHOWN: Final = 1000
_TIMES_MORE: Final = 5
# what scripts of Next.js since version 13 push to, which hold no data for any other page
_STREAM: Final = b"self.__next_f"
# of a page whose markup is decoded
_UTF_8: Final = "; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page that was parsed.

    Attributes:
        prepared: what it was parsed from.
        tree: in no other hands, since the kernel walks it without the GIL; None for plain text.
    """

    prepared: Prepared
    tree: LexborHTMLParser | None


def prepare(page: Page, limits: Limits = DEFAULT_LIMITS) -> Prepared:
    """Find charset and form of a page, and make sure that it parses in bounded time.

    Raises:
        InvalidPage: the body is empty, no text, or beyond the limits; or URL or content type have
            half of a surrogate pair.
    """
    try:
        return prepare_body(page.body, page.content_type, page.url, limits)
    except UnicodeEncodeError:  # its text quotes what cannot be written anywhere
        raise InvalidPage(Reason.UNDECODABLE, "URL or content type is no text") from None


def parse(prepared: Prepared) -> ParsedPage:
    """Parse the markup; plain text needs no parse."""
    if prepared.form == "text":
        return ParsedPage(prepared, None)
    return ParsedPage(prepared, LexborHTMLParser(prepared.parsed, options=_OPTIONS))


def parse_whole(prepared: Prepared) -> LexborHTMLParser:
    """Parse the markup with the attributes, scripts and styles that `parse` leaves out."""
    return LexborHTMLParser(prepared.markup, options=_OPTIONS)


def cut(page: ParsedPage) -> Blocks:
    """Cut a page into blocks."""
    return paragraphs(page.prepared.markup) if page.tree is None else walk(page.tree)


def outline(page: ParsedPage) -> Blocks:
    """Cut a page into blocks with the elements around them, for engines that look at structure.

    There are more blocks than `cut` gives: hidden ones and those in `noscript` come along.
    """
    return paragraphs(page.prepared.markup) if page.tree is None else walk_with_elements(page.tree)


def cut_or_uncover(page: ParsedPage) -> Blocks:
    """Cut a page into blocks, hidden ones and `noscript` among them if it shows next to nothing."""
    return uncovered(cut(page), page)


def uncovered(shown: Blocks, page: ParsedPage) -> Blocks:
    """Return all blocks of a page that shows next to nothing, else the same blocks."""
    if page.tree is None or shown.chars >= _LEAST_SHOWN:
        return shown
    every = walk_with_elements(page.tree)
    return every if every.chars > _TIMES_MORE * shown.chars else shown


def with_data_text(
    page: Page, parsed: ParsedPage, shown: Blocks, limits: Limits
) -> tuple[str, Prepared] | None:
    """Set the text that only data of the page holds behind its markup.

    Args:
        page: whose body was parsed.
        parsed: what it was parsed to.
        shown: the blocks that an engine reads of it.
        limits: bounds of the page with the text.

    Returns:
        Where the text stands, of `winnow.models._kernel.TEXT_SOURCES`, and the page with
        it; None if the page shows enough, its data hold not clearly more,
        or both together are beyond the limits.
    """
    if parsed.tree is None or shown.chars >= _LEAST_SHOWN:
        return None
    found = data_text(parsed.tree, shown.chars)
    if found is None and _STREAM in parsed.prepared.markup:
        found = data_text(parse_whole(parsed.prepared), shown.chars)
    if found is None:
        return None
    source, markup = found
    content_type = page.content_type.partition(";")[0] + _UTF_8
    try:
        return source, prepare_body(
            parsed.prepared.markup + markup.encode(), content_type, page.url, limits
        )
    except InvalidPage:  # what the page itself shows is within the limits
        return None
