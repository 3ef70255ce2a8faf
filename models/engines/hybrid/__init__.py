"""Blocks of a page to verdicts, by structure: the default engine."""

from models.engines.hybrid.model import MIXED, OPEN, HybridModel
from models.engines.hybrid.options import Comments, HybridOptions, PageType, Training, Wish

__all__ = [
    "MIXED",
    "OPEN",
    "Comments",
    "HybridModel",
    "HybridOptions",
    "PageType",
    "Training",
    "Wish",
]
