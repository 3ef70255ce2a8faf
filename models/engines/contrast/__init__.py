"""Blocks to verdicts by two language models, one of content and one of boilerplate."""

from models.engines.contrast.model import BOILERPLATE, BoilerplateModel
from models.engines.contrast.parameters import ContrastParameters

__all__ = ["BOILERPLATE", "BoilerplateModel", "ContrastParameters"]
