"""Builders for tests of pages."""

from collections.abc import Callable

import pytest

from winnow.models.document import Block, Page
from winnow.models.page import blocks_of

Cut = Callable[[str], list[Block]]


@pytest.fixture
def cut_html() -> Cut:
    """Return a function that cuts markup into blocks."""

    def cut(markup: str) -> list[Block]:
        blocks = blocks_of(Page("", markup.encode(), "text/html; charset=utf-8"))
        return [blocks.block(order) for order in range(len(blocks))]

    return cut
