"""Blocks to verdicts by two language models, one of content and one of furniture."""

from models.engines.contrast.model import FURNITURE, FurnitureModel
from models.engines.contrast.parameters import ContrastParameters

__all__ = ["FURNITURE", "ContrastParameters", "FurnitureModel"]
