"""The n-gram language model: tokens, sentences, training, file, scores."""

from winnow.models.ngram.info import ModelInfo
from winnow.models.ngram.languages import LanguageModels
from winnow.models.ngram.model import NgramModel, ScoredSentence, ScoredToken

__all__ = ["LanguageModels", "ModelInfo", "NgramModel", "ScoredSentence", "ScoredToken"]
