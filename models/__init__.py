"""What text stays: pages to blocks, the language model, engines, the cleaner."""

from models.cleaner import Cleaner
from models.document import Block, BlockKind, Document, Page, PageStats, Sentence, Verdict
from models.engines.hybrid import Convention, Training
from models.errors import InvalidPage, ModelError, OptionsError, Reason, WinnowError
from models.ngram import LanguageModels, NgramModel
from models.options import CleanerOptions, TextFormat
from models.page import Limits

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
