"""The n-gram language model: tokens, sentences, training, file, scores."""

from models.ngram.info import ModelInfo
from models.ngram.languages import LanguageModels
from models.ngram.model import NgramModel, ScoredSentence, ScoredToken

__all__ = ["LanguageModels", "ModelInfo", "NgramModel", "ScoredSentence", "ScoredToken"]
