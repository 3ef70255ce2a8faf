"""Blocks to verdicts by two language models: one of content, one of boilerplate."""

from winnow.models.engines.contrast.engine import BOILERPLATE, ContrastEngine
from winnow.models.engines.contrast.parameters import ContrastParameters

__all__ = ["BOILERPLATE", "ContrastEngine", "ContrastParameters"]
