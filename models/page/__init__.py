"""Bytes of a page to its blocks."""

from winnow.models.page.blocks import PageBlocks, blocks_of
from winnow.models.page.limits import DEFAULT_LIMITS, Limits
from winnow.models.page.selftest import check_tree_layout
from winnow.models.page.stages import (
    ParsedPage,
    cut,
    cut_or_uncover,
    outline,
    parse,
    parse_whole,
    prepare,
    uncovered,
    with_data_text,
)

__all__ = [
    "DEFAULT_LIMITS",
    "Limits",
    "PageBlocks",
    "ParsedPage",
    "blocks_of",
    "cut",
    "cut_or_uncover",
    "outline",
    "parse",
    "parse_whole",
    "prepare",
    "uncovered",
    "with_data_text",
]

check_tree_layout()
