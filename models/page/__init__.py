"""Bytes of a page to its blocks."""

from models.page.blocks import PageBlocks, blocks_of
from models.page.limits import DEFAULT_LIMITS, Limits
from models.page.selftest import check_tree_layout
from models.page.stages import (
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
