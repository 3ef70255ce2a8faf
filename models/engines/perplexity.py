"""Drop every sentence above a perplexity threshold (Fernández-Pichel et al. 2023)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from models._kernel import Blocks, Prepared
from models.engines.engine import Judgement, ScoredPage
from models.errors import OptionsError
from models.page import cut

# Best F on the training part of CleanEval; the sweep is kept in docs/calibration.md.
DEFAULT_THRESHOLD: Final = 16000.0
# Bits a token and share of unknown tokens over a whole page, menus included. Of the English
# development pages 99 in 100 have up to 14 bits and 0.14 unknown; those in Polish, Russian, Greek
# and Chinese have 16 to 25 bits and 0.27 or more. Beyond both, a page is in another language.
MAX_BITS_PER_TOKEN: Final = 16.0
MAX_OOV_RATE: Final = 0.2


@dataclass(frozen=True, slots=True)
class PerplexityEngine:
    """Judges each sentence by itself; pages in a language the model does not know stay whole.

    A language model cannot judge a language it never saw: it would call everything unlikely
    and empty the page. Such a page is known by being unlikely as a whole.
    """

    language: str
    threshold: float = DEFAULT_THRESHOLD

    name: Final = "perplexity"

    def __post_init__(self) -> None:
        """Raise `OptionsError` for a threshold that no perplexity can be below."""
        if not self.threshold >= 1:
            raise OptionsError(f"threshold is {self.threshold}, and a perplexity is at least 1")

    def cut(self, prepared: Prepared, tree: LexborHTMLParser | None) -> Blocks:
        """Cut a page into blocks."""
        return cut(prepared, tree)

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        return [self._judge(page) for page in pages]

    def _judge(self, scored: ScoredPage) -> Judgement:
        sentences = scored.sentences
        is_unlikely = -sentences.log2_prob > MAX_BITS_PER_TOKEN * sentences.tokens
        is_unknown = sentences.oov > MAX_OOV_RATE * sentences.tokens
        if is_unlikely and is_unknown:
            return Judgement(bytes(len(sentences)), _primary_subtag(scored.page.metadata.lang))
        return Judgement(sentences.above(self.threshold), self.language)


def _primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; what pages declare may be anything, so only letters count."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
