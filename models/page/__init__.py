"""Bytes of a page to its blocks."""

from winnow.models.page.limits import DEFAULT_LIMITS, Limits
from winnow.models.page.reading import Wanted, blocks_of, decode, read, tree_of

__all__ = ["DEFAULT_LIMITS", "Limits", "Wanted", "blocks_of", "decode", "read", "tree_of"]
