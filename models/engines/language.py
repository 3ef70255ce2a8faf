"""The language of a page, as far as the scores of a language model tell."""

from typing import Final

from models.engines.engine import ScoredPage

# Bits a token and share of unknown tokens over a whole page, menus included. Of the English
# development pages 99 in 100 have up to 14 bits and 0.14 unknown; those in Polish, Russian, Greek
# and Chinese have 16 to 25 bits and 0.27 or more. Beyond both, a page is in another language.
MAX_BITS_PER_TOKEN: Final = 16.0
MAX_OOV_RATE: Final = 0.2


def is_foreign(scored: ScoredPage) -> bool:
    """Tell whether a page is in a language that the model does not know."""
    sentences = scored.sentences
    is_unlikely = -sentences.log2_prob > MAX_BITS_PER_TOKEN * sentences.tokens
    return is_unlikely and sentences.oov > MAX_OOV_RATE * sentences.tokens


def language_of(scored: ScoredPage, known: str) -> str:
    """Return `known`, the language of the model, or what a page in another one says of itself."""
    return _primary_subtag(scored.page.metadata.lang) if is_foreign(scored) else known


def _primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; what pages declare may be anything, so only letters count."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
