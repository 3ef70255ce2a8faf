"""A page -> the text that a later program gets, by each way of cleaning."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from winnow.lab.measure.engines import build_engine
from winnow.lab.measure.peers.tools import TOOLS
from winnow.models._kernel import render
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of, decode

TextOf = Callable[[Page], str]

# the first was trained on all of these pages; the second only on wcxb
ENGINES: Final = ("hybrid", "hybrid:training=open", "contrast", "web2text", "perplexity")
OTHER_TOOLS: Final = ("trafilatura", "readability-lxml")
# the base of comparison: the paper's "no removal", which only strips tags
BASE: Final = "stripped"
VARIANTS: Final = ("raw", "stripped", *ENGINES, *OTHER_TOOLS)


def raw(page: Page) -> str:
    """Return the markup itself, as text."""
    return decode(page).markup.decode()


def stripped(page: Page) -> str:
    """Return all visible text, as `winnow strip` does."""
    blocks = blocks_of(page)
    return render(blocks, None, bytes(len(blocks)), "text", mark=False).text


def variant(name: str) -> TextOf:
    """Return a cleaning function by a name of `VARIANTS` or an engine for `build_engine`.

    A page that cannot be cleaned gives an empty text.
    """
    own: Mapping[str, TextOf] = {"raw": raw, "stripped": stripped}
    if name in own:
        return partial(_or_nothing, own[name])
    if name in OTHER_TOOLS:
        logging.disable(logging.ERROR)  # they log what they raise
        return partial(_or_nothing, partial(_other, TOOLS[name]()))
    return partial(_or_nothing, build_engine(name).clean_text)


def _other(extract: Callable[[str, str], str], page: Page) -> str:
    try:
        return extract(decode(page).markup.decode(), "en")
    except Exception:  # noqa: BLE001 - other tools raise what they like
        return ""


def _or_nothing(text_of: TextOf, page: Page) -> str:
    try:
        return text_of(page)
    except InvalidPage:
        return ""
