"""A page to its blocks and what it declares about itself."""

from dataclasses import dataclass

from winnow.models._kernel import Blocks
from winnow.models.document import Page
from winnow.models.page.limits import DEFAULT_LIMITS, Limits
from winnow.models.page.stages import cut_or_uncover, parse, prepare


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of a page with what is known of the page as a whole.

    Attributes:
        blocks: opaque table of the kernel; `blocks.block(i)` makes one a value.
        charset: lower-case WHATWG name of the charset that the body was decoded with.
        form: `html` or `text`.
    """

    blocks: Blocks
    charset: str
    form: str

    @property
    def lang(self) -> str:
        """The language tag that the page declares, as it spells it; empty if it has none."""
        return self.blocks.declared_language


def blocks_of(page: Page, limits: Limits = DEFAULT_LIMITS) -> PageBlocks:
    """Decode, check, parse and cut a page, with what it conceals if it shows next to nothing.

    Raises:
        InvalidPage: the body is empty, no text, or beyond the limits.
    """
    prepared = prepare(page, limits)
    return PageBlocks(cut_or_uncover(parse(prepared)), prepared.charset, prepared.form)
