"""The rules that turn the blocks of a page into verdicts; everything around them is shared."""

from models.engines.choice import ENGINES, engine_of
from models.engines.engine import Engine, Judgement, ScoredPage

__all__ = ["ENGINES", "Engine", "Judgement", "ScoredPage", "engine_of"]
