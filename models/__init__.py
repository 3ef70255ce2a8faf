"""Decide which text stays: pages to blocks, the language model, engines, the cleaner."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from winnow.models.chunks import Chunk
    from winnow.models.cleaner import Cleaner
    from winnow.models.document import (
        Block,
        BlockKind,
        Document,
        Page,
        PageStats,
        Sentence,
        Verdict,
    )
    from winnow.models.engines.hybrid import Convention, Training
    from winnow.models.errors import InvalidPage, ModelError, OptionsError, Reason, WinnowError
    from winnow.models.filtering import DocumentFilter
    from winnow.models.ngram import LanguageModels, NgramModel
    from winnow.models.options import CleanerOptions, TextFormat
    from winnow.models.page import Limits

__all__ = [
    "Block",
    "BlockKind",
    "Chunk",
    "Cleaner",
    "CleanerOptions",
    "Convention",
    "Document",
    "DocumentFilter",
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

_MODULES: Final = {
    "chunks": ("Chunk",),
    "cleaner": ("Cleaner",),
    "document": ("Block", "BlockKind", "Document", "Page", "PageStats", "Sentence", "Verdict"),
    "engines.hybrid": ("Convention", "Training"),
    "errors": ("InvalidPage", "ModelError", "OptionsError", "Reason", "WinnowError"),
    "filtering": ("DocumentFilter",),
    "ngram": ("LanguageModels", "NgramModel"),
    "options": ("CleanerOptions", "TextFormat"),
    "page": ("Limits",),
}

if not TYPE_CHECKING:  # a type checker still reports names that do not exist

    def __getattr__(name: str) -> object:
        """Import a name on first use: `winnow --help` needs only the errors, not the kernel."""
        for module, names in _MODULES.items():
            if name in names:
                value: object = getattr(import_module(f"{__name__}.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
