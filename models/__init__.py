"""What text stays: pages to blocks, the language model, engines, the cleaner."""

from winnow.models.cleaner import Cleaner
from winnow.models.document import Block, BlockKind, Document, Page, PageStats, Sentence, Verdict
from winnow.models.engines.hybrid import Convention, Training
from winnow.models.errors import InvalidPage, ModelError, OptionsError, Reason, WinnowError
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.options import CleanerOptions, TextFormat
from winnow.models.page import Limits

__all__ = [
    "Block",
    "BlockKind",
    "Cleaner",
    "CleanerOptions",
    "Convention",
    "Document",
    "InvalidPage",
    "LanguageModels",
    "Limits",
    "ModelError",
    "NgramModel",
    "OptionsError",
    "Page",
    "PageStats",
    "Reason",
    "Sentence",
    "TextFormat",
    "Training",
    "Verdict",
    "WinnowError",
]
