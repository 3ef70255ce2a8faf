"""Blocks of a page to verdicts, by structure: the default engine."""

from winnow.models.engines.hybrid.model import MIXED, OPEN, HybridModel
from winnow.models.engines.hybrid.options import Convention, HybridOptions, PageType, Training

__all__ = [
    "MIXED",
    "OPEN",
    "Convention",
    "HybridModel",
    "HybridOptions",
    "PageType",
    "Training",
]
