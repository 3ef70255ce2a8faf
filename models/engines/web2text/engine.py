"""Keep the blocks that networks on the collapsed DOM call content: the web2text engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from models._kernel import Blocks
from models.engines.engine import Judgement, ScoredPage
from models.engines.web2text.model import Web2TextModel
from models.page import ParsedPage, cut, uncovered


@dataclass(frozen=True, slots=True)
class Web2TextEngine:
    """A sentence shares the verdict of its block; text without markup is kept whole.

    Attributes:
        threshold: what the model was built with: natural log-odds that a block must have beyond
            those it was trained to need; more keeps less.
    """

    model: Web2TextModel
    threshold: float = 0.0

    name: Final = "web2text"
    content: Final[None] = None

    @property
    def digest(self) -> str:
        """That of the weight file."""
        return self.model.digest

    def cut(self, page: ParsedPage) -> Blocks:
        """Cut a page into blocks and label them while its tree is there.

        Concealed blocks are among them if the page shows next to nothing.
        """
        if page.tree is None:
            return cut(page)
        shown = self.model.walk(page.tree)
        if uncovered(shown, page) is shown:
            return shown
        return self.model.walk(page.tree, with_concealed=True)

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        return [self._judgement(page) for page in pages]

    def _judgement(self, scored: ScoredPage) -> Judgement:
        sentences, judgement = scored.sentences, scored.page.blocks.judgement
        if judgement is None:
            return Judgement(bytes(len(sentences)))
        return Judgement(sentences.verdicts(judgement), blocks=judgement)
