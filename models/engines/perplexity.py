"""Drop every sentence above a perplexity threshold (Fernández-Pichel et al. 2023)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from models._kernel import Blocks, Prepared
from models.engines.engine import Judgement, ScoredPage
from models.engines.language import is_foreign, language_of
from models.errors import OptionsError
from models.page import cut

# Best F on the training part of CleanEval; the sweep is kept in docs/calibration.md.
DEFAULT_THRESHOLD: Final = 16000.0


@dataclass(frozen=True, slots=True)
class PerplexityEngine:
    """Judges each sentence by itself; pages in a language the model does not know stay whole.

    A language model cannot judge a language it never saw: it would call everything unlikely
    and empty the page. Such a page is known by being unlikely as a whole.
    """

    language: str
    threshold: float = DEFAULT_THRESHOLD

    name: Final = "perplexity"
    digest: Final = ""

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
        language = language_of(scored, self.language)
        if is_foreign(scored):
            return Judgement(bytes(len(scored.sentences)), language)
        return Judgement(scored.sentences.above(self.threshold), language)
