"""The n-gram language model: tokens, sentences, training, file, scores."""

from models.ngram.info import ModelInfo
from models.ngram.languages import LanguageModels, PageScores
from models.ngram.model import ModelPair, NgramModel, ScoredSentence, ScoredToken

__all__ = [
    "LanguageModels",
    "ModelInfo",
    "ModelPair",
    "NgramModel",
    "PageScores",
    "ScoredSentence",
    "ScoredToken",
]
