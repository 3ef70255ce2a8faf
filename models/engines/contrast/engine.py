"""Keep the blocks that content explains better than boilerplate: the contrast engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from models._kernel import Blocks
from models.engines.contrast import BoilerplateModel, ContrastParameters
from models.engines.engine import Judgement, ScoredPage
from models.ngram import ModelPair
from models.page import ParsedPage, cut_or_uncover


@dataclass(frozen=True, slots=True)
class ContrastEngine:
    """Judges blocks by two models of language, smoothed over the page; needs no labels.

    The model of boilerplate was counted beside one model of content, which scores pages in every
    language: what the two say is comparable, and each page is scored twice and not three times.
    A token that neither model knows decides nothing, so a page in another language is judged by
    the lengths of its blocks, their links and their places.
    """

    model: BoilerplateModel
    content: ModelPair
    parameters: ContrastParameters = field(default_factory=ContrastParameters)

    name: Final = "contrast"

    @property
    def threshold(self) -> float:
        """The margin in bits a token that speaks for neither content nor boilerplate."""
        return self.parameters.offset

    @property
    def digest(self) -> str:
        """That of the model of boilerplate."""
        return self.model.digest

    def cut(self, page: ParsedPage) -> Blocks:
        """Cut a page into blocks, concealed ones among them if it shows next to nothing."""
        return cut_or_uncover(page)

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        verdicts = self.model.judge([page.sentences for page in pages], self.parameters)
        return [Judgement(codes) for codes in verdicts]
