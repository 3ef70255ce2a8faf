"""What text stays: pages to blocks, the language model, engines, the cleaner."""

from models.cleaner import Cleaner
from models.document import Block, BlockKind, Document, Page, PageStats, Sentence, Verdict
from models.errors import InvalidPage, ModelError, OptionsError, Reason, WinnowError
from models.ngram import LanguageModels, NgramModel
from models.options import CleanerOptions, TextFormat

__all__ = [
    "Block",
    "BlockKind",
    "Cleaner",
    "CleanerOptions",
    "Document",
    "InvalidPage",
    "LanguageModels",
    "ModelError",
    "NgramModel",
    "OptionsError",
    "Page",
    "PageStats",
    "Reason",
    "Sentence",
    "TextFormat",
    "Verdict",
    "WinnowError",
]
