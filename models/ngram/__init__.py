"""The n-gram language model: tokens, sentences, training, file, scores."""

from models.ngram.info import ModelInfo
from models.ngram.model import NgramModel, ScoredSentence, ScoredToken

__all__ = ["ModelInfo", "NgramModel", "ScoredSentence", "ScoredToken"]
