"""A page to its blocks and what it declares about itself."""

from dataclasses import dataclass

from models._kernel import Blocks, Prepared
from models.document import Page
from models.page.limits import DEFAULT_LIMITS, Limits
from models.page.stages import cut_or_uncover, parse, prepare


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of a page with what is known of the page as a whole.

    Attributes:
        blocks: opaque table of the kernel; `blocks.block(i)` makes one a value.
        charset: lower-case WHATWG name of the charset that the body was decoded with.
        form: `html` or `text`.
        lang: language tag that the page declares, as it spells it.
    """

    blocks: Blocks
    charset: str
    form: str
    lang: str


def blocks_of(page: Page, limits: Limits = DEFAULT_LIMITS) -> PageBlocks:
    """Decode, check, parse and cut a page, with what it conceals if it shows next to nothing.

    Raises:
        InvalidPage: the body is empty, no text, or beyond the limits.
    """
    prepared = prepare(page, limits)
    return page_blocks(prepared, cut_or_uncover(parse(prepared)))


def page_blocks(prepared: Prepared, blocks: Blocks) -> PageBlocks:
    """Join what the stages made of a page, for callers that run them one by one."""
    return PageBlocks(blocks, prepared.charset, prepared.form, blocks.declared_language)
