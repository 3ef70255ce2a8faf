"""Keep the blocks that content explains better than furniture: the contrast engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from models._kernel import Blocks, Prepared
from models.contrast import ContrastParameters, FurnitureModel
from models.engines.engine import Judgement, ScoredPage
from models.engines.language import language_of
from models.page import cut


@dataclass(frozen=True, slots=True)
class ContrastEngine:
    """Judges blocks by two models of language, smoothed over the page; needs no labels.

    A token that neither model knows decides nothing, so a page in another language is judged by
    the lengths of its blocks, their links and their places.
    """

    model: FurnitureModel
    language: str
    parameters: ContrastParameters = field(default_factory=ContrastParameters)

    name: Final = "contrast"

    @property
    def threshold(self) -> float:
        """The margin in bits a token that speaks for neither content nor furniture."""
        return self.parameters.offset

    @property
    def digest(self) -> str:
        """That of the model of furniture."""
        return self.model.digest

    def cut(self, prepared: Prepared, tree: LexborHTMLParser | None) -> Blocks:
        """Cut a page into blocks."""
        return cut(prepared, tree)

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        verdicts = self.model.judge([scored.sentences for scored in pages], self.parameters)
        return [
            Judgement(codes, language_of(scored, self.language))
            for scored, codes in zip(pages, verdicts, strict=True)
        ]
